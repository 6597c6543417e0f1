/**
 * How long this process may still believe in its lease, by its own clocks.
 *
 *  OwnLease.O1 Counted from before the beat was sent that renewed it, so it ends here before it ends in the lease
 *     table.
 *  OwnLease.O2 The larger of what the monotonic and the wall clock say has passed counts: the first stands still while
 *     a machine sleeps, the second may be set back.
 *  OwnLease.O3 A tenth of the lease is left out, for clocks that run at different speeds and for what is begun just
 *     before the end.
 */
import type { Clock } from '../domain/clock.js';

export interface ClockReading {
  readonly monotonic: number;
  readonly wall: number;
}

export class OwnLease {
  private since: ClockReading = { monotonic: -Infinity, wall: -Infinity };

  /** `monotonic` is in ms, from any beginning. */
  constructor(
    private readonly leaseMs: number,
    private readonly clock: Clock,
    private readonly monotonic: () => number,
  ) {}

  now(): ClockReading {
    return { monotonic: this.monotonic(), wall: this.clock.now() };
  }

  /** Ms since then. */
  elapsed(since: ClockReading): number {
    return Math.max(this.monotonic() - since.monotonic, this.clock.now() - since.wall);
  }

  /** A beat that was sent at `sent` has taken effect. */
  renew(sent: ClockReading): void {
    if (sent.monotonic > this.since.monotonic) this.since = sent;
  }

  /** Ms for which it may be believed in; 0 or less: not any more. */
  get left(): number {
    return this.leaseMs * 0.9 - this.elapsed(this.since);
  }
}
