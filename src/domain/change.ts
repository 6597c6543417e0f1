/**
 * What a decision asks for: documents to write and delete, and effects to carry out. All of it is plain data. The shell
 * commits the writes first and carries out the effects afterwards, except for `begin` as described there. The step of a
 * run that is no longer running is stopped at once, before the commit, because its result is no longer wanted.
 */
import type { DocumentKind, Documents, Recalled, RecalledKind } from './documents.js';
import type { IdSource } from './ids.js';
import type { RunEvent, WorkspaceEvent } from './model.js';
import type { RemarkOf } from './vocabulary.js';
import type { WebhookListener } from './webhook-events.js';

export type Counts = Readonly<Record<string, number>>;

export interface DocumentPutOf<K extends DocumentKind> {
  kind: K;
  id: string;
  /** As it is stored. */
  body: Documents[K];
  isNew: boolean;
  /** It replaces a text that is to be found nowhere any more, as after a deletion. */
  rewrites?: true;
  /** Its approximate size (storage.ts), if it is known. */
  size?: number;
}
export type DocumentPut = { [K in DocumentKind]: DocumentPutOf<K> }[DocumentKind];
export interface DocumentDelete {
  kind: DocumentKind;
  id: string;
}

/** Makes a document known to recall. */
export type IndexEffect = {
  [K in RecalledKind]: { type: 'index'; kind: K; body: Recalled[K] };
}[RecalledKind];

export type Effect =
  /** Publish events to the run's followers. */
  | { type: 'publish'; runId: string; events: readonly RunEvent[] }
  | { type: 'announce'; event: WorkspaceEvent }
  | IndexEffect
  | { type: 'unindex'; kind: RecalledKind; id: string }
  /** Deliver an outbox document of this commit. */
  | { type: 'send'; id: string }
  /** Nobody waits any more for the call of a peer that this outbox document is. */
  | { type: 'withdraw'; id: string }
  /**
   * Begin the next step of a run. A step reads and reasons but changes nothing, so it may begin before the commit is
   * durable: its result is only another decision, and is lost together with the decisions that it is based on.
   */
  | { type: 'begin'; runId: string }
  /** Read more unread messages from the store, because there are more than were in memory. */
  | { type: 'refill' }
  /** Read the run that is first in line from the store, because only its id is in memory. */
  | { type: 'fetchNext' };

/** How many unread messages an agent keeps in memory and one step takes in, and how often a message wakes its agent. */
export type MailboxBounds = Readonly<Record<'unreadInMemory' | 'unreadPerStep' | 'maxWakes', number>>;

/** The environment of a decision. */
export interface Env {
  /** The current time in ms. The entity's own clock is `tick(now, last)`. */
  now: number;
  ids: IdSource;
  /**
   * `messageBudget`: how many messages one origin may cause (causal-budget.ts). `journalMs`: how long the journals of
   * ended runs are kept, in ms; for ever if it is 0 or omitted (retention.ts). `contextOfTask`: whether a task whose
   * client names no context has its agent's (the default) or its session's, in every version of A2A.
   */
  defaults: {
    maxSteps: number;
    maxRuntimeSeconds: number;
    messageBudget: number;
    /** How long a step waits for models that are away, ms. */
    modelOutageMs?: number;
    journalMs?: number;
    contextOfTask?: 'agent' | 'session';
  };
  /** The webhooks of the workspace; omitted if it has none. */
  webhooks?: readonly WebhookListener[];
  /** What a text that somebody said is, in the language that the service knows. */
  remarkOf: RemarkOf;
  /** Omitted for those of the service (agent-state.ts); a model explores smaller ones. */
  mailbox?: MailboxBounds;
}

/** Adds to the counts. A count that reaches 0 is removed, so that counts stay small. */
export function addCounts(counts: Counts, changes: Readonly<Record<string, number>>): Counts {
  const out: Record<string, number> = { ...counts };
  for (const name in changes) bump(out, name, changes[name] ?? 0);
  return out;
}

/** Adds to one of the counts in place, under the same rule. */
export function bump(counts: Record<string, number>, name: string, by: number): void {
  const value = (counts[name] ?? 0) + by;
  if (value === 0) delete counts[name];
  else counts[name] = value;
}
