/**
 * Follows the live events of a workspace from now on. They are not stored, so a reader that misses some cannot catch
 * up: if it falls behind, or the bus may have lost events, its stream ends with an error instead of continuing with
 * silent gaps.
 *
 * Invariants
 *  - From `begun` on, every event that reaches the bus is yielded once, in order, until the stream ends. On the bus of
 *    one process `begun` is the time of the call; on one that confirms (port.ts), the time at which the subscription
 *    is made.
 *  - At most `buffer` events wait; when one more arrives, the stream ends with UNAVAILABLE.
 *  - `signal` or `return()` ends the stream and its subscription at once.
 *  - When the bus says that events may have been lost, the stream ends with UNAVAILABLE, after yielding the events
 *    before the loss.
 *  - A stream that has not begun after `patienceMs` ends with UNAVAILABLE.
 * Events that a process has committed but not published when it is killed reach nobody (redis/events.ts, RedisBus.B7).
 */
import { systemClock } from '../base/system.js';
import type { Clock } from '../domain/shared/clock.js';
import { unavailable } from '../domain/shared/errors.js';
import type { WorkspaceEvent } from '../domain/model/model.js';
import { BoundedInbox } from './inbox.js';
import type { Bus } from './port.js';

export interface FollowWorkspace {
  bus: Pick<Bus, 'subscribe' | 'confirms'>;
  workspace: string;
  /** Must be aborted if the stream is never read to its end, because the subscription exists from the call on. */
  signal: AbortSignal;
  buffer: number;
  /** Default: the process's own timers. */
  clock?: Pick<Clock, 'after'>;
}

export interface LiveEvents extends AsyncIterable<WorkspaceEvent> {
  /** Resolves when no further event can be missed. If that fails, it never resolves and the stream ends. */
  readonly begun: Promise<void>;
}

const patienceMs = 5000;
const done = { done: true, value: undefined } as const;

export function followWorkspace({ bus, workspace, signal, buffer, clock = systemClock }: FollowWorkspace): LiveEvents {
  const inbox = new BoundedInbox<WorkspaceEvent>(buffer);
  let left = signal.aborted;
  /** Why the stream ends after the events that wait. */
  let problem: string | null = null;
  let begun = bus.confirms !== true;
  let begin = (): void => undefined;
  const beginning = new Promise<void>((resolve) => {
    begin = resolve;
  });
  if (begun) begin();

  const end = (why: string): void => {
    problem = why;
    inbox.wake();
  };
  const told = (events: readonly WorkspaceEvent[]): void => {
    if (problem !== null) return; // later events would come after a gap
    if (events.length > 0) inbox.push(events);
    else if (begun) end('events may have been lost: the connection to the event bus was interrupted');
    else {
      begun = true;
      forget();
      begin();
      inbox.wake();
    }
  };
  const forget =
    left || begun
      ? () => undefined
      : clock.after(patienceMs, () => {
          end('events cannot be followed now: the event bus does not answer');
        });
  const unsubscribe = left ? () => undefined : bus.subscribe('workspace', { workspace }, told);
  const leave = (): void => {
    left = true;
    signal.removeEventListener('abort', leave);
    forget();
    unsubscribe();
    inbox.wake();
  };
  if (!left) signal.addEventListener('abort', leave, { once: true });

  const iterator: AsyncIterator<WorkspaceEvent, undefined> = {
    async next() {
      while (!left) {
        const event = begun ? inbox.shift() : undefined;
        if (event) return { done: false, value: event };
        const why = inbox.overflowed ? `the reader fell more than ${buffer} events behind` : problem;
        if (why !== null) {
          leave();
          throw unavailable(why);
        }
        await inbox.wait();
      }
      return done;
    },
    return() {
      leave();
      return Promise.resolve(done);
    },
  };
  return { begun: beginning, [Symbol.asyncIterator]: () => iterator };
}
