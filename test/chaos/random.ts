/** Chance that can be had again: the same seed, the same numbers (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  between(from: number, to: number): number {
    return Math.floor(from + this.next() * (to - from));
  }

  pick<T>(of: readonly T[]): T {
    return of[this.between(0, of.length)] as T;
  }
}
