/**
 * Counts undecodable input from the bus, and logs a sample of it at most once a minute, so that a flood of it does not
 * fill a disk.
 */
import type { Logger } from '../telemetry/logger-port.js';
const quietMs = 60_000;
const sampleSize = 100;

export class UnreadableMessages {
  private total = 0;
  private logged = -Infinity;

  /** `now` is a monotonic clock in ms. */
  constructor(
    private readonly log: Pick<Logger, 'warn'> | undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The total since the start. */
  get count(): number {
    return this.total;
  }

  add(where: string, what: string): void {
    this.total++;
    const now = this.now();
    if (now - this.logged < quietMs) return;
    this.logged = now;
    this.log?.warn(
      { event: 'bus.message_unreadable', where, sample: what.slice(0, sampleSize), dropped: this.total },
      'dropped an unreadable message of the bus: another program writes there, or a process of another version',
    );
  }
}
