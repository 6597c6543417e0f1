/**
 * Computations that wait only where they must. The embedded store answers synchronously, so that a message can be
 * handled from start to end in one turn of the event loop. Such a computation is a generator function, which reads like
 * an async one with `yield*` for `await`.
 */

/** A value that may be available at once. */
export type MaybePromise<T> = T | Promise<T>;

export type Waiting<T> = Generator<Promise<unknown>, T>;

/** `yield* wait(value)` is the value, which is waited for if it is a promise. */
export function* wait<T>(value: MaybePromise<T>): Waiting<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** All of the values, waited for side by side. */
export const allOf = <T>(values: readonly MaybePromise<T>[]): MaybePromise<T[]> =>
  values.some((value) => value instanceof Promise)
    ? Promise.all(values.map((value) => Promise.resolve(value)))
    : (values as T[]);

/** Runs the computation: its result is there at once unless it has to wait or fails, which is a rejection. */
export function finish<T>(work: Waiting<T>): MaybePromise<T> {
  try {
    const { done, value } = work.next();
    return done ? value : finishLater(work, value);
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

async function finishLater<T>(work: Waiting<T>, first: Promise<unknown>): Promise<T> {
  for (let waited = first; ;) {
    const { done, value } = await waited.then(
      (known) => work.next(known),
      (error: unknown) => work.throw(error),
    );
    if (done) return value;
    waited = value;
  }
}
