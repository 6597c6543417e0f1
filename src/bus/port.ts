/**
 * The event bus port: delivers live events to current listeners. It may lose events (no listener yet, a dropped
 * connection), but never delivers one that was not committed: events are published after their commit. A consumer that
 * must not miss any reads the store, and uses the bus only to know when (run-events.ts).
 */
import type { RunEvent, WorkspaceEvent } from '../domain/model/model.js';

export interface RunTopic {
  workspace: string;
  agent: string;
  run: string;
}

/** A piece of the text that the model of a run is writing. */
export interface TextPiece {
  step: number;
  /**
   * The attempt at the step, and how often its model has begun anew: of two texts, the one with the higher is newer.
   */
  attempt: number;
  round: number;
  /** Where in the text the piece begins. One at 0 makes void what there was of an older text. */
  from: number;
  text: string;
}

/** The human who was asked what a run waits for has given no answer: the run goes on waiting. It is not stored. */
export interface Dismissal {
  /** The id of the question. */
  question: string;
  /** Whether they declined, only closed the question, or gave an answer that does not fit it. */
  action: 'decline' | 'cancel' | 'unfit';
}

/** What the bus carries: events and dismissals of runs, the text that models write, and what happens in a workspace. */
export interface BusEvents {
  run: RunEvent;
  text: TextPiece;
  dismissal: Dismissal;
  workspace: WorkspaceEvent;
}
export type Channel = keyof BusEvents;
/** A run, or a workspace as a whole. */
export type Topic<C extends Channel = Channel> = C extends 'workspace' ? Pick<RunTopic, 'workspace'> : RunTopic;
export type Listener<C extends Channel> = (events: readonly BusEvents[C][]) => void;

export interface Bus {
  /**
   * True if subscribing takes time: a listener then misses nothing only after its first `[]`. If absent, subscriptions
   * take effect synchronously.
   */
  readonly confirms?: true;
  publish<C extends Channel>(channel: C, topic: Topic<C>, events: readonly BusEvents[C][]): void;
  /**
   * Tells a piece of text at once. It may be lost, and is missed by nobody: the text is stored when it is whole.
   * Returns, or resolves to, whether anybody may have been listening; never rejects.
   */
  publishText(topic: RunTopic, piece: TextPiece): boolean | Promise<boolean>;
  /**
   * Returns a function that ends the subscription. Listeners are called in order and must not block. An empty list
   * means that events may have been lost (a connection was dropped, or has just been made), and that the listener
   * should read the store, if they are stored.
   */
  subscribe<C extends Channel>(channel: C, topic: Topic<C>, listener: Listener<C>): () => void;
}
