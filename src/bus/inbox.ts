/**
 * A bounded buffer of events that the bus has delivered and its single reader has not taken yet.
 *
 * Invariants
 *  - It never holds more than `bound` events. When one more arrives, or `overflow` is called, all are
 *     dropped and `overflowed` is set; until `reset` nothing is kept, because the reader has to use another source
 *     anyway.
 *  - A wake-up that comes while nobody waits is not lost: the next wait returns at once.
 */
export class BoundedInbox<E> {
  private events: E[] = [];
  private over = false;
  private woken = false;
  private resume: (() => void) | null = null;

  constructor(private readonly bound: number) {}

  get overflowed(): boolean {
    return this.over;
  }

  push(events: readonly E[]): void {
    if (this.over) return;
    if (this.events.length + events.length > this.bound) {
      this.overflow();
    } else {
      for (const event of events) this.events.push(event);
      this.wake();
    }
  }

  /** Behaves as if the bound had been exceeded. */
  overflow(): void {
    this.events = [];
    this.over = true;
    this.wake();
  }

  shift(): E | undefined {
    return this.events.shift();
  }

  /** Resumes keeping events after an overflow. */
  reset(): void {
    this.over = false;
  }

  wake(): void {
    const resume = this.resume;
    this.resume = null;
    if (resume) resume();
    else this.woken = true;
  }

  /** Resolves once something was pushed, or `wake` was called, since the last wait ended. */
  wait(): Promise<void> {
    if (!this.woken)
      return new Promise<void>((resolve) => {
        this.resume = resolve;
      });
    this.woken = false;
    return Promise.resolve();
  }
}
