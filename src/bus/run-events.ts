/**
 * Follows the events of one run. They are stored with the run, numbered 1, 2, 3, ..., and published after their commit
 * on a bus that may lose, repeat and reorder them. The store is authoritative; the bus only delivers sooner what the
 * store contains.
 *
 * Invariants
 *  RunEvents.S1 No gap and no duplicate: a reader that starts after `lastSeq` gets exactly lastSeq+1, lastSeq+2, ...
 *     If the events were removed because the run ended long ago, it gets only those that are left: its end.
 *  RunEvents.S2 Only durable events: they come from the store, or from the bus, which gets them after the commit.
 *  RunEvents.S3 The stream ends by itself only when the run's last event is that of a terminal status, or the run no
 *     longer exists.
 *  RunEvents.S4 Whoever has an event finds it in the run: the run's document, read after it, is at least as new. So the
 *     store is read only as far as the document says, and the bus gets events after all documents of their commit are
 *     visible.
 *
 * Algorithm. `known` is the newest event up to which the follower has seen every one; from either source, only known+1
 * is accepted. The follower subscribes first and then reads the store, so that nothing falls between the two. It reads
 * the store again on a gap, after an overflow of its inbox, when the bus says that events may be missing, and when
 * `pollMs` have passed since the last read. Each read stops at the first hole, because in a store that applies a commit
 * document by document a later event may become visible before an earlier one.
 *
 * End. A run that ended by timeout or max_steps may be resumed, so a terminal event ends the stream only if the store
 * has no event after it, which is checked on every terminal event. The same holds at the start: reading begins one
 * event before the first one wanted, which tells whether the run had ended there. A `lastSeq` beyond the run's current
 * end is respected: events up to it are not returned, but its terminal event ends the stream all the same.
 *
 * On failure: an error of `read` ends the stream with that error, and the reader can resume from the last event that it
 * has. Losing the bus only delays events (by at most `pollMs`).
 */
import type { Clock } from '../domain/clock.js';
import { isTerminal, type RunEvent } from '../domain/model.js';
import { BoundedInbox } from './inbox.js';
import { interruptible } from './interruptible.js';
import type { Bus, RunTopic } from './port.js';

/** Stored events after a given one, see `FollowRun.read`. */
export interface StoredEvents {
  events: readonly RunEvent[];
  gone: boolean;
}

export interface FollowRun {
  bus: Pick<Bus, 'subscribeRun'>;
  /**
   * Reads the stored events with a seq above `afterSeq`: ascending and contiguous with the first of them, up to one
   * page, none that the run's document does not know of (RunEvents.S4), and empty only if there are none. `gone` means
   * that the run no longer exists, or its events have been removed.
   */
  read(afterSeq: number): Promise<StoredEvents>;
  topic: RunTopic;
  /** The last event that the reader has; 0 to get all of them. */
  lastSeq: number;
  /** Ends the stream at once and without an error. */
  signal: AbortSignal;
  clock: Pick<Clock, 'after'>;
  /** The store is read at least this often, in ms. */
  pollMs: number;
  /** How many events of the bus may wait for the reader before the follower falls back to the store. */
  buffer: number;
}

/** Returns a single-use iterable; the subscription begins with the first `next()` and ends with the stream. */
export function followRun(options: FollowRun): AsyncIterable<RunEvent> {
  const follower = new Follower(options);
  return interruptible(follower.events(), options.signal, () => follower.leave());
}

class Follower {
  readonly #o: FollowRun;
  readonly #inbox: BoundedInbox<RunEvent>;
  #known: number;
  /** Whether the event `known` is that of a terminal status. */
  #ended = false;
  #left = false;
  /** Whether the first read of the store is complete. */
  #begun = false;
  #unsubscribe: (() => void) | null = null;

  constructor(options: FollowRun) {
    this.#o = options;
    this.#inbox = new BoundedInbox(options.buffer);
    this.#known = Math.max(0, options.lastSeq - 1);
  }

  leave(): void {
    this.#left = true;
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#inbox.wake();
  }

  async *events(): AsyncGenerator<RunEvent, void, undefined> {
    if (this.#left) return;
    this.#unsubscribe = this.#o.bus.subscribeRun(this.#o.topic, (events) => {
      if (events.length > 0) this.#inbox.push(events);
      else this.#inbox.overflow();
    });
    try {
      for (;;) {
        const more = yield* this.#fromStore();
        if (!more || this.#left) return;
        yield* this.#fromBus();
        if (this.#left) return;
      }
    } finally {
      this.leave();
    }
  }

  /** Yields everything in the store up to the first hole. Returns false when nothing can follow. */
  async *#fromStore(): AsyncGenerator<RunEvent, boolean, undefined> {
    for (;;) {
      this.#inbox.reset(); // before the read, so that an overflow during it causes another read
      const from = this.#known;
      const { events, gone } = await this.#o.read(from);
      for (const event of events) {
        if (this.#left) return false;
        if ((this.#isNext(event) || gone) && event.seq > this.#o.lastSeq) yield event;
      }
      if (gone) return false;
      const fresh = this.#known > from;
      // the run has not reached the reader's lastSeq: find out where it is
      const unknown = !fresh && !this.#begun && from > 0;
      this.#begun = true;
      if (unknown) this.#known = 0;
      if (fresh || unknown) continue; // repeat until a read finds nothing new
      return !this.#ended;
    }
  }

  /**
   * Yields events from the bus until it cannot be relied on: a gap, an overflow, silence, or a terminal event (see
   * "End").
   */
  async *#fromBus(): AsyncGenerator<RunEvent, void, undefined> {
    let silent = false;
    const cancel = this.#o.clock.after(this.#o.pollMs, () => {
      silent = true;
      this.#inbox.wake();
    });
    try {
      while (!this.#left && !silent && !this.#inbox.overflowed) {
        const event = this.#inbox.shift();
        if (event === undefined) {
          await this.#inbox.wait();
          continue;
        }
        if (event.seq > this.#known + 1) return;
        if (!this.#isNext(event)) continue;
        if (event.seq > this.#o.lastSeq) yield event;
        if (this.#ended) return;
      }
    } finally {
      cancel();
    }
  }

  /**
   * Accepts the event if it directly follows `known`: earlier events are duplicates, and later ones lie beyond a hole.
   */
  #isNext(event: RunEvent): boolean {
    if (event.seq !== this.#known + 1) return false;
    this.#known = event.seq;
    this.#ended = event.type === 'status' && isTerminal(event.status);
    return true;
  }
}
