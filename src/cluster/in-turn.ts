/** Serialises calls to a server, and waits for each only for a limited time. */
import type { Clock } from '../domain/shared/clock.js';

export class SerialCalls {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  /** Runs `work` after all previous calls have settled. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work, work);
    this.last = result.catch(() => undefined); // the caller gets the error; the next call must not
    return result;
  }

  /** Rejects if `call` does not settle in time; it may still take effect. */
  within<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.clock.after(this.timeoutMs, () => {
        reject(new Error(`no answer within ${this.timeoutMs} ms`));
      });
      call.then(resolve, reject).finally(cancel);
    });
  }
}
