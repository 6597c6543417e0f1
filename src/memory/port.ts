/**
 * The recall port: finds the memories of a memory space (an agent, a hive or the workspace) that match a text.
 *
 *  Recall.R1 No leak: a search sees the documents of the spaces that it names and no others. What a subject has
 *     (shared/caller.ts) is a space of its own: neither what others have nor how often they say a word has any
 *     effect on what is found in it.
 *  Recall.R2 Read your writes: a search whose hits are not `partial` sees everything that was put or removed before it
 *     began, even while the index is being built.
 *  Recall.R3 The index is never the source of truth. It is built from the store when first needed, and may be dropped
 *     at any time to stay within its memory bound. It holds ids and scores only; contents are fetched from the store.
 *  Recall.R4 `put` and `remove` never wait: they do a bounded amount of work in the current tick.
 *  Recall.R5 Expired documents are not found.
 *  Recall.R6 What is no longer so is found only by a search for history: one that asks for superseded documents too, or
 *     for what was so at an earlier time.
 */
import type { TextTable } from '../domain/memory/identities.js';
import { entityKey, type EntityRef } from '../store/port.js';
import type { Shares } from './scoring.js';

/**
 * A memory space is what an entity has: all of it, or with `subject` what it has of this subject, or of nobody in
 * particular (null). The space of all memories of a workspace has no subjects.
 */
export type MemorySpace = EntityRef & { readonly subject?: string | null };

export const spaceKey = (space: MemorySpace): string =>
  space.subject === undefined ? entityKey(space) : `${entityKey(space)}#${space.subject ?? ''}`;

/** A turn is something that was said in a conversation with an agent (domain/run/conversation.ts). */
export type RecallKind = 'memory' | 'message' | 'turn';

/** The fields of a memory, a mailbox message or a turn that recall needs. */
export interface RecallDocument {
  kind: RecallKind;
  id: string;
  type: string;
  content: string;
  sessionId: string | null;
  position: number | null;
  /** Milliseconds since the epoch, or null if it never expires. */
  expiresAt: number | null;
  /** When it was said, in milliseconds since the epoch; null means when its id was made. */
  occurredAt: number | null;
  /** Who said it. If null, a leading `Name: ` in the content determines the speaker. */
  speaker: string | null;
  /** Whether an assistant said it, where that is known without the speaker's name. */
  byAssistant?: boolean;
  /** Whose it is (shared/caller.ts); null or omitted is nobody's in particular. */
  subject?: string | null;
  /** Pairs of its metadata (domain/memory/facets.ts). */
  pairs?: readonly string[];
  /** From 0 to 1, or null. */
  importance: number | null;
  /** Until when what it says was so, in milliseconds since the epoch; null if it is so now. */
  validUntil: number | null;
  /** Whether a later document says otherwise: then it is no longer so, whatever the clock says. */
  superseded?: boolean;
  /** A hash of its text, for whoever looks for repetitions (memory/identities.ts). */
  text?: number;
  /** What it means (meaning.ts), one signed byte for each dimension; omitted if that is not known. */
  vector?: Int8Array;
}

/** What a query means: its vector, and how close texts that have nothing to do with one another are in its model. */
export interface Meaning {
  vector: readonly number[];
  baseline: number;
}

export interface RecallHit {
  space: MemorySpace;
  kind: RecallKind;
  id: string;
  /** From 0 to 1: how much of the query the memory and its surroundings match (scoring.ts). */
  relevance: number;
  /** The value by which hits are ordered (scoring.ts). It is comparable between all hits of one query. */
  score: number;
  /** Whether it was found by what it means (meaning.ts). */
  byMeaning?: boolean;
  /** What each feature contributed to the score, if the query asked for that. */
  shares?: Shares;
}

export interface RecallQuery {
  query: string;
  /**
   * Words that say the same as words of the query (wordings.ts). They are looked for, too, at a lower weight.
   */
  also?: string | undefined;
  spaces: readonly MemorySpace[];
  limit: number;
  /** From 0 to 1; hits with a lower relevance are left out. */
  minRelevance: number;
  /** Restricts hits to these types. Asides (domain/run/conversation.ts) are found only if `types` names conversations. */
  types?: readonly string[];
  /** Turns that were said before this time are not found, in milliseconds since the epoch. */
  turnsSince?: number | undefined;
  /** Restricts hits to what this speaker said; compared case-insensitively. */
  speaker?: string;
  /** Restricts hits to one session. */
  sessionId?: string;
  /** Restricts hits to documents that have all of these pairs (domain/memory/facets.ts). */
  pairs?: readonly string[];
  /** Restricts hits to what was said at this time or later, in milliseconds since the epoch. */
  from?: number;
  /** Restricts hits to what was said before this time, in milliseconds since the epoch. */
  until?: number;
  /** Restricts hits to what was said by this time and was still so then, in milliseconds since the epoch. */
  asOf?: number;
  /** Finds what a profile keeps (english/sentences.ts), the newest first, in place of what the query says. */
  profile?: boolean;
  /** Whether to find also what is no longer so. */
  superseded?: boolean;
  /** Finds documents by meaning, too. */
  meaning?: Meaning;
  /** Whether to return the `shares` of each hit. */
  explain?: boolean;
  /** How long to wait for an index that is built, ms; then it is searched as it is, and the hits are `partial`. */
  patienceMs?: number;
  now: number;
}

/**
 * `partial` says that hits are missing: of a process that was late, or of an index that is being built. `wordsOnly` says
 * that what the query means was not known, where it should have been.
 */
export type RecallHits = RecallHit[] & { partial?: true; wordsOnly?: true };

export interface Recall {
  /** Best score first; on equal scores, newest id first. Returns no promise if all indexes needed are in memory. */
  search(query: RecallQuery): RecallHits | Promise<RecallHits>;
  /** Whether an index with what this entity has is in memory: only then does putting or removing change anything. */
  isInMemory(space: EntityRef): boolean;
  /** Adds a document of an entity to its indexes, or replaces it there, whichever subject it is of. */
  put(space: EntityRef, document: RecallDocument): void;
  remove(space: EntityRef, kind: RecallKind, id: string): void;
  /** Discards the index of a space whose entity was deleted. */
  drop(space: EntityRef): void;
  /** Reads again what an entity has in the index of a space of many, because it may be outdated. */
  renew(space: EntityRef, part: EntityRef): void;
  /**
   * The entity was loaded after this commit. An index in which that is missing, because others have written the entity
   * or something went wrong, is discarded. `completes`: the documents of this commit were put just now.
   */
  loaded(space: EntityRef, seq: number, completes: boolean): void;
  /**
   * Everything up to this commit was put. Call this in one turn with putting it. `lost`: it has deleted or rewritten
   * texts.
   */
  committed(space: EntityRef, seq: number, lost: boolean): void;
  /** The entity leaves memory. */
  ended(space: EntityRef): void;
  /**
   * Has the index of a space in memory if that takes no reading of all documents. Null if it is, or nobody keeps
   * indexes. `seq` is of the last commit of the space's entity.
   */
  restoring(space: EntityRef, seq: number): Promise<void> | null;
  /**
   * The table of the texts of a space's memories, if its index is in memory and has it. Others may add to it: it may
   * have texts that were deleted, or are not committed yet.
   */
  texts(space: EntityRef): TextTable | null;
  /** Gives an index the table that it has not. */
  giveTexts(space: EntityRef, table: TextTable): void;
  /** Keeps the indexes of these spaces for a later process. */
  keep(which: (space: EntityRef) => boolean): Promise<void>;
  /** Discards the indexes of spaces that are no longer kept up to date here; a search rebuilds them. */
  dropWhere(which: (space: EntityRef) => boolean): void;
}

/**
 * Reads every document of a space, page by page, those of one entity in order of creation. With a `part`, those that
 * are this entity's.
 */
export type RecallSource = (space: MemorySpace, part?: EntityRef) => AsyncIterable<RecallDocument[]>;

/** A document as it is now, or what of it is no longer found. */
export type RecallChange = { put: RecallDocument } | { removed: { kind: RecallKind; id: string } };

/** The state of an entity in the store. */
export interface Standing {
  /** The sequence number of its last commit, all of which can be read. */
  seq: number;
  /** How many stored documents its index is made of, about. */
  documents: number;
  /** As a RecallSource. */
  all(): AsyncIterable<RecallDocument[]>;
}

/** Where images of indexes are kept (store/port.ts KeptImages). */
export interface ImageSource {
  standing(space: EntityRef): Promise<Standing>;
  prepare(space: EntityRef): Promise<void>;
  keep(space: EntityRef, seq: number, chunks: readonly Uint8Array[]): Promise<boolean>;
  kept(
    space: EntityRef,
    seq: number,
  ): Promise<{
    seq: number;
    chunks: AsyncIterable<Uint8Array>;
    changes(): AsyncIterable<RecallChange[]> | null;
    discard(): Promise<void>;
  } | null>;
}
