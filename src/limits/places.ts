/**
 * The places of one key: who is being served now (docs/api.md 8.1, "Concurrent").
 *
 *  1. An id holds at most one place; entering again renews it and never fails.
 *  2. What expired is let go when a place is wanted, the oldest first: a map keeps the order of insertion, and renewing
 *     goes to its end, so a look at the first says whether there is any.
 *  3. Where the clock goes back by more than `holdMs`, every place counts as entered now: it still ends.
 */
export class ConcurrencySlots {
  readonly #holdMs: number;
  readonly #until = new Map<string, number>();
  #latest = -Infinity;

  constructor(holdMs: number) {
    this.#holdMs = holdMs;
  }

  get empty(): boolean {
    return this.#until.size === 0;
  }

  enter(max: number, id: string, now: number): boolean {
    const until = this.#until;
    if (now < this.#latest - this.#holdMs) for (const held of until.keys()) until.set(held, now + this.#holdMs);
    this.#latest = now;
    if (!until.delete(id) && until.size >= max) {
      this.#release(now);
      if (until.size >= max) return false;
    }
    until.set(id, now + this.#holdMs);
    return true;
  }

  leave(id: string): void {
    this.#until.delete(id);
  }

  #release(now: number): void {
    for (const [id, until] of this.#until) {
      if (until > now) return;
      this.#until.delete(id);
    }
  }
}
