/**
 * The event bus: tells live events to whoever listens now. It may lose events (a listener that is not there, a
 * connection that drops), never invents one: events are published after their commit. Who must not miss any reads the
 * store and uses the bus only to know when (run-events.ts).
 */
import type { RunEvent, WorkspaceEvent } from '../domain/model.js';

export interface RunTopic {
  workspace: string;
  agent: string;
  run: string;
}

export interface Bus {
  /** True where a subscription takes a moment to be made: listeners then miss nothing only from their first `[]` on. Absent: from the call on. */
  readonly confirms?: true;
  publishRun(topic: RunTopic, events: readonly RunEvent[]): void;
  publishWorkspace(workspace: string, events: readonly WorkspaceEvent[]): void;
  /**
   * The returned function ends the subscription. Listeners are called in order and must not block. No events ([]) means
   * that some may have been lost (a connection was cut, or has just been made): look into the store.
   */
  subscribeRun(topic: RunTopic, listener: (events: readonly RunEvent[]) => void): () => void;
  subscribeWorkspace(workspace: string, listener: (events: readonly WorkspaceEvent[]) => void): () => void;
}
