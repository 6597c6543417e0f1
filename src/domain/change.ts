/**
 * What a decision asks for: documents to write and delete, and effects to carry out. Pure data; the shell commits the
 * writes first and carries out the effects after, but for `begin` and `abort` as said there.
 */
import type { RunEvent, WorkspaceEvent } from './model.js';

export type DocumentKind =
  'memory' | 'message' | 'run' | 'journal' | 'outbox' | 'deadLetter' | 'token' | 'key' | 'audit';
export type Counts = Readonly<Record<string, number>>;

export interface DocumentPut {
  kind: DocumentKind;
  id: string;
  body: Record<string, unknown>;
  isNew: boolean;
}
export interface DocumentDelete {
  kind: DocumentKind;
  id: string;
}

export type Effect =
  /** Tell the run's followers. */
  | { type: 'publish'; runId: string; events: readonly RunEvent[] }
  | { type: 'announce'; event: WorkspaceEvent }
  | { type: 'index'; kind: 'memory' | 'message'; body: Record<string, unknown> }
  | { type: 'unindex'; kind: 'memory' | 'message'; id: string }
  /** Deliver an outbox document of this commit. */
  | { type: 'send'; id: string }
  /**
   * Begin the next step of a run. A step reads and thinks but changes nothing, so it may begin before the commit is
   * durable: its result is only another decision, and is lost together with the decisions that it stands on.
   */
  | { type: 'begin'; runId: string }
  /** Stop the step in progress; it has no result any more. At once, before the commit. */
  | { type: 'abort'; runId: string }
  /** Read more unread messages from the store: there are more than were in memory. */
  | { type: 'refill' };

/** Environment of a decision. */
export interface Env {
  /** ms; the entity's own clock is `tick(now, last)`. */
  now: number;
  ids: (
    kind: 'memory' | 'message' | 'run' | 'thought' | 'checkpoint' | 'token' | 'key' | 'session' | 'outbox' | 'audit',
    at: number,
  ) => string;
  /** `messageBudget`: how many messages one origin may cause (causal-budget.ts). */
  defaults: { maxSteps: number; maxRuntimeSeconds: number; messageBudget: number };
}

/** Adds to the counts; a number that reaches 0 is left out, so that counts stay small. */
export function addCounts(counts: Counts, changes: Readonly<Record<string, number>>): Counts {
  const out: Record<string, number> = { ...counts };
  for (const name in changes) bump(out, name, changes[name] ?? 0);
  return out;
}

/** The same for one number of counts that are being made. */
export function bump(counts: Record<string, number>, name: string, by: number): void {
  const value = (counts[name] ?? 0) + by;
  if (value === 0) delete counts[name];
  else counts[name] = value;
}
