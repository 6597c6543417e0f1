/**
 * How many memories of one workspace may still come to count this month (docs/api.md 8.4). It knows what is
 * under way and asks the store for the rest; what has to be decided exactly is decided when nothing is under way.
 *
 *  QuotaGate.Q1 Never one too many: the sum and what is under way together never exceed the limit. `upper` is a bound
 *     on them from above: what was under way when the sum was read counts on top of it, since it may be in it or not,
 *     and so does everything admitted since.
 *  QuotaGate.Q2 Never a false refusal: where `upper` leaves no room, the sum is read again, and where that does not
 *     help either, once more when nothing is under way; only that exact sum refuses. Whoever comes meanwhile waits in
 *     line.
 *  QuotaGate.Q3 The month is that of the clock when the sum was read. What is taken at its end and decided after it
 *     counts in the next one, where it was under way when that began: QuotaGate.Q1 holds on both sides.
 *
 * What is stored is the truth, so a restart needs nothing. A store that fails rejects the call; whoever is next asks
 * anew.
 *
 * In a cluster the gate of a workspace moves from process to process (quota-desk.ts), and its places are held
 * elsewhere. What earlier gates granted and was not given back counts as under way until its time is over, and is not
 * known: so each gate bounds what can be under way of it (`atOnce`), and the next reckons with that much. QuotaGate.Q2
 * then takes time: who would have to wait longer for an exact sum than `patienceMs` is rejected UNAVAILABLE, which is
 * no refusal.
 */
import { unavailable } from '../../src/domain/errors.js';
import { type QuotaExceeded, monthAt } from '../../src/domain/usage.js';

export interface Admission {
  /** Fewer than asked for where the month is full, or where more than `atOnce` were asked for. */
  granted: number;
  /** There where the month has no room for all. */
  full: QuotaExceeded | null;
  /** When the sum that this rests on was asked for, by the rules' clock. */
  since: number;
}

/** How a gate gets on with others before and after it. */
export interface GateRules {
  /** Milliseconds that never go back. */
  elapsed(): number;
  after(ms: number, fn: () => void): () => void;
  /** Of a limit: places that may be under way at a time. */
  maxReserved(limit: number): number;
  /** What earlier gates may still have under way, and how long at most, ms. */
  earlierGates(limit: number): { count: number; forMs: number };
  patienceMs: number;
}

const alone: GateRules = {
  elapsed: () => 0,
  after: () => () => undefined,
  maxReserved: () => Infinity,
  earlierGates: () => ({ count: 0, forMs: 0 }),
  patienceMs: Infinity,
};

/** So long `upper` is used without another look: deletes make room that it does not know of, and a change of tier may have let some past it. */
const freshMs = 1000;

export class QuotaGate {
  private month = '';
  private sum = 0;
  private upper = Infinity;
  private readAt = -Infinity;
  private since = 0;
  /** Under way when the sum was asked for, or admitted since: as many as can be under way without being in that sum. */
  private unseen = 0;
  private underWay = 0;
  private inLine = 0;
  private line: Promise<unknown> = Promise.resolve();
  private waiting: (() => void)[] = [];

  constructor(
    private readonly read: (month: string) => Promise<number>,
    private readonly now: () => number,
    private readonly rules: GateRules = alone,
  ) {}

  /** What the month's usage is at most. */
  get most(): number {
    return this.upper;
  }
  get idle(): boolean {
    return this.underWay === 0 && this.inLine === 0;
  }

  /** Up to `n` places; those granted are under way until `release`. */
  take(limit: number, n: number): Admission | Promise<Admission> {
    const now = this.now();
    if (
      this.inLine === 0 &&
      this.upper + n <= limit &&
      this.unseen + n <= this.rules.maxReserved(limit) &&
      Math.abs(now - this.readAt) < freshMs &&
      this.month === monthAt(now)
    )
      return this.admit(n, null);
    this.inLine++;
    const arrived = this.rules.elapsed();
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

  /** Nobody is admitted meanwhile: that takes a turn in line. Answers whether what was read is exact. */
  private async look(limit: number): Promise<boolean> {
    const month = monthAt(this.now());
    const under = this.underWay;
    const earlier = this.rules.earlierGates(limit).count;
    const since = this.rules.elapsed();
    const sum = await this.read(month);
    this.month = month;
    this.sum = sum;
    this.upper = sum + under + earlier;
    this.unseen = under;
    this.since = since;
    this.readAt = this.now();
    return under === 0 && earlier === 0;
  }

  /** Until this holds, and `restMs` have passed; `otherwise` is said where that takes too long. */
  private until(holds: () => boolean, restMs: number, arrived: number, otherwise: string): Promise<void> {
    const { rules } = this;
    const patience = rules.patienceMs - (rules.elapsed() - arrived);
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

/** No refusal: whether there is room is not known yet. */
const notYet = (problem: string, restMs: number): Error =>
  unavailable(problem, { retryAfter: Math.max(1, Math.ceil(restMs / 1000)), details: { reason: 'QuotaNotExact' } });
