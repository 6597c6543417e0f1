/**
 * How many memories of one workspace and mode may still come to count this month (spec 8.4). It knows what is under way
 * and asks the store for the rest; what has to be decided exactly is decided when nothing is under way.
 *
 *  Q1 Never one too many: the sum and what is under way together never exceed the limit. `upper` is a bound on them from
 *     above: what was under way when the sum was read counts on top of it, since it may be in it or not, and so does
 *     everything admitted since.
 *  Q2 Never a false refusal: where `upper` leaves no room, the sum is read again, and where that does not help either,
 *     once more when nothing is under way; only that exact sum refuses. Whoever comes meanwhile waits in line.
 *  Q3 The month is that of the clock when the sum was read. What is taken at its end and decided after it counts in the
 *     next one, where it was under way when that began: Q1 holds on both sides.
 *
 * What is stored is the truth, so a restart needs nothing. A store that fails rejects the call; whoever is next asks anew.
 */
import { type Full, monthAt } from '../src/domain/usage.js';

/** `full` is there where fewer were granted than asked for. */
export interface Admission { granted: number; full: Full | null }

/** So long `upper` is used without another look: deletes make room that it does not know of, and a change of tier may have let some past it. */
const freshMs = 1000;

export class QuotaGate {
  private month = '';
  private sum = 0;
  private upper = Infinity;
  private readAt = -Infinity;
  private underWay = 0;
  private inLine = 0;
  private line: Promise<unknown> = Promise.resolve();
  private whenQuiet: (() => void)[] = [];

  constructor(private readonly read: (month: string) => Promise<number>, private readonly now: () => number) {}

  /** What the month's usage is at most. */
  get most(): number { return this.upper; }
  get idle(): boolean { return this.underWay === 0 && this.inLine === 0; }

  /** Up to `n` places; those granted are under way until `release`. */
  take(limit: number, n: number): Admission | Promise<Admission> {
    const now = this.now();
    if (this.inLine === 0 && this.upper + n <= limit && Math.abs(now - this.readAt) < freshMs && this.month === monthAt(now)) return this.admit(n, null);
    this.inLine++;
    const turn = this.line.then(() => this.decide(limit, n)).finally(() => { this.inLine--; });
    this.line = turn.catch(() => undefined);
    return turn;
  }

  release(n: number): void {
    this.underWay -= n;
    if (this.underWay === 0) for (const tell of this.whenQuiet.splice(0)) tell();
  }

  private admit(n: number, full: Full | null): Admission {
    this.underWay += n;
    this.upper += n;
    return { granted: n, full };
  }

  private async decide(limit: number, n: number): Promise<Admission> {
    const exact = await this.look();
    if (this.upper + n > limit && !exact) {
      await this.quiet();
      await this.look();
    }
    const granted = Math.max(0, Math.min(n, limit - this.upper));
    return this.admit(granted, granted < n ? { month: this.month, limit, used: this.sum } : null);
  }

  /** Nobody is admitted meanwhile: that takes a turn in line. Answers whether what was read is exact. */
  private async look(): Promise<boolean> {
    const month = monthAt(this.now()), under = this.underWay, sum = await this.read(month);
    this.month = month;
    this.sum = sum;
    this.upper = sum + under;
    this.readAt = this.now();
    return under === 0;
  }

  private quiet(): Promise<void> { return this.underWay === 0 ? Promise.resolve() : new Promise((resolve) => { this.whenQuiet.push(resolve); }); }
}
