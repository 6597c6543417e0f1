/**
 * Room for memories that a caller has taken before it asks an actor for something that may add counted memories.
 *
 *  - A reservation ends exactly once, whatever happens to its holder: when the outcome is known; `settleMs` later if
 *    a crash leaves open whether the commit took effect; and, for a step that never reaches its decision, when the
 *    step is aborted or after `unclaimedMs`. Once it has ended it cannot be claimed.
 */
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import type { QuotaExceeded } from '../../src/domain/workspace/usage.js';

const settleMs = 5_000;
const unclaimedMs = 30_000;

/** Room for a number of memories that was reserved together. */
export class QuotaReservation {
  private state: 'open' | 'claimed' | 'ended' = 'open';
  private disarm: (() => void) | null = null;

  constructor(
    readonly granted: number,
    readonly full: QuotaExceeded | null,
    private readonly clock: MonotonicClock,
    private readonly ended: () => void,
  ) {}

  /** Ends the reservation when the signal aborts or its time is up, unless it has been claimed by then. */
  expire(signal: AbortSignal): void {
    const end = (): void => {
      if (this.state === 'open') this.release();
    };
    const cancel = this.clock.after(unclaimedMs, end);
    signal.addEventListener('abort', end);
    this.disarm = () => {
      cancel();
      signal.removeEventListener('abort', end);
    };
    if (signal.aborted) end();
  }

  /** Returns false if the reservation has ended, and then holds no room. */
  claim(): boolean {
    if (this.state !== 'open') return false;
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

  /** Runs the work that the reservation is for, and then releases it. `work` is passed `full`. */
  async during<T>(work: (full: QuotaExceeded | null) => Promise<T>): Promise<T> {
    try {
      const answer = await work(this.full);
      this.release();
      return answer;
    } catch (error) {
      if (error instanceof HivekeepError && error.code !== 'UNAVAILABLE') this.release();
      else
        this.clock.after(settleMs, () => {
          this.release();
        });
      throw error;
    }
  }
}
