/**
 * Decides how many more memories of one workspace may be counted this month (docs/api.md 8.4). The gate knows which
 * reservations are open and reads everything else from the store. When the answer has to be exact, it waits until no
 * reservation is open.
 *
 *  QuotaGate.Q1 The limit is never exceeded: the sum and the open reservations together stay within it. `upper` is an
 *     upper bound on the two. Reservations that were open when the sum was read are added to it, since their memories
 *     may or may not be in the sum already, and so is everything admitted since.
 *  QuotaGate.Q2 Nothing is refused wrongly: if `upper` leaves no room, the sum is read again, and if that does not
 *     help, once more when no reservation is open; only that exact sum leads to a refusal. Later callers wait in line
 *     meanwhile. While `upper` is at most half of the limit, the sum is read only every `exactMs`, because an exact sum
 *     costs a read of every head on MongoDB: everything that counts passes the gate, so `upper` remains an upper bound.
 *  QuotaGate.Q3 The month is that of the clock when the sum was read. A reservation that is taken at the end of a month
 *     and decided on after it counts in the next month, in which it was open from the start, so QuotaGate.Q1 holds in
 *     both.
 *
 * The store is authoritative, so nothing has to be restored after a restart. If the store fails, the call rejects, and
 * the next caller reads again.
 *
 * In a cluster the gate of a workspace moves from process to process (quota-desk.ts), and its reservations are held by
 * other processes. Reservations of earlier gates that were not released count as open until they expire, but the
 * current gate does not know them. Each gate therefore limits how much it has reserved at a time (`maxReserved`), and
 * the next one allows for that much. QuotaGate.Q2 may then take a while: a caller that would have to wait longer than
 * `patienceMs` for an exact sum is rejected with UNAVAILABLE, which does not count as a refusal.
 */
import type { MonotonicClock } from '../../src/domain/clock.js';
import { unavailable } from '../../src/domain/errors.js';
import { type QuotaExceeded, monthAt } from '../../src/domain/usage.js';

export interface Admission {
  /** Less than was requested if the month is full, or if more than `maxReserved` was requested. */
  granted: number;
  /** Set if the month does not have room for everything that was requested. */
  full: QuotaExceeded | null;
  /** When the read of the sum that this is based on began, by the clock's `elapsed`. */
  since: number;
}

/** How a gate coexists with the gates before and after it. */
export interface GateRules {
  after(ms: number, fn: () => void): () => void;
  /** How much may be reserved at a time under a given limit. */
  maxReserved(limit: number): number;
  /** How much earlier gates may still have reserved, and for how much longer at most, ms. */
  earlierGates(limit: number): { count: number; forMs: number };
  patienceMs: number;
  /** Rejects if another gate has taken over. */
  confirm(): Promise<void>;
}

const alone: GateRules = {
  after: () => () => undefined,
  maxReserved: () => Infinity,
  earlierGates: () => ({ count: 0, forMs: 0 }),
  patienceMs: Infinity,
  confirm: () => Promise.resolve(),
};

/**
 * How long `upper` is used before the sum is read again, ms: deletions make room that it does not reflect, and a change
 * of tier may have let memories bypass it.
 */
const freshMs = 1000;
/** How long the sum is not read again while at most half of the limit is used, ms. */
const exactMs = 30_000;

export class QuotaGate {
  private month = '';
  private sum = 0;
  private upper = Infinity;
  /** When the sum was read last, and when it was read or the gate confirmed. */
  private exactAt = -Infinity;
  private readAt = -Infinity;
  private since = 0;
  /**
   * Reservations that were open when the sum was requested, or admitted since: their memories may not be in the sum.
   */
  private unseen = 0;
  private underWay = 0;
  private inLine = 0;
  private line: Promise<unknown> = Promise.resolve();
  private waiting: (() => void)[] = [];

  constructor(
    private readonly read: (month: string) => Promise<number>,
    private readonly clock: Pick<MonotonicClock, 'now' | 'elapsed'>,
    private readonly rules: GateRules = alone,
  ) {}

  /** An upper bound on the month's usage. */
  get most(): number {
    return this.upper;
  }
  get idle(): boolean {
    return this.underWay === 0 && this.inLine === 0;
  }

  /** Reserves room for up to `n` memories; what is granted stays reserved until `release`. */
  take(limit: number, n: number): Admission | Promise<Admission> {
    const now = this.clock.elapsed();
    if (
      this.inLine === 0 &&
      this.upper + n <= limit &&
      this.unseen + n <= this.rules.maxReserved(limit) &&
      now - this.readAt < freshMs &&
      this.month === monthAt(this.clock.now())
    )
      return this.admit(n, null);
    this.inLine++;
    const arrived = now;
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

  private admit(n: number, full: QuotaExceeded | null): Admission {
    this.underWay += n;
    this.unseen += n;
    this.upper += n;
    return { granted: n, full, since: this.since };
  }

  private async decide(limit: number, asked: number, arrived: number): Promise<Admission> {
    const atOnce = this.rules.maxReserved(limit);
    const n = Math.min(asked, atOnce);
    let exact = await this.look(limit);
    if (this.unseen + n > atOnce) {
      await this.until(
        () => this.underWay + n <= atOnce,
        0,
        arrived,
        'too many memories of the workspace are on their way',
      );
      exact = await this.look(limit);
    }
    if (this.upper + n > limit && !exact) {
      await this.until(
        () => this.underWay === 0,
        this.rules.earlierGates(limit).forMs,
        arrived,
        'the workspace is close to its monthly quota, and memories may still be on their way',
      );
      await this.look(limit);
    }
    const granted = Math.max(0, Math.min(n, limit - this.upper));
    return this.admit(granted, granted < n ? { month: this.month, limit, used: this.sum } : null);
  }

  /**
   * Reads the sum if it may matter, and returns whether it is exact. Nothing is admitted meanwhile, because every
   * admission that needs a read waits in line.
   */
  private async look(limit: number): Promise<boolean> {
    const month = monthAt(this.clock.now());
    const under = this.underWay;
    const earlier = this.rules.earlierGates(limit).count;
    const since = this.clock.elapsed();
    const isFar = month === this.month && 2 * this.upper <= limit && since - this.exactAt < exactMs;
    if (isFar) await this.rules.confirm();
    else {
      const sum = await this.read(month);
      this.month = month;
      this.sum = sum;
      this.upper = sum + under + earlier;
      this.exactAt = this.clock.elapsed();
    }
    this.unseen = under;
    this.since = since;
    this.readAt = this.clock.elapsed();
    return !isFar && under === 0 && earlier === 0;
  }

  /**
   * Waits until `holds` is true and `restMs` have passed; rejects with the message `otherwise` if that takes too long.
   */
  private until(holds: () => boolean, restMs: number, arrived: number, otherwise: string): Promise<void> {
    const { rules } = this;
    const patience = rules.patienceMs - (this.clock.elapsed() - arrived);
    if (restMs <= 0 && holds()) return Promise.resolve();
    if (restMs > patience || patience <= 0) return Promise.reject(notYet(otherwise, restMs));
    return new Promise((resolve, reject) => {
      let rested = restMs <= 0;
      const end = (): void => {
        this.waiting = this.waiting.filter((w) => w !== look);
        for (const cancel of timers) cancel();
      };
      const look = (): void => {
        if (rested && holds()) {
          end();
          resolve();
        }
      };
      const timers = [
        ...(rested
          ? []
          : [
              rules.after(restMs, () => {
                rested = true;
                look();
              }),
            ]),
        ...(patience === Infinity
          ? []
          : [
              rules.after(patience, () => {
                end();
                reject(notYet(otherwise, 0));
              }),
            ]),
      ];
      this.waiting.push(look);
    });
  }
}

/** Reports that it is not known yet whether there is room, which is not a refusal. */
const notYet = (problem: string, restMs: number): Error =>
  unavailable(problem, { retryAfter: Math.max(1, Math.ceil(restMs / 1000)), details: { reason: 'QuotaNotExact' } });
