/** Calls to a server one after the other, none of which is waited for longer than a time. */
import type { Clock } from '../domain/clock.js';

export class SerialCalls {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  /** Runs `work` when all that came before has ended, well or not. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work, work);
    this.last = result.catch(() => undefined); // whoever asked is told; the next must not be
    return result;
  }

  /** Rejects when `call` has not settled in time; it may still take effect. */
  within<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.clock.after(this.timeoutMs, () => {
        reject(new Error(`no answer within ${this.timeoutMs} ms`));
      });
      call.then(resolve, reject).finally(cancel);
    });
  }
}
