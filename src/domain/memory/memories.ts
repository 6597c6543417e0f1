/**
 * Memories of any memory space (agent, hive or workspace): creating, changing and deleting them, and the effect on the
 * counts of the space. These counts (`Counts`) are:
 *   memories           stored now
 *   lasting            of these, the long-term ones (`isLasting`), which memory_quota limits
 *   type:<type>        stored now, by type; beyond 64 types in one they are counted together as type:(other)
 *   used:<month>:live  usage of the monthly quota: memories counted in this month (usage.ts) that still exist
 *
 *  Memories.M1 A change by a client wins over whatever was read before it: no run and no learning replaces or deletes a
 *     memory that a client has changed since it was shown, or since that was said which is to replace it.
 */
import { type Counts, type Draft, bump } from '../shared/draft.js';
import { conflict, notFound } from '../shared/errors.js';
import { type Statement, concerns, identityOf, repeats } from './identities.js';
import { type StoredMemory, showMemory } from './stored-memory.js';
import type { Memory } from '../model/model.js';
import type { MemoryPatch } from '../shared/inputs.js';
import { iso } from '../shared/clock.js';
import { patchedMetadata } from '../shared/merge.js';
import {
  type QuotaExceeded,
  agentQuotaExceeded,
  dropOldMonths,
  isShortTerm,
  monthAt,
  sizeOf,
  usageCountName,
  workspaceQuotaExceeded,
} from '../workspace/usage.js';
import { isSameSubject } from '../shared/caller.js';

/*
 * Facts that change: a memory ends the one that it supersedes, because it names it or has its key, and a repetition is
 * counted instead of kept a second time. Nothing is lost: what was superseded stays as history, and a client can make
 * it present again.
 *
 *  - A memory is superseded by one other at most; a second one is a conflict that names the first.
 *  - The later statement wins: of two memories, the one whose `occurred_at` is earlier ends, whichever was written
 *    first. A memory that a client names in `supersedes` ends in any case.
 *  - All memories that supersede one another, directly or not, carry the same `chain`.
 */

/**
 * Whether a memory says what is so now, as far as the service knows. One that was superseded does not, whatever the
 * clock says: an entity's own time may run ahead of it.
 */
export const isPresent = (m: Pick<StoredMemory, 'valid_until' | 'superseded_by'>, now: number): boolean =>
  (m.superseded_by ?? null) === null && wasSo(m, now);

/** Whether what a memory says had not ended at a time. */
export const wasSo = (m: Pick<StoredMemory, 'valid_until'>, at: number): boolean =>
  m.valid_until === undefined || m.valid_until === null || Date.parse(m.valid_until) > at;

/** What the candidates of a new statement mean for it. */
export type Earlier = { repeated: StoredMemory } | { ended: readonly StoredMemory[]; explicit: boolean };

/**
 * `candidates` are the memories of the memory space that may have the statement's text or key, and the one named in
 * `supersedes`.
 */
export function earlierOf(
  statement: Statement & { supersedes?: string | undefined; endsAlso?: readonly string[] | undefined },
  candidates: readonly StoredMemory[],
  now: number,
): Earlier {
  const { supersedes } = statement;
  if (supersedes !== undefined) {
    const named = candidates.find((m) => m.id === supersedes);
    if (!named) throw notFound('memory', supersedes);
    if (named.superseded_by)
      throw conflict(`memory ${supersedes} is superseded by ${named.superseded_by} already: supersede that one`);
    const { endsAlso = [] } = statement;
    return { ended: [named, ...candidates.filter((m) => endsAlso.includes(m.id))], explicit: true };
  }
  const present = candidates.filter((m) => isPresent(m, now));
  const repeated = present.find((m) => repeats(m, statement));
  return repeated ? { repeated } : { ended: present.filter((m) => concerns(m, statement)), explicit: false };
}

/**
 * Connects a new memory with those that it supersedes, or with the later one that supersedes it. Sets
 * fields of `memory`, which has not been written yet, and returns the memories that change.
 */
export function succeed(
  d: Draft,
  memory: StoredMemory,
  { ended, explicit }: Extract<Earlier, { ended: unknown }>,
): void {
  const said = memory.occurred_at ?? memory.created_at;
  const later = explicit ? undefined : ended.find((m) => (m.occurred_at ?? m.created_at) > said);
  const [first] = ended;
  if (!first) return;
  memory.chain = (later ?? first).chain ?? (later ?? first).id;
  if (later) {
    end(memory, later.id, later.occurred_at ?? later.created_at);
    if (!later.chain) change(d, later, { ...later, chain: memory.chain });
    return;
  }
  memory.supersedes = ended.reduce((a, b) =>
    (a.occurred_at ?? a.created_at) >= (b.occurred_at ?? b.created_at) ? a : b,
  ).id;
  for (const before of ended) {
    const over: StoredMemory = { ...before, chain: before.chain ?? memory.chain, updated_at: d.time };
    end(over, memory.id, said > d.time ? d.time : said);
    change(d, before, over);
    d.announce('memory.updated', { memory_id: before.id, ...d.owner });
  }
}

/** Marks a memory as superseded; a fact lasts until the next one is said, and not less than no time at all. */
function end(memory: StoredMemory, by: string, at: string): void {
  const from = memory.occurred_at ?? memory.created_at;
  memory.superseded_by = by;
  memory.valid_until = at > from ? at : from;
  memory.identity = null;
}

/** A repetition: the memory stays as it is, and tells how often and when it was last said. */
export function seenAgain(d: Draft, before: StoredMemory, delivery: string | undefined): StoredMemory {
  // a share that is delivered twice is one repetition
  if (delivery !== undefined && before.seenAs === delivery) return before;
  const memory: StoredMemory = {
    ...before,
    times_seen: (before.times_seen ?? 1) + 1,
    last_seen_at: d.time,
    updated_at: d.time,
    ...(delivery !== undefined && { seenAs: delivery }),
  };
  change(d, before, memory);
  d.announce('memory.updated', { memory_id: memory.id, ...d.owner });
  return memory;
}

function change(d: Draft, before: StoredMemory, after: StoredMemory): void {
  d.put('memory', after.id, after, false, before);
  d.index('memory', after);
}

/** The identity of a memory that was changed: none once it has ended (Identities.D1). */
export const identityAfter = (memory: StoredMemory): string | null =>
  memory.valid_until === undefined || memory.valid_until === null ? identityOf(memory) : null;

/** Converts any ISO 8601 time with a zone to UTC with milliseconds, so that times compare as text. */
export const normalizeTime = (time: string | null | undefined): string | null =>
  time ? new Date(time).toISOString() : null;

export const isUnexpired = (m: { expires_at: string | null }, now: number): boolean =>
  m.expires_at === null || Date.parse(m.expires_at) > now;

/**
 * Whether a stored memory counts towards quotas. One that expires does if it was admitted as long-term, which
 * `countsIn` records.
 */
const isLasting = (m: StoredMemory): boolean => m.expires_at === null || m.countsIn !== undefined;
/** What was learnt from a conversation counts in no month, like the conversation itself, unless it was imported. */
const countsInMonth = (m: StoredMemory): boolean => !isLearnt(m) || m.countsIn !== undefined;
const isLearnt = (m: Pick<StoredMemory, 'source'>): boolean => (m.source ?? null) !== null;

const otherTypes = 'type:(other)';
function typeName(counts: Counts, type: string, adding: boolean): string {
  const name = `type:${type}`;
  if (counts[name]) return name;
  if (!adding) return otherTypes;
  return Object.keys(counts).filter((k) => k.startsWith('type:')).length < 64 ? name : otherTypes;
}

/**
 * The counts after `memory` was added (+1) or removed (-1). A short-term memory counts towards no quota, so removing it
 * changes none.
 */
function countMemory(counts: Counts, memory: StoredMemory, by: 1 | -1): Counts {
  const out: Record<string, number> = { ...counts };
  bump(out, 'memories', by);
  bump(out, typeName(counts, memory.type, by > 0), by);
  if (isLasting(memory)) countLasting(out, memory, by);
  return out;
}

function countLasting(counts: Record<string, number>, memory: StoredMemory, by: 1 | -1): void {
  bump(counts, 'lasting', by);
  const month = memory.countsIn ?? memory.created_at.slice(0, 7);
  if (!countsInMonth(memory)) return;
  const used = usageCountName(month);
  if (counts[used] === undefined) {
    if (by < 0) return; // that month's count is no longer kept
    dropOldMonths(counts, 'used:', month);
  }
  bump(counts, used, by);
}

/** The limits that apply to a memory space. */
export interface Quotas {
  /** Limit on the long-term memories of an agent (docs/api.md 8.4); null is unlimited. */
  agent: number | null;
  /**
   * Set if the workspace's monthly quota is used up, so that no further long-term memory could be reserved
   * (actors/quota/monthly-quota.ts).
   */
  full?: QuotaExceeded | null | undefined;
}

/** Throws QUOTA_EXCEEDED if the quotas do not allow one more long-term memory. */
function checkQuotas(counts: Counts, { agent, full }: Quotas): void {
  const lasting = counts['lasting'] ?? 0;
  if (agent !== null && lasting >= agent) throw agentQuotaExceeded(agent, lasting);
  if (full) throw workspaceQuotaExceeded(full);
}

/**
 * Records the month in which the memory became long-term. The month is that of the current time and not of the entity's
 * own clock, which may run ahead, because a memory with a reservation in this month must count in it.
 */
function noteMonth(d: Draft, memory: StoredMemory): void {
  const month = monthAt(d.env.now);
  if (memory.expires_at === null && memory.created_at.startsWith(month)) delete memory.countsIn;
  else memory.countsIn = month;
}

function patched(memory: StoredMemory, patch: MemoryPatch, at: number): StoredMemory {
  const changed: StoredMemory = {
    ...memory,
    ...(patch.type !== undefined && { type: patch.type }),
    ...(patch.content !== undefined && { content: patch.content }),
    ...(patch.importance !== undefined && { importance: patch.importance }),
    ...(patch.occurred_at !== undefined && { occurred_at: normalizeTime(patch.occurred_at) ?? memory.created_at }),
    ...(patch.speaker !== undefined && { speaker: patch.speaker }),
    ...(patch.expires_at !== undefined && { expires_at: normalizeTime(patch.expires_at) }),
    ...(patch.metadata !== undefined && { metadata: patchedMetadata(memory.metadata, patch.metadata) }),
    ...(patch.valid_until !== undefined && { valid_until: normalizeTime(patch.valid_until) }),
    updated_at: iso(at),
    patched_at: iso(at),
  };
  // without an end it is present again, whatever had superseded it
  if (patch.valid_until === null) changed.superseded_by = null;
  // what it says now nobody has taken out of a profile
  if (patch.content !== undefined) delete changed.unheeded;
  changed.identity = identityAfter(changed);
  return changed;
}

export interface RememberInput {
  type: string;
  content: string;
  id?: string | undefined;
  shared_by?: string;
  sessionId?: string | undefined;
  subject?: string | undefined;
  importance?: number | undefined;
  occurred_at?: string | undefined;
  speaker?: string | undefined;
  expires_at?: string | null | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** The id of the memory of this memory space that it replaces. */
  supersedes?: string | undefined;
  /** The ids of others that say what that one says, and end with it. */
  endsAlso?: readonly string[] | undefined;
  /** When it stops to be so (ISO 8601, UTC). */
  valid_until?: string;
  /** The run from whose input it was learnt. */
  source?: string | undefined;
  /** The run that writes it. */
  run_id?: string | undefined;
}

/** What had to be looked up for a new memory. */
export interface Surroundings {
  /** The next position in its session, for the case that the draft does not know it. */
  position?: number | undefined;
  /** The memories that it may repeat or supersede. */
  candidates?: readonly StoredMemory[] | undefined;
}

/**
 * Adds a memory to the draft's memory space, or counts a repetition of one that is there already.
 * Throws QUOTA_EXCEEDED if a quota is used up, and NOT_FOUND or CONFLICT if it cannot supersede what it names.
 */
export function remember(
  d: Draft,
  input: RememberInput,
  quotas: Quotas,
  { position, candidates = [] }: Surroundings = {},
): Memory {
  const earlier = earlierOf(
    input,
    candidates.filter((m) => isSameSubject(m, input) && isUnexpired(m, d.env.now)), // Subjects.T5
    d.env.now,
  );
  if ('repeated' in earlier) return showMemory(seenAgain(d, earlier.repeated, input.id));
  const lasts = !isShortTerm(input.expires_at, d.timeMs);
  const isNew = input.source === undefined;
  if (lasts) checkQuotas(d.counts, isNew ? quotas : { agent: quotas.agent });
  const { sessionId } = input;
  // what was learnt has its place by its time, beside the turn that it was learnt from
  const place =
    sessionId === undefined || input.source !== undefined ? null : (d.positions.get(sessionId) ?? position ?? 0);
  const memory: StoredMemory = {
    id: input.id ?? d.env.ids('memory', d.at),
    type: input.type,
    content: input.content,
    agent_id: d.owner.agent_id ?? null,
    hive_id: d.owner.hive_id ?? null,
    shared_by: input.shared_by ?? null,
    sessionId: sessionId ?? null,
    position: place,
    importance: input.importance ?? null,
    occurred_at: normalizeTime(input.occurred_at) ?? d.time,
    speaker: input.speaker ?? null,
    metadata: input.metadata ?? {},
    expires_at: normalizeTime(input.expires_at),
    created_at: d.time,
    updated_at: d.time,
  };
  const identity = identityOf(input);
  if (identity !== null) memory.identity = identity;
  if (input.subject !== undefined) memory.subject = input.subject;
  if (input.source !== undefined) memory.source = input.source;
  if (input.run_id !== undefined) memory.run_id = input.run_id;
  if (input.valid_until !== undefined) memory.valid_until = input.valid_until;
  succeed(d, memory, earlier);
  if (lasts && isNew) noteMonth(d, memory);
  if (sessionId !== undefined && place !== null) d.positions = nextPosition(d.positions, sessionId, place);
  d.put('memory', memory.id, memory, true);
  d.counts = countMemory(d.counts, memory, 1);
  noteExpiry(d, memory);
  d.index('memory', memory);
  d.announce('memory.created', {
    memory_id: memory.id,
    agent_id: d.owner.agent_id,
    hive_id: d.owner.hive_id,
    type: memory.type,
  });
  return showMemory(memory);
}

/**
 * Adds a memory that was exported elsewhere, with its id and times. One that lasts counts in the month in which it is
 * taken in, whenever it was made and whatever it is said to have been learnt from.
 */
export function takeIn(d: Draft, memory: StoredMemory): void {
  if (!isShortTerm(memory.expires_at, Math.min(Date.parse(memory.created_at), d.env.now))) {
    noteMonth(d, memory);
    if (isLearnt(memory)) memory.countsIn = monthAt(d.env.now);
  }
  d.put('memory', memory.id, memory, true);
  d.counts = countMemory(d.counts, memory, 1);
  noteExpiry(d, memory);
}

/** What surrounds one of several memories of a draft: the candidates as the draft leaves them, and its own memories. */
export function inDraft(d: Draft, around: Surroundings = {}): Surroundings {
  const changed = d.puts.filter((p) => p.kind === 'memory').map((p) => p.body);
  if (changed.length === 0 && d.deletes.length === 0) return around;
  const all = new Map([...(around.candidates ?? []), ...changed].map((m) => [m.id, m]));
  for (const { id } of d.deletes) all.delete(id);
  return { ...around, candidates: [...all.values()] };
}

function noteExpiry(d: Draft, memory: StoredMemory): void {
  if (memory.expires_at !== null) d.nextExpiry = Math.min(d.nextExpiry ?? Infinity, Date.parse(memory.expires_at));
}

/** Records the next position in a session. The 256 sessions written to last are kept. */
function nextPosition(
  positions: ReadonlyMap<string, number>,
  session: string,
  used: number,
): ReadonlyMap<string, number> {
  const out = new Map(positions);
  out.delete(session);
  out.set(session, used + 1);
  if (out.size > 256) out.delete(out.keys().next().value ?? session);
  return out;
}

export function changeMemory(d: Draft, memory: StoredMemory, patch: MemoryPatch, quotas: Quotas): Memory {
  if (!isUnexpired(memory, d.env.now)) throw notFound('memory', memory.id);
  const changed = patched(memory, patch, d.timeMs);
  if (patch.expires_at !== undefined) settleExpiry(d, memory, changed, quotas);
  d.counts = countChange(d.counts, memory, changed);
  d.put('memory', memory.id, changed, false, memory);
  noteExpiry(d, changed);
  d.index('memory', changed);
  d.announce('memory.updated', { memory_id: memory.id, ...d.owner });
  return showMemory(changed);
}

/**
 * A changed expiry may turn a short-term memory into a long-term one, which then counts towards the quotas, or the
 * reverse.
 */
function settleExpiry(d: Draft, before: StoredMemory, after: StoredMemory, quotas: Quotas): void {
  if (isLearnt(after)) return;
  if (isShortTerm(after.expires_at, Date.parse(after.created_at))) delete after.countsIn;
  else if (!isLasting(before)) {
    checkQuotas(d.counts, quotas);
    noteMonth(d, after);
  } else if (after.expires_at !== null) after.countsIn ??= after.created_at.slice(0, 7);
}

/** A change does not move a memory to another month, so if it is long-term before and after, no quota changes. */
function countChange(counts: Counts, before: StoredMemory, after: StoredMemory): Counts {
  const out: Record<string, number> = { ...counts };
  bump(out, typeName(out, before.type, false), -1);
  bump(out, typeName(out, after.type, true), 1);
  if (isLasting(before) && !isLasting(after)) countLasting(out, before, -1);
  if (!isLasting(before) && isLasting(after)) countLasting(out, after, 1);
  return out;
}

export function forget(d: Draft, { memory }: { memory: StoredMemory }): void {
  if (!isUnexpired(memory, d.env.now)) throw notFound('memory', memory.id);
  removeMemory(d, memory);
}

/** Removes memories that have expired. `next` is the time when the next memory of the memory space expires, in ms. */
export function expire(d: Draft, { memories, next }: { memories: readonly StoredMemory[]; next: number | null }): void {
  for (const memory of memories) removeMemory(d, memory);
  d.nextExpiry = next;
}

export function removeMemory(d: Draft, memory: StoredMemory): void {
  d.remove('memory', memory.id, sizeOf(memory));
  d.counts = countMemory(d.counts, memory, -1);
  d.effects.push({ type: 'unindex', kind: 'memory', id: memory.id });
  d.announce('memory.deleted', { memory_id: memory.id, ...d.owner });
}
