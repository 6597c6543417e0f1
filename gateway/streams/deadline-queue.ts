/**
 * A queue of items that are each due one fixed period after they were added, on a single timer. A Map keeps insertion
 * order, which is also the order of due times because the period is the same for all. Adding, removing and finding the
 * next item are O(1), and thousands of open streams cost one timer.
 *
 * Invariants
 *  - An item is handed to `onDue` once, `periodMs` after it was last added, unless it was deleted before.
 *  - At most one timer is pending, and none if the queue is empty when it fires.
 *  - When the wall clock goes back, pending items are due at once rather than late by the difference.
 * `onDue` must not throw; it may add and delete items.
 */
import type { Clock } from '../../src/domain/clock.js';

export class DeadlineQueue<T> {
  private readonly onDue: (item: T) => void;
  private readonly due = new Map<T, number>();
  private armed = false;

  constructor(
    private readonly clock: Clock,
    private readonly periodMs: number,
    onDue: (item: T) => void,
  ) {
    if (!(periodMs > 0)) throw new RangeError('a period must be above 0 ms');
    this.onDue = onDue;
  }

  get size(): number {
    return this.due.size;
  }
  items(): T[] {
    return [...this.due.keys()];
  }

  add(item: T): void {
    this.due.delete(item);
    this.due.set(item, this.clock.now() + this.periodMs);
    if (!this.armed) this.arm(this.periodMs);
  }

  /** Returns whether the item was in the queue. */
  delete(item: T): boolean {
    return this.due.delete(item);
  }

  private arm(ms: number): void {
    this.armed = true;
    this.clock.after(ms, () => this.fire());
  }

  private fire(): void {
    const now = this.clock.now();
    // collect the due items first: an item that is added again by `onDue`, after the clock has moved on, must not be
    // mistaken for one left over from a clock that went back
    const ready: [T, number][] = [];
    for (const [item, at] of this.due) {
      if (at > now && at - now <= this.periodMs) break;
      ready.push([item, at]);
    }
    for (const [item, at] of ready) {
      if (this.due.get(item) !== at) continue;
      this.due.delete(item);
      this.onDue(item);
    }
    this.armed = false;
    const next = this.due.values().next();
    if (!next.done) this.arm(Math.max(1, next.value - this.clock.now()));
  }
}
