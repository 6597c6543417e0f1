/**
 * What an agent keeps in mind whatever is asked: how somebody wants something always to be done, and what somebody
 * prefers, word for word (english/sentences.ts; docs/recall.md). It is read out of what is remembered and was said, so
 * it has nothing of its own that could outlive that, and one subject's is never another's (Subjects.T1). What counts is
 * what a client says itself, as in learning (Learnt.N1): not what peers, other agents and callers that reach only their
 * own tasks say, what is retold, or what a model keeps of any of that. None of those may direct an agent for others.
 */
import { isOrder, standingIn } from '../../src/english/sentences.js';
import { ownTurnsOf, runOfTurn, turnType } from '../../src/domain/run/conversation.js';
import { isPresent, isUnexpired } from '../../src/domain/memory/memories.js';
import { maySee, type Owned, speaksAsClient } from '../../src/domain/shared/caller.js';
import { allOf, wait, type Waiting } from '../../src/maybe-promise.js';
import type { MemorySpace, RecallQuery } from '../../src/memory/port.js';
import type { RecalledMemory } from '../../src/reasoner/port.js';
import { unpackRun } from '../../src/domain/run/stored-run.js';
import { documentOf, type RecalledDoc } from './recall-indexes.js';
import type { EntityDeps } from './deps.js';

/** One thing that is kept in mind: what of a memory or a turn says it. */
export interface ProfileEntry extends RecalledMemory {
  at: string;
  kind: 'memory' | 'turn';
  sessionId: string | null;
  /** All that says it, the newest first. */
  evidence: readonly Said[];
}
type Said = Pick<ProfileEntry, 'id' | 'kind' | 'sessionId' | 'at'> & { run_id: string | null };

export interface AskedProfile extends Pick<RecallQuery, 'turnsSince' | 'until' | 'now'> {
  spaces: readonly MemorySpace[];
  of: Owned;
  /** Whether what was said in this session may be told. */
  isTold?: (sessionId: string | null) => boolean;
}

/** So much of it is read; what is older is left out. */
const mostRead = 64;

/**
 * What is to be done before what is preferred, the newest first of both; what is said again is told once, as it was said
 * last.
 */
export function* profileOf(
  { recall, store }: Pick<EntityDeps, 'recall' | 'store'>,
  { spaces, of, isTold = () => true, ...when }: AskedProfile,
): Waiting<ProfileEntry[]> {
  if (spaces.length === 0) return [];
  const hits = yield* wait(
    recall.search({ query: '', profile: true, spaces, limit: mostRead, minRelevance: 0, ...when }),
  );
  if (hits.length === 0) return [];
  const docs = yield* wait(allOf(hits.map((hit) => documentOf(store, hit))));
  const writers = yield* wait(allOf(docs.map((doc) => writerOf(store, doc))));
  const entries = new Map<string, ProfileEntry>();
  for (const [i, { id }] of hits.entries()) {
    const doc = docs[i];
    // checked again, because the index of a stale owner may be behind the store
    if (!doc || doc.kind === 'message' || !maySee(of, doc.body) || !isTold(doc.body.sessionId)) continue;
    const writer = writers[i];
    if (writer === null || (writer && !speaksAsClient(writer))) continue;
    const entry = entryOf(doc, id, when.now);
    if (!entry) continue;
    const known = entries.get(entry.content);
    entries.set(entry.content, known ? { ...known, evidence: [...known.evidence, ...entry.evidence] } : entry);
  }
  const all = [...entries.values()];
  const isFirst = ({ content }: ProfileEntry): boolean => isOrder(content);
  return [...all.filter(isFirst), ...all.filter((one) => !isFirst(one))];
}

/** The run that wrote what was found: undefined if none did, null if it is gone. */
function writerOf(store: EntityDeps['store'], doc: RecalledDoc | null | undefined) {
  if (doc?.kind === 'run') return unpackRun(doc);
  const run = doc?.kind === 'memory' ? (doc.body.run_id ?? null) : null;
  if (!doc || run === null) return undefined;
  const found = store.get(doc.entity, 'run', run);
  return found instanceof Promise ? found.then((one) => one && unpackRun(one)) : found && unpackRun(found);
}

/** Null for what is no longer so, or says nothing of the kind. */
function entryOf(doc: RecalledDoc, id: string, now: number): ProfileEntry | null {
  if (doc.kind === 'run') {
    const run = unpackRun(doc);
    const turn = ownTurnsOf(run).find((one) => one.id === id);
    if (turn?.role !== 'user' || run.unheeded?.includes(id)) return null;
    return entry({ id, type: turnType, content: turn.content, at: turn.created_at, kind: 'turn' }, turn.sessionId);
  }
  if (doc.kind !== 'memory' || !isPresent(doc.body, now) || !isUnexpired(doc.body, now) || doc.body.unheeded)
    return null;
  const { type, content, occurred_at, created_at, speaker, sessionId } = doc.body;
  const said = { id, type, content, at: occurred_at ?? created_at, kind: 'memory' as const };
  return entry({ ...said, ...(speaker && { speaker }) }, sessionId);
}

function entry(
  said: Omit<ProfileEntry, 'sessionId' | 'relevance' | 'evidence'>,
  sessionId: string | null,
): ProfileEntry | null {
  const passages = standingIn(said.content);
  if (passages.length === 0) return null;
  const { id, kind, at } = said;
  const run = kind === 'turn' ? runOfTurn(id) : null;
  return {
    ...said,
    content: passages.join(' '),
    sessionId,
    relevance: 1,
    evidence: [{ id, kind, at, sessionId, run_id: run }],
  };
}
