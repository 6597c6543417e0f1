/**
 * A list whose items carry the links, so that one is added and removed without an object of the list's own.
 *
 * It is for what comes and goes with each request. A Map or Set gets a new table after as many deletions as it has room
 * for, and V8 links each table to the next one: once a table has grown old, the collections of the young generation
 * keep all that follow it, with everything that was ever in them when they were replaced, until the next full
 * collection (docs/benchmarks.md).
 *
 * Invariants
 *  - An item is in at most one list; adding it to another moves it.
 *  - An item that was removed links to nothing, so a dead one keeps no other alive.
 */
export class Linked<T extends Linked<T>> {
  list: LinkedList<T> | undefined = undefined;
  previous: T | undefined = undefined;
  next: T | undefined = undefined;
}

export class LinkedList<T extends Linked<T>> {
  size = 0;
  first: T | undefined = undefined;
  private last: T | undefined = undefined;

  push(item: T): void {
    item.list?.remove(item);
    item.list = this;
    item.previous = this.last;
    if (this.last) this.last.next = item;
    else this.first = item;
    this.last = item;
    this.size++;
  }

  unshift(item: T): void {
    item.list?.remove(item);
    item.list = this;
    item.next = this.first;
    if (this.first) this.first.previous = item;
    else this.last = item;
    this.first = item;
    this.size++;
  }

  shift(): T | undefined {
    const item = this.first;
    if (item) this.remove(item);
    return item;
  }

  /** Returns whether the item was in this list. */
  remove(item: T): boolean {
    if (item.list !== this) return false;
    if (item.previous) item.previous.next = item.next;
    else this.first = item.next;
    if (item.next) item.next.previous = item.previous;
    else this.last = item.previous;
    item.previous = item.next = item.list = undefined;
    this.size--;
    return true;
  }
}
