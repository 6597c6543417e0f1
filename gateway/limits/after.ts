import type { MaybePromise } from '../../src/store/port.js';

/** `then` that stays synchronous where it can: limits in memory and known keys answer at once, and so does what follows. */
export function thenSync<A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}
