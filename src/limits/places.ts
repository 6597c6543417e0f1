/**
 * The concurrency slots of one key (docs/api.md 8.1, "Concurrent").
 *
 *  1. An id holds at most one slot; entering again renews it and never fails.
 *  2. Expired slots are released when a slot is requested, the oldest first: a Map keeps insertion order, and renewing
 *     moves an entry to the end, so only the first entry needs checking.
 *  3. If the clock goes back by more than `holdMs`, every slot counts as entered now, so that it still expires.
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
