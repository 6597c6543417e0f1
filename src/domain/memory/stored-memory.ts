/** A memory as it is stored, and as the API shows it. */
import type { Memory } from '../model/model.js';

/**
 * The vector of a memory (vectors.ts): `of` is a hash of the content that it was made of; `data` has one signed byte
 * for each dimension, in base64.
 */
export interface StoredVector {
  model: string;
  of: string;
  data: string;
}

/** Fields that are stored only where they say something. */
type OptionalFields = Pick<
  Memory,
  | 'subject'
  | 'occurred_at'
  | 'speaker'
  | 'supersedes'
  | 'superseded_by'
  | 'valid_until'
  | 'times_seen'
  | 'last_seen_at'
  | 'source'
  | 'run_id'
>;

/**
 * A memory as stored. `countsIn` is the month whose quota it counts towards, if that does not follow from its other
 * fields: because it was not created in that month, or because it expires and counts nevertheless.
 */
export interface StoredMemory extends Omit<Memory, keyof OptionalFields> {
  subject?: string | null;
  occurred_at?: string;
  speaker?: string | null;
  /** Omitted while they have their default. */
  supersedes?: string | null;
  superseded_by?: string | null;
  valid_until?: string | null;
  times_seen?: number;
  last_seen_at?: string;
  source?: string | null;
  run_id?: string | null;
  /** By which it is found by meaning (vectors.ts). */
  vector?: StoredVector;
  /** By which a later memory of the same key finds this one (identities.ts); null once it has ended. */
  identity?: string | null;
  /**
   * When a client changed it last; omitted if none has. What somebody has read of it before is out of date, whoever
   * it was (Memories.M1).
   */
  patched_at?: string;
  /** No profile keeps what it says: a client has taken that out (profiles.ts). Omitted if not. */
  unheeded?: true;
  /** The id of the first of the memories that supersede one another. */
  chain?: string;
  /** The id of the delivery that was counted as a repetition last. */
  seenAs?: string;
  countsIn?: string;
}

/**
 * The fields are listed one by one because removing one from an object, and spreading many into one, are slow, and this
 * runs for every memory.
 */
export const showMemory = (m: StoredMemory): Memory => ({
  id: m.id,
  type: m.type,
  content: m.content,
  agent_id: m.agent_id,
  hive_id: m.hive_id,
  shared_by: m.shared_by,
  sessionId: m.sessionId,
  subject: m.subject ?? null,
  position: m.position,
  importance: m.importance,
  occurred_at: m.occurred_at ?? m.created_at,
  speaker: m.speaker ?? null,
  source: m.source ?? null,
  run_id: m.run_id ?? null,
  supersedes: m.supersedes ?? null,
  superseded_by: m.superseded_by ?? null,
  valid_until: m.valid_until ?? null,
  times_seen: m.times_seen ?? 1,
  last_seen_at: m.last_seen_at ?? m.created_at,
  metadata: m.metadata,
  expires_at: m.expires_at,
  created_at: m.created_at,
  updated_at: m.updated_at,
});
