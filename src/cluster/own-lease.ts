/**
 * Tracks how long this process may rely on its lease, by its own clocks.
 *
 *  - The lease counts from before the heartbeat that renewed it was sent, so it ends here before it ends in the lease
 *    table.
 *  - The elapsed time is the larger of those of the monotonic and the wall clock: the former stops while a machine
 *    sleeps, the latter may be set back.
 *  - A tenth of the lease is kept as a margin, for clocks that run at different speeds and for work begun just before
 *    the end.
 */
import type { Clock } from '../domain/shared/clock.js';

export interface ClockReading {
  readonly monotonic: number;
  readonly wall: number;
}

export class OwnLease {
  private since: ClockReading = { monotonic: -Infinity, wall: -Infinity };

  /** `monotonic` is a clock in ms. */
  constructor(
    private readonly leaseMs: number,
    private readonly clock: Clock,
    private readonly monotonic: () => number,
  ) {}

  now(): ClockReading {
    return { monotonic: this.monotonic(), wall: this.clock.now() };
  }

  /** Elapsed time, ms. */
  elapsed(since: ClockReading): number {
    return Math.max(this.monotonic() - since.monotonic, this.clock.now() - since.wall);
  }

  /** A heartbeat that was sent at `sent` has taken effect. */
  renew(sent: ClockReading): void {
    if (sent.monotonic > this.since.monotonic) this.since = sent;
  }

  /** The remaining time in ms; 0 or less if the lease has expired. */
  get left(): number {
    return this.leaseMs * 0.9 - this.elapsed(this.since);
  }
}
