/**
 * What an agent knows, as a text for the prompt of whoever runs a loop of their own (docs/api.md 13.9): what recall
 * finds, the turns beside what was found in conversations, and the newest turns of the conversation that goes on.
 */
import type { RunRecord } from '../../src/domain/agent/agent-state.js';
import { recalledSince, turnsOf, turnType, typedTurns } from '../../src/domain/run/conversation.js';
import type { StoredBlock } from '../../src/domain/shared/documents.js';
import { idStart, startOfId } from '../../src/domain/shared/ids.js';
import type { ContextInput } from '../../src/domain/shared/inputs.js';
import { isPresent, isUnexpired } from '../../src/domain/memory/memories.js';
import { isTerminal, type PromptContext, type Turn } from '../../src/domain/model/model.js';
import { type StoredMemory, showMemory } from '../../src/domain/memory/stored-memory.js';
import { unpackRun } from '../../src/domain/run/stored-run.js';
import { maySee, type Owned, seenBy } from '../../src/domain/shared/caller.js';
import { lookedFor, remarkOf } from '../../src/english/sentences.js';
import { otherWordings } from '../../src/english/wordings.js';
import { allOf, finish } from '../../src/maybe-promise.js';
import type { RecallHit } from '../../src/memory/port.js';
import { contextBlock, type Piece } from '../../src/reasoner/context-block.js';
import type { Caller } from '../../src/service.js';
import type { EntityRef, ListQuery, Store } from '../../src/store/port.js';
import { usualProfileTokens } from '../../src/domain/agent/agent-config.js';
import { type ProfileEntry, profileOf } from '../entities/profile.js';
import { documentOf, turnIn } from '../entities/recall-indexes.js';
import { blocksFor } from '../../src/commands/block-reads.js';
import { agentRef, headOf, hiveRef } from '../../src/commands/entities.js';
import { type ServiceContext } from './context.js';
import { checkReach } from './memory-reach.js';

/** Of so many hits in conversations, the turns beside them are read. */
const mostAround = 5;
/** What is longer is understood by itself. */
const longestShort = 120;
/** How many runs and memories of the session that goes on are read at most, and how much of each kind. */
const mostOfSession = 200;
const mostBytes = 1024 * 1024;

export async function promptContext(c: ServiceContext, caller: Caller, input: ContextInput): Promise<PromptContext> {
  const { agent_id, query, sessionId, subject, max_tokens } = input;
  const profileTokens = input.profile_tokens ?? Math.min(usualProfileTokens, Math.floor(max_tokens / 4));
  const agent = agentRef(caller, agent_id);
  await checkReach(c, caller, agent, 'read');
  const { snapshot } = await headOf(c.deps, agent);
  const { config, hives } = snapshot;
  const now = c.deps.clock.now();
  const look: Look = {
    store: c.deps.store,
    now,
    since: recalledSince(config.memory, now) ?? -Infinity,
    of: { subject },
  };
  const present = sessionId === undefined ? [] : await newestOf(look, agent, sessionId);
  const spaces = seenBy(agent, look.of);
  const asked = { spaces, of: look.of, turnsSince: look.since, now };
  const kept = profileTokens === 0 ? [] : await finish(profileOf(c.deps, asked));
  const profile = kept.filter(({ id }) => !present.some(({ memory }) => memory.id === id)).map(profilePiece);
  const told =
    profileTokens === 0 || snapshot.blocks === undefined ? [] : await finish(blocksFor(c.deps.store, agent, look.of));
  const blocks = told.map(blockPiece);
  if (query === undefined && sessionId !== undefined)
    return contextBlock({ blocks, profile, facts: [], conversation: present }, max_tokens, '', profileTokens);

  const looked = query === undefined ? null : lookedFor(query, present.map(({ memory }) => memory).reverse());
  const also = looked === null ? '' : otherWordings(looked);
  const hits = await c.deps.recall.search({
    // a query without a word to look for is answered with what is newest
    query: looked ?? 'what',
    ...(also !== '' && { also }),
    spaces: [agent, ...(caller.scopes.includes('hive:read') ? hives.map((id) => hiveRef(caller, id)) : [])].flatMap(
      (one) => seenBy(one, look.of),
    ),
    limit: Math.min(100, 10 + Math.ceil(max_tokens / 20)),
    minRelevance: looked === null ? 0 : (config.memory?.min_relevance ?? 0.1),
    turnsSince: look.since,
    now,
  });
  const { facts, said } = await foundBy(look, looked === null ? hits.map(withoutScore) : hits);
  const found = new Map(said.map(({ piece }) => [piece.memory.id, piece]));
  // the turns beside one of the session that goes on are told as that
  const anchors = said
    .filter(({ piece: { memory, about } }) => about.sessionId !== sessionId && memory.content.length <= longestShort)
    .slice(0, mostAround);
  const around = await Promise.all(anchors.map(({ space, piece }) => neighboursOf(look, space, piece)));
  const conversation = new Map<string, Piece>();
  for (const piece of [...present, ...found.values(), ...around.flat()]) {
    const { id } = piece.memory;
    if (!conversation.has(id)) conversation.set(id, found.get(id) ?? piece);
  }
  return contextBlock(
    { blocks, profile, facts, conversation: [...conversation.values()] },
    max_tokens,
    looked ?? '',
    profileTokens,
  );
}

interface Look {
  store: Store;
  now: number;
  /** Turns are told that were said at this time or later, in ms. */
  since: number;
  /** What this subject may see is told (Subjects.T1). */
  of: Owned;
}

type Hit = Pick<RecallHit, 'space' | 'kind' | 'id'> & Pick<Piece['about'], 'relevance' | 'score'>;
type Score = Pick<Piece['about'], 'relevance' | 'score'>;
const beside: Score = { relevance: null, score: null };
const withoutScore = ({ space, kind, id }: RecallHit): Hit => ({ space, kind, id, ...beside });

/** What was found, the best first: facts, and what was said in a session, which is told as a conversation. */
async function foundBy(
  look: Look,
  hits: readonly Hit[],
): Promise<{ facts: Piece[]; said: { space: EntityRef; piece: Piece }[] }> {
  const docs = await allOf(hits.map((hit) => documentOf(look.store, hit)));
  const facts: Piece[] = [];
  const said: { space: EntityRef; piece: Piece }[] = [];
  for (const [i, hit] of hits.entries()) {
    const doc = docs[i];
    if (!doc || !maySee(look.of, doc.body)) continue;
    const { space } = hit;
    if (doc.kind === 'run') {
      const turn = turnIn(doc, hit.id);
      if (turn) said.push({ space, piece: turnPiece(turn, hit) });
    } else {
      const piece = doc.kind === 'message' ? messagePiece(doc.body, hit) : memoryPiece(look, doc.body, hit);
      if (piece && doc.kind === 'memory' && isSaid(doc.body)) said.push({ space, piece });
      else if (piece) facts.push(piece);
    }
  }
  return { facts, said };
}

/** The newest turns and memories of a session, the newest first. */
async function newestOf(look: Look, agent: EntityRef, sessionId: string): Promise<Piece[]> {
  const all = await inSession(look, agent, sessionId, { order: 'desc', limit: mostOfSession }, turnsOf);
  return all.reverse();
}

const before = 2;
const after = 2;

/** What was said right before and right after something in a session. */
async function neighboursOf(look: Look, space: EntityRef, { memory, about }: Piece): Promise<Piece[]> {
  const start = startOfId(memory.id);
  const { sessionId } = about;
  if (sessionId === null || start === 0) return [];
  const parts = [
    { start, order: 'desc', limit: before + 1 },
    { start, order: 'asc', limit: after },
  ] as const;
  const found = await Promise.all(parts.map((part) => inSession(look, space, sessionId, part, recallable)));
  return found.flat().filter(({ memory: { id } }) => id !== memory.id);
}

/** The turns of a run that recall finds, or that stand beside them; none that a memory has taken the place of. */
const recallable = (run: RunRecord): Turn[] =>
  run.noted === true ? [] : typedTurns(run, remarkOf).map(({ turn }) => turn);

/** The turns and memories of a session, those of one time after those before it. */
async function inSession(
  look: Look,
  entity: EntityRef,
  sessionId: string,
  { start, order, limit }: { start?: number; order: 'asc' | 'desc'; limit: number },
  turns: (run: RunRecord) => Turn[],
): Promise<Piece[]> {
  const of = { workspace: entity.workspace, entity, list: 'session', by: sessionId, order, limit } as const;
  const from = (kind: 'memory' | 'run'): Pick<ListQuery, 'from' | 'until'> =>
    start === undefined ? {} : { [order === 'asc' ? 'from' : 'until']: [idStart(kind, start + 1)] };
  const [memories, runs] = await Promise.all([
    look.store.list({ ...of, ...from('memory'), collection: 'memory', maxBytes: mostBytes }),
    entity.kind === 'agent' ? look.store.list({ ...of, ...from('run'), collection: 'run', maxBytes: mostBytes }) : null,
  ]);
  const pieces = [
    ...memories.items.flatMap(({ body }) =>
      isSaid(body) && maySee(look.of, body) ? (memoryPiece(look, body, beside) ?? []) : [],
    ),
    ...(runs?.items ?? []).flatMap((item) => {
      const run = unpackRun(item);
      const isOver = isTerminal(run.status) || run.status === 'paused';
      const said = isOver && maySee(look.of, run) ? turns(run) : [];
      return said.filter(({ created_at }) => Date.parse(created_at) >= look.since).map((t) => turnPiece(t, beside));
    }),
  ];
  const placed = pieces.sort((a, b) => startOfId(a.memory.id) - startOfId(b.memory.id) || compare(a, b));
  return order === 'asc' ? placed.slice(0, limit) : placed.slice(-limit);
}

const compare = (a: Piece, b: Piece): number => (a.memory.id < b.memory.id ? -1 : 1);

/** Whether a memory has a place in a session: then it is a part of a conversation. */
const isSaid = ({ position }: StoredMemory): boolean => typeof position === 'number';

const scoreOf = ({ relevance, score }: Score): Score => ({ relevance, score });

/** Null for what is no longer so; the index of a stale owner may be behind the store. */
function memoryPiece({ now }: Look, body: StoredMemory, score: Score): Piece | null {
  const { id, type, content, occurred_at, speaker, sessionId } = showMemory(body);
  if (!isPresent(body, now) || !isUnexpired(body, now)) return null;
  const memory = { id, type, content, at: occurred_at, ...(speaker !== null && { speaker }) };
  return { memory, about: { kind: 'memory', sessionId, ...scoreOf(score) } };
}

function messagePiece(body: Record<string, unknown>, score: Score): Piece {
  const memory = {
    id: String(body['id']),
    type: 'message',
    content: String(body['content']),
    at: String(body['created_at']),
  };
  return { memory, about: { kind: 'message', sessionId: null, ...scoreOf(score) } };
}

const profilePiece = ({ kind, sessionId, relevance: _, evidence: _said, ...memory }: ProfileEntry): Piece => ({
  memory,
  about: { kind, sessionId, ...beside },
});

const blockPiece = ({ id, label, value, updated_at }: StoredBlock): Piece => ({
  memory: { id, type: 'block', content: `${label}: ${value}`, at: updated_at },
  about: { kind: 'block', sessionId: null, ...beside },
});

const turnPiece = ({ id, content, role, created_at, sessionId }: Turn, score: Score): Piece => ({
  memory: { id, type: turnType, content, at: created_at, role },
  about: { kind: 'turn', sessionId, ...scoreOf(score) },
});
