/**
 * An async generator whose reader may leave at any time. `return()` of a plain async generator waits for the pending
 * `next()`, which on a quiet stream may never settle. Here `return()` first interrupts whatever the generator waits
 * for.
 *
 * Invariants
 *  - `interrupt` is called at most once: by the first `return()` or by `signal`, whichever comes first.
 *  - The generator's body does not start before the first `next()`, so a stream that nobody reads
 *     subscribes to nothing.
 *  - When the generator has ended, `signal` holds no reference to it.
 */
export function interruptible<E>(
  generator: AsyncGenerator<E, void, undefined>,
  signal: AbortSignal,
  interrupt: () => void,
): AsyncIterableIterator<E> {
  let left = false;
  const leave = (): void => {
    if (left) return;
    left = true;
    signal.removeEventListener('abort', leave);
    interrupt();
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });

  const next = async (): Promise<IteratorResult<E, undefined>> => {
    try {
      const step = await generator.next();
      if (step.done) leave();
      return step.done ? { done: true, value: undefined } : step;
    } catch (error) {
      leave();
      throw error;
    }
  };
  const iterator: AsyncIterableIterator<E> = {
    next,
    return: async () => {
      leave();
      await generator.return();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}
