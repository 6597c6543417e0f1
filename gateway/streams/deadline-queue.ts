/**
 * A queue of items that are each due one fixed period after they were added, on a single timer. They are in the order
 * in which they were added, which is also the order of due times because the period is the same for all. Adding,
 * removing and finding the next item are O(1), and thousands of open streams cost one timer.
 *
 * Invariants
 *  - An item is handed to `onDue` once, `periodMs` after it was last added, unless it was deleted before.
 *  - At most one timer is pending, and none if the queue is empty when it fires.
 *  - When the wall clock goes back, pending items are due at once rather than late by the difference.
 * `onDue` must not throw; it may add and delete items.
 */
import { Linked, LinkedList } from '../../src/base/linked-list.js';
import type { Clock } from '../../src/domain/clock.js';

/** An item of one queue at a time. */
export class Deadline<T extends Deadline<T>> extends Linked<T> {
  /** Set by its queue. */
  dueAt = 0;
}

export class DeadlineQueue<T extends Deadline<T>> {
  private readonly onDue: (item: T) => void;
  private readonly waiting = new LinkedList<T>();
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
    return this.waiting.size;
  }
  items(): T[] {
    const items: T[] = [];
    for (let item = this.waiting.first; item; item = item.next) items.push(item);
    return items;
  }

  add(item: T): void {
    item.dueAt = this.clock.now() + this.periodMs;
    this.waiting.push(item);
    if (!this.armed) this.arm(this.periodMs);
  }

  /** Returns whether the item was in the queue. */
  delete(item: T): boolean {
    return this.waiting.remove(item);
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
    for (let item = this.waiting.first; item; item = item.next) {
      if (item.dueAt > now && item.dueAt - now <= this.periodMs) break;
      ready.push([item, item.dueAt]);
    }
    for (const [item, at] of ready) if (item.dueAt === at && this.delete(item)) this.onDue(item);
    this.armed = false;
    const { first } = this.waiting;
    if (first) this.arm(Math.max(1, first.dueAt - this.clock.now()));
  }
}
