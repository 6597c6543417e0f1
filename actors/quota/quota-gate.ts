/**
 * Decides how many more memories of one workspace may be counted this month (docs/api.md 8.4). The gate knows which
 * reservations of this process are open and reads everything else from the store. When the answer has to be exact, it
 * waits until no reservation is open.
 *
 *  QuotaGate.Q1 Where one process serves, the limit is never exceeded: the sum and the open reservations together stay
 *     within it. `upper` is an upper bound on the two. Reservations that were open when the sum was read are added to
 *     it, since their memories may or may not be in the sum already, and so is everything admitted since.
 *  QuotaGate.Q2 Nothing is refused wrongly: if `upper` leaves no room, the sum is read again, and if that does not
 *     help, once more when no reservation is open; only that sum leads to a refusal. Later callers wait in line
 *     meanwhile.
 *  QuotaGate.Q3 The month is that of the clock when the sum was read. A reservation that is taken at the end of a month
 *     and decided on after it counts in the next month, in which it was open from the start, so QuotaGate.Q1 holds in
 *     both.
 *  QuotaGate.Q4 In a cluster each process has a gate of its own, which does not know what the others have in flight.
 *     Where what is left of the month is less than `marginOf`, every caller is therefore admitted on a sum that was
 *     read after it came: together the processes exceed the limit at most by what they had in flight then. Where more
 *     is left, a sum serves for a second, or for twenty times as long as it took to read: on MongoDB it costs a read of
 *     every head of the workspace.
 *
 * The store is authoritative, so nothing has to be restored after a restart. If the store fails, the call rejects, and
 * the next caller reads again. A caller that would have to wait for longer than `patienceMs` is rejected with
 * UNAVAILABLE, which is no refusal.
 */
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { unavailable } from '../../src/domain/shared/errors.js';
import { type QuotaExceeded, monthAt } from '../../src/domain/workspace/usage.js';

export interface QuotaAdmission {
  /** Less than was requested if the month is full. */
  granted: number;
  /** Set if the month does not have room for everything that was requested. */
  full: QuotaExceeded | null;
}

/**
 * How long a sum is used at least, ms, where there is room: deletions make room that it does not reflect, and a change
 * of tier may have let memories bypass it.
 */
const freshMs = 1000;
const patienceMs = 5_000;
/** How much has to be left for a sum to be used that is not new: more than other processes add while it is used. */
const marginOf = (limit: number): number => Math.max(500, limit / 10);

export class QuotaGate {
  private month = '';
  private sum = 0;
  private upper = Infinity;
  /** When the last read of the sum began, and until when it serves where there is room. */
  private readAt = -Infinity;
  private freshUntil = -Infinity;
  private underWay = 0;
  private inLine = 0;
  private line: Promise<unknown> = Promise.resolve();
  private waiting: (() => void)[] = [];

  constructor(
    private readonly read: (month: string) => Promise<number>,
    private readonly clock: MonotonicClock,
  ) {}

  /** An upper bound on the month's usage, as far as this process knows. */
  get most(): number {
    return this.upper;
  }
  get idle(): boolean {
    return this.underWay === 0 && this.inLine === 0;
  }

  /** Reserves room for up to `n` memories; what is granted stays reserved until `release`. */
  take(limit: number, n: number): QuotaAdmission | Promise<QuotaAdmission> {
    if (this.inLine === 0 && this.isRoomy(limit, n)) return this.admit(n, null);
    this.inLine++;
    const arrived = this.clock.elapsed();
    const turn = this.line
      .then(() => this.decide(limit, n, arrived))
      .finally(() => {
        this.inLine--;
      });
    this.line = turn.catch(() => undefined);
    return turn;
  }

  release(n: number): void {
    this.underWay -= n;
    for (const look of [...this.waiting]) look();
  }

  /** Whether there is room for so many by far, by a sum that is new enough (QuotaGate.Q4). */
  private isRoomy(limit: number, n: number): boolean {
    return (
      this.upper + n <= limit - marginOf(limit) &&
      this.clock.elapsed() < this.freshUntil &&
      this.month === monthAt(this.clock.now())
    );
  }

  private admit(n: number, full: QuotaExceeded | null): QuotaAdmission {
    this.underWay += n;
    this.upper += n;
    return { granted: n, full };
  }

  private async decide(limit: number, n: number, arrived: number): Promise<QuotaAdmission> {
    if (this.isRoomy(limit, n)) return this.admit(n, null);
    // all who came before a read began share it
    const isShared = arrived < this.readAt && this.upper + n <= limit && this.month === monthAt(this.clock.now());
    const isExact = !isShared && (await this.look());
    if (this.upper + n > limit && !isExact) {
      await this.untilNoneIsOpen(arrived);
      await this.look();
    }
    const granted = Math.max(0, Math.min(n, limit - this.upper));
    return this.admit(granted, granted < n ? { month: this.month, limit, used: this.sum } : null);
  }

  /**
   * Reads the sum, and returns whether nothing was in flight here. Nothing is admitted meanwhile, because every
   * admission that needs a read waits in line, and so do those that come later.
   */
  private async look(): Promise<boolean> {
    const month = monthAt(this.clock.now());
    const under = this.underWay;
    const began = this.clock.elapsed();
    const sum = await this.read(month);
    const ended = this.clock.elapsed();
    this.month = month;
    this.sum = sum;
    this.upper = sum + under;
    this.readAt = began;
    this.freshUntil = ended + Math.max(freshMs, 20 * (ended - began));
    return under === 0;
  }

  private untilNoneIsOpen(arrived: number): Promise<void> {
    if (this.underWay === 0) return Promise.resolve();
    const { clock } = this;
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (this.underWay > 0) return;
        cancel();
        this.waiting = this.waiting.filter((w) => w !== look);
        resolve();
      };
      const cancel = clock.after(Math.max(0, arrived + patienceMs - clock.elapsed()), () => {
        this.waiting = this.waiting.filter((w) => w !== look);
        reject(
          unavailable('the workspace is close to its monthly quota, and memories may still be on their way', {
            retryAfter: 1,
            details: { reason: 'QuotaNotExact' },
          }),
        );
      });
      this.waiting.push(look);
    });
  }
}
