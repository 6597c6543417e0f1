/**
 * What came over the bus and cannot be read: counted, and logged with a sample, but once a minute at most, so that a
 * flood of it fills no disk.
 */
import type { Logger } from '../telemetry/logger.js';
const quietMs = 60_000;
const sampleSize = 100;

export class UnreadableMessages {
  readonly #log: Pick<Logger, 'warn'> | undefined;
  readonly #now: () => number;
  #count = 0;
  #logged = -Infinity;

  /** `now` in ms, monotonic. */
  constructor(log: Pick<Logger, 'warn'> | undefined, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  /** So many since the start. */
  get count(): number {
    return this.#count;
  }

  add(where: string, what: string): void {
    this.#count++;
    const now = this.#now();
    if (now - this.#logged < quietMs) return;
    this.#logged = now;
    this.#log?.warn(
      { where, sample: what.slice(0, sampleSize), dropped: this.#count },
      'dropped what cannot be read from the bus: something else writes there, or a process of another version',
    );
  }
}
