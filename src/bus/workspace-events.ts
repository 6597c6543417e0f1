/**
 * Follows the live events of a workspace from now on. They are not stored, so a reader that misses some cannot catch up:
 * one that falls behind is told so, rather than given a stream with silent holes.
 *
 * Invariants
 *  W1 From the call of `followWorkspace` on, every published event is given out, in order, once, until the stream ends.
 *  W2 At most `buffer` events wait; when one more comes, the stream ends with UNAVAILABLE.
 *  W3 `signal` or `return()` ends it at once, and its subscription with it.
 */
import { unavailable } from '../domain/errors.js';
import type { WorkspaceEvent } from '../domain/model.js';
import { Inbox } from './inbox.js';
import { interruptible } from './interruptible.js';
import type { Bus } from './port.js';

export interface FollowWorkspace {
  bus: Pick<Bus, 'subscribeWorkspace'>;
  workspace: string;
  /** Must be aborted where the stream is never read to its end: the subscription exists from the call on. */
  signal: AbortSignal;
  buffer: number;
}

export function followWorkspace({ bus, workspace, signal, buffer }: FollowWorkspace): AsyncIterable<WorkspaceEvent> {
  const inbox = new Inbox<WorkspaceEvent>(buffer);
  let left = signal.aborted;
  const unsubscribe = left ? () => undefined : bus.subscribeWorkspace(workspace, (events) => inbox.push(events));

  async function* events(): AsyncGenerator<WorkspaceEvent, void, undefined> {
    for (;;) {
      if (left) return;
      if (inbox.overflowed) throw unavailable(`the reader fell more than ${buffer} events behind`);
      const event = inbox.shift();
      if (event) yield event;
      else await inbox.wait();
    }
  }
  return interruptible(events(), signal, () => {
    left = true;
    unsubscribe();
    inbox.wake();
  });
}
