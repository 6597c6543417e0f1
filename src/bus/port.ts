/**
 * The event bus port: delivers live events to current listeners. It may lose events (no listener yet, a dropped
 * connection), but never delivers one that was not committed: events are published after their commit. A consumer that
 * must not miss any reads the store, and uses the bus only to know when (run-events.ts).
 */
import type { RunEvent, WorkspaceEvent } from '../domain/model.js';

export interface RunTopic {
  workspace: string;
  agent: string;
  run: string;
}

export interface Bus {
  /**
   * True if subscribing takes time: a listener then misses nothing only after its first `[]`. If absent, subscriptions
   * take effect synchronously.
   */
  readonly confirms?: true;
  publishRun(topic: RunTopic, events: readonly RunEvent[]): void;
  publishWorkspace(workspace: string, events: readonly WorkspaceEvent[]): void;
  /**
   * Returns a function that ends the subscription. Listeners are called in order and must not block. An empty list
   * means that events may have been lost (a connection was dropped, or has just been made), and that the listener
   * should read the store.
   */
  subscribeRun(topic: RunTopic, listener: (events: readonly RunEvent[]) => void): () => void;
  subscribeWorkspace(workspace: string, listener: (events: readonly WorkspaceEvent[]) => void): () => void;
}
