/**
 * A value that may be available at once. The embedded store answers synchronously, so that a message can be handled
 * from start to end in one turn of the event loop.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Like `then`, but synchronous if the value is not a promise. */
export function thenSync<A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Like `Promise.all`, but synchronous if none of the values is a promise. */
export function allSync<T>(values: readonly MaybePromise<T>[]): MaybePromise<T[]> {
  const here: T[] = [];
  for (const value of values) {
    if (value instanceof Promise) return Promise.all(values.map((v) => Promise.resolve(v)));
    here.push(value);
  }
  return here;
}

/** Like `allSync`, of two values of different types. */
export const bothSync = <A, B>(a: MaybePromise<A>, b: MaybePromise<B>): MaybePromise<[A, B]> =>
  a instanceof Promise || b instanceof Promise ? Promise.all([a, b]) : [a, b];

/** What `work` throws becomes a rejection, so that it can be collected beside others. */
export function caughtSync<T>(work: () => MaybePromise<T>): MaybePromise<T> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}
