/**
 * Room for memories that a caller has taken before it asks an actor for something that may add counted memories.
 *
 *  - A reservation ends exactly once, whatever happens to its holder: when the outcome is known; `settleMs` later if
 *    an actor's crash leaves open whether its commit took effect; and, for a step that never reaches its decision,
 *    when the step is aborted or after `unclaimedMs`. Once it has ended it cannot be claimed. A reservation that is
 *    counted in another process (cluster-quota.ts) has a lifetime of its own, after which it can no longer be used,
 *    decided on or claimed.
 */
import type { MonotonicClock } from '../../src/domain/clock.js';
import { HivekeepError, unavailable } from '../../src/domain/errors.js';
import type { QuotaExceeded } from '../../src/domain/usage.js';

const settleMs = 5_000;
const unclaimedMs = 30_000;

/** Room for a number of memories that was reserved together. */
export class QuotaReservation {
  private state: 'open' | 'claimed' | 'ended' = 'open';
  private disarm: (() => void) | null = null;

  /**
   * `since` is that of the gate's Admission (quota-gate.ts). `left` is for a reservation that another process counts,
   * and that expires there by itself: how much longer a decision may rely on it, ms.
   */
  constructor(
    readonly granted: number,
    readonly full: QuotaExceeded | null,
    private readonly clock: MonotonicClock,
    private readonly ended: () => void,
    readonly since = 0,
    private readonly left: (() => number) | null = null,
  ) {}

  /** Ends the reservation when the signal aborts or its time is up, unless it has been claimed by then. */
  expire(signal: AbortSignal): void {
    const end = (): void => {
      if (this.state === 'open') this.release();
    };
    const cancel = this.clock.after(Math.min(unclaimedMs, this.leftMs), end);
    signal.addEventListener('abort', end);
    this.disarm = () => {
      cancel();
      signal.removeEventListener('abort', end);
    };
    if (signal.aborted) end();
  }

  /** Returns false if the reservation has ended or expired, and then holds no room. */
  claim(): boolean {
    if (this.state !== 'open') return false;
    if (this.leftMs <= 0) {
      this.release();
      return false;
    }
    this.state = 'claimed';
    this.disarm?.();
    return true;
  }

  release(): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.disarm?.();
    this.ended();
  }

  /**
   * Reports what became of the decision that claimed this reservation. If it is not known whether the decision will
   * ever be stored, a reservation with a lifetime is left to expire.
   */
  decided(stored: boolean): void {
    if (stored || this.left === null) this.release();
  }

  /**
   * Runs the work that the reservation is for, and then releases it. `work` is passed `full` if the month has no room,
   * and the deadline (message-deadline.ts), if there is one, after which no decision may rely on the reservation.
   */
  async during<T>(work: (full: QuotaExceeded | null, deadline: number | undefined) => Promise<T>): Promise<T> {
    const left = this.leftMs;
    if (left <= 0) {
      this.release();
      throw unavailable("a place in the workspace's monthly quota was not used in time");
    }
    try {
      const answer = await work(this.full, left === Infinity ? undefined : this.clock.elapsed() + left);
      this.release();
      return answer;
    } catch (error) {
      if (error instanceof HivekeepError && error.code !== 'UNAVAILABLE') this.release();
      else if (this.left === null)
        this.clock.after(settleMs, () => {
          this.release();
        });
      throw error;
    }
  }

  private get leftMs(): number {
    return this.left?.() ?? Infinity;
  }
}
