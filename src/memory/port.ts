/**
 * The recall port: finding memories of one context (an agent, a hive, the workspace) by what they say.
 *
 *  Recall.R1 No leak: a search sees the documents of the contexts that it names and no others.
 *  Recall.R2 Read your writes: what was put or removed before a search began is seen by it, also while the index is
 *     being built.
 *  Recall.R3 The index is never the truth: it is built from the store when first needed, may be dropped at any time to
 *     stay within its memory bound, and knows ids and scores only; contents are fetched from the store.
 *  Recall.R4 `put` and `remove` never wait: they cost a bounded amount of work on the calling tick.
 *  Recall.R5 Expired documents are not found.
 */
import type { EntityRef } from '../store/port.js';
import type { Shares } from './features.js';

/** What recall needs to know of a memory or a mailbox message. */
export interface RecallDocument {
  kind: 'memory' | 'message';
  id: string;
  type: string;
  content: string;
  sessionId: string | null;
  position: number | null;
  /** ms, or null. */
  expiresAt: number | null;
  /** When it was said, ms; null is when its id was made. */
  occurredAt: number | null;
  /** Who said it; where it is null, a leading `Name: ` of the content tells. */
  speaker: string | null;
  /** 0 to 1, or null. */
  importance: number | null;
}

export interface RecallHit {
  context: EntityRef;
  kind: 'memory' | 'message';
  id: string;
  /** From 0 to 1: how much of the query it and its surroundings say (relevance.ts). */
  relevance: number;
  /** What hits are ordered by (features.ts); it compares between the hits of one query, whatever their contexts. */
  score: number;
  /** What each feature added to the score, where the query asked for it. */
  shares?: Shares;
}

export interface RecallQuery {
  query: string;
  contexts: readonly EntityRef[];
  limit: number;
  /** 0 to 1; hits below are left out. */
  minRelevance: number;
  types?: readonly string[];
  /** Only what this one said; compared without regard to case. */
  speaker?: string;
  /** Only what was said at this time (ms) or later. */
  from?: number;
  /** Only what was said before this time (ms). */
  until?: number;
  /** Tells the shares of each hit's score. */
  explain?: boolean;
  now: number;
}

export interface Recall {
  /** Best score first; equal scores: newest id first. Answers at once (no promise) when all indexes are in memory. */
  search(query: RecallQuery): RecallHit[] | Promise<RecallHit[]>;
  put(context: EntityRef, document: RecallDocument): void;
  remove(context: EntityRef, kind: 'memory' | 'message', id: string): void;
  /** Forgets the whole context (its entity was deleted). */
  drop(context: EntityRef): void;
  /** Forgets the contexts that are not kept up to date here any more; a search builds them anew. */
  dropWhere(which: (context: EntityRef) => boolean): void;
}

/** Reads every document of a context in creation order, page by page. */
export type RecallSource = (context: EntityRef) => AsyncIterable<RecallDocument[]>;
