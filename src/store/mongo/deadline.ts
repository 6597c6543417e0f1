/** The end of what may take only so long. */
import { MongoNetworkTimeoutError } from 'mongodb';

export class Deadline {
  private timer: NodeJS.Timeout | undefined;
  private at = Infinity;
  private reject: (error: Error) => void = () => undefined;

  /** `late` is aborted then, which gives a connection back. Not every command of the driver heeds it. */
  constructor(
    ms: number,
    private readonly late: AbortController,
  ) {
    this.shorten(ms);
  }

  shorten(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.at) return;
    this.at = at;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const error = new MongoNetworkTimeoutError('the command was not answered in time');
      this.late.abort(error);
      this.reject(error);
    }, ms).unref();
  }

  /** Settles as `work` does, or is rejected when the time has come. */
  async race<T>(work: Promise<T>): Promise<T> {
    const passed = new Promise<never>((_, reject) => {
      this.reject = reject;
    });
    try {
      return await Promise.race([work, passed]);
    } finally {
      clearTimeout(this.timer);
    }
  }
}
