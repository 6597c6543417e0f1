/**
 * Follows the events of one run. They are stored with the run, numbered 1, 2, 3, ..., and published after their commit
 * on a bus that may lose, repeat and reorder them. The store is authoritative; the bus only delivers sooner what the
 * store contains.
 *
 * Invariants
 *  - No gap and no duplicate: a reader that starts after `lastSeq` gets exactly lastSeq+1, lastSeq+2, ... If the
 *    events were removed because the run ended long ago, it gets only those that are left: its end.
 *  - Only durable events: they come from the store, or from the bus, which gets them after the commit.
 *  - The stream ends by itself only when the run's last event is that of a terminal status, or the run no longer
 *    exists.
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
import type { Clock } from '../domain/shared/clock.js';
import { isTerminal, type RunEvent } from '../domain/model/model.js';
import { BoundedInbox } from './inbox.js';
import type { Bus, RunTopic } from './port.js';

/** Stored events after a given one, see `FollowRun.read`. */
export interface StoredEvents {
  events: readonly RunEvent[];
  gone: boolean;
}

export interface FollowRun {
  bus: Pick<Bus, 'subscribe'>;
  /**
   * Reads the stored events with a seq above `afterSeq`: ascending and contiguous with the first of them, up to one
   * page, none that the run's document does not know of (RunEvents.S4), and empty only if there are none. `gone` means
   * that the run no longer exists, or its events have been removed.
   */
  read(afterSeq: number): Promise<StoredEvents>;
  topic: RunTopic;
  /** The last event that the reader has; 0 to get all of them. */
  lastSeq: number;
  /** Ends the stream at once and without an error, as its `return()` does. */
  signal?: AbortSignal | undefined;
  clock: Pick<Clock, 'after'>;
  /** The store is read at least this often, in ms. */
  pollMs: number;
  /** How many events of the bus may wait for the reader before the follower falls back to the store. */
  buffer: number;
}

/** Returns a single-use iterable; the subscription begins with the first `next()` and ends with the stream. */
export const followRun = (options: FollowRun): AsyncIterableIterator<RunEvent, undefined> => new Follower(options);

/** What a read of the store after event `from` found, and how much of it has been looked at. */
interface Read extends StoredEvents {
  readonly from: number;
  at: number;
}

const done = { done: true, value: undefined } as const;

/**
 * Not a generator, of which it would take several for each open stream; and a generator cannot be left while it waits.
 */
class Follower implements AsyncIterableIterator<RunEvent, undefined> {
  private readonly o: FollowRun;
  private readonly inbox: BoundedInbox<RunEvent>;
  private known: number;
  /** Whether the event `known` is that of a terminal status. */
  private ended = false;
  private left = false;
  /** Whether the first read of the store is complete. */
  private begun = false;
  private read: Read | null = null;
  private reading = false;
  private failure: { error: unknown } | null = null;
  /** Ends the watch for silence while the bus is followed; null while the store is read. */
  private stopWatch: (() => void) | null = null;
  private silent = false;
  private unsubscribe: (() => void) | null = null;

  constructor(options: FollowRun) {
    this.o = options;
    this.inbox = new BoundedInbox(options.buffer);
    this.known = Math.max(0, options.lastSeq - 1);
    const { signal } = options;
    if (signal?.aborted) this.left = true;
    else signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<RunEvent, undefined>> {
    try {
      if (!this.left) this.subscribe();
      while (!this.left) {
        const event = this.stopWatch ? this.fromBus() : this.read ? this.fromStore(this.read) : this.readOn();
        if (event === 'wait') await this.inbox.wait();
        else if (event) return { done: false, value: event };
      }
      return done;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  return(): Promise<IteratorResult<RunEvent, undefined>> {
    this.leave();
    return Promise.resolve(done);
  }

  private readonly onAbort = (): void => this.leave();

  private subscribe(): void {
    this.unsubscribe ??= this.o.bus.subscribe('run', this.o.topic, (events) => {
      if (events.length > 0) this.inbox.push(events);
      else this.inbox.overflow();
    });
  }

  private leave(): void {
    if (this.left) return;
    this.left = true;
    this.read = null;
    this.unsubscribe?.();
    this.stopWatch?.();
    this.o.signal?.removeEventListener('abort', this.onAbort);
    this.inbox.wake();
  }

  /** The read is not awaited but wakes the reader, as leaving does, so that a read that hangs holds nobody. */
  private readOn(): 'wait' {
    if (this.failure) throw this.failure.error;
    if (!this.reading) {
      this.reading = true;
      this.inbox.reset(); // before the read, so that an overflow during it causes another read
      const from = this.known;
      const ready = (): void => {
        this.reading = false;
        this.inbox.wake();
      };
      this.o
        .read(from)
        .then(
          (found) => {
            if (!this.left) this.read = { ...found, from, at: 0 };
          },
          (error: unknown) => {
            this.failure = { error };
          },
        )
        .then(ready, ready);
    }
    return 'wait';
  }

  /**
   * The next event of what was read, up to the first hole. At the end of it null: then the store is read again, or the
   * bus is followed if that read found nothing new, or nothing can follow.
   */
  private fromStore(read: Read): RunEvent | null {
    while (read.at < read.events.length) {
      const event = read.events[read.at++];
      if (event && (this.isNext(event) || read.gone) && event.seq > this.o.lastSeq) return event;
    }
    this.read = null;
    const fresh = this.known > read.from;
    // the run has not reached the reader's lastSeq: find out where it is
    const unknown = !fresh && !this.begun && read.from > 0;
    this.begun = true;
    if (unknown) this.known = 0;
    if (read.gone || (!fresh && !unknown && this.ended)) this.leave();
    else if (!fresh && !unknown) this.followBus();
    return null;
  }

  private followBus(): void {
    this.silent = false;
    this.stopWatch = this.o.clock.after(this.o.pollMs, () => {
      this.silent = true;
      this.inbox.wake();
    });
  }

  /**
   * The next event of the bus, or that it is to be waited for. Null if the bus cannot be relied on any more: a gap, an
   * overflow, silence, or a terminal event (see "End"). Then the store is read again.
   */
  private fromBus(): RunEvent | 'wait' | null {
    while (!this.silent && !this.inbox.overflowed && !this.ended) {
      const event = this.inbox.shift();
      if (event === undefined) return 'wait';
      if (event.seq > this.known + 1) break;
      if (this.isNext(event) && event.seq > this.o.lastSeq) return event;
    }
    this.stopWatch?.();
    this.stopWatch = null;
    return null;
  }

  /**
   * Accepts the event if it directly follows `known`: earlier events are duplicates, and later ones lie beyond a hole.
   */
  private isNext(event: RunEvent): boolean {
    if (event.seq !== this.known + 1) return false;
    this.known = event.seq;
    this.ended = event.type === 'status' && isTerminal(event.status);
    return true;
  }
}
