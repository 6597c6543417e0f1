/**
 * Follows the events of one run: they are stored with the run, numbered 1, 2, 3...,
 * and published after their commit on a bus that may lose, repeat and reorder them. The store is the truth; the bus
 * only says sooner what the store says anyway.
 *
 * Invariants
 *  RunEvents.S1 No gap, no duplicate: a reader that starts after `lastSeq` is given exactly lastSeq+1, lastSeq+2, ...
 *  RunEvents.S2 Nothing that is not durable: events come from the store, or from the bus, which is told after the
 *     commit.
 *  RunEvents.S3 The stream ends by itself only when the last event of the run is that of a terminal status, or the run
 *     is gone.
 *
 * How. `known` is the newest event up to which the follower has seen every one; whatever the source, only known+1 is
 * taken. It subscribes first and reads the store then, so nothing falls between the two. It reads the store again on a
 * gap, when its queue has overflowed, when the bus says that events may be missing, and whenever `pollMs` have passed
 * since it last did, always up to the first hole:
 * in a store that applies a commit document by document, a later event may be visible before an earlier one.
 *
 * The end. A run that ended by timeout or max_steps may be resumed, so a terminal event ends the stream only if the
 * store has none after it: on every terminal event the store is asked once more. That holds for where a reader starts,
 * too: reading begins one event before the first that is wanted, which tells whether the run had ended there. A
 * `lastSeq` that the run has not reached yet is respected: what is at or before it is not given out, its terminal event
 * ends the stream all the same.
 *
 * When it fails: an error of `read` ends the stream with that error; the reader goes on from the last event that it
 * has. Losing the bus costs time only (at most `pollMs`).
 */
import type { Clock } from '../domain/clock.js';
import { isTerminal, type RunEvent } from '../domain/model.js';
import { BoundedInbox } from './inbox.js';
import { interruptible } from './interruptible.js';
import type { Bus, RunTopic } from './port.js';

/** What the store has after an event, see `FollowRun.read`. */
export interface StoredEvents {
  events: readonly RunEvent[];
  gone: boolean;
}

export interface FollowRun {
  bus: Pick<Bus, 'subscribeRun'>;
  /**
   * The stored events with a seq above `afterSeq`: ascending from the first of them, as many as one page holds, and
   * none only when there are none. `gone` when the run is not there any more, or its events have been removed.
   */
  read(afterSeq: number): Promise<StoredEvents>;
  topic: RunTopic;
  /** The last event that the reader has; 0 for all of them. */
  lastSeq: number;
  /** Ends the stream, at once and without an error. */
  signal: AbortSignal;
  clock: Pick<Clock, 'after'>;
  /** After so many ms without a look at the store, there is one. */
  pollMs: number;
  /** How many events of the bus may wait for the reader before the follower goes back to the store. */
  buffer: number;
}

/** A single-use iterable; the subscription begins with the first `next()` and ends with the stream. */
export function followRun(options: FollowRun): AsyncIterable<RunEvent> {
  const follower = new Follower(options);
  return interruptible(follower.events(), options.signal, () => follower.leave());
}

class Follower {
  readonly #o: FollowRun;
  readonly #inbox: BoundedInbox<RunEvent>;
  #known: number;
  /** The event `known` is that of a terminal status. */
  #ended = false;
  #left = false;
  /** The first look at the store is over. */
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

  /** Everything that the store has, up to the first hole. False when nothing can follow. */
  async *#fromStore(): AsyncGenerator<RunEvent, boolean, undefined> {
    for (;;) {
      this.#inbox.reset(); // before the read: what overflows while it is on its way asks for another
      const from = this.#known;
      const { events, gone } = await this.#o.read(from);
      for (const event of events) {
        if (this.#left) return false;
        if (this.#isNext(event) && event.seq > this.#o.lastSeq) yield event;
      }
      if (gone) return false;
      const fresh = this.#known > from;
      const unknown = !fresh && !this.#begun && from > 0; // the reader's lastSeq is not there: look where the run really is
      this.#begun = true;
      if (unknown) this.#known = 0;
      if (fresh || unknown) continue; // until a read finds nothing new
      return !this.#ended;
    }
  }

  /** What the bus tells, until it cannot be relied on: a gap, an overflow, silence, or a terminal event (see "The end"). */
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

  /** Takes the event if it is the one after `known`: what was seen is dropped, what is past a hole has to wait. */
  #isNext(event: RunEvent): boolean {
    if (event.seq !== this.#known + 1) return false;
    this.#known = event.seq;
    this.#ended = event.type === 'status' && isTerminal(event.status);
    return true;
  }
}
