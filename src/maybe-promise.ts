/** Values that may be there at once: an embedded store answers synchronously, and then a message's whole way is one turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>;

/** `then` that stays synchronous where it can. */
export function thenSync<A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** `Promise.all` that stays synchronous where it can. */
export function allSync<T>(values: readonly MaybePromise<T>[]): MaybePromise<T[]> {
  const here: T[] = [];
  for (const value of values) {
    if (value instanceof Promise) return Promise.all(values.map((v) => Promise.resolve(v)));
    here.push(value);
  }
  return here;
}
