/**
 * What a step of a run starts from: its input, the turns of its session, and the memories that it recalls, as far as
 * its powers allow.
 */
import type { AgentSnapshot } from '../../../src/domain/shared/snapshots.js';
import {
  type HandedOver,
  type LiveRun,
  type SaidTurn,
  type StoredMessage,
} from '../../../src/domain/agent/agent-state.js';
import {
  acceptedTypes,
  isConversation,
  recalledSince,
  saidBy,
  turnType,
  turnsOf,
} from '../../../src/domain/run/conversation.js';
import { blockAt, whyNotWritten } from '../../../src/domain/memory/blocks.js';
import { asksForAll, lookedFor } from '../../../src/english/sentences.js';
import { asksModel } from '../../../src/domain/agent/agent-config.js';
import {
  type Powers,
  allows,
  commonPowers,
  isSameSubject,
  mayRecall,
  maySee,
  seenBy,
} from '../../../src/domain/shared/caller.js';
import { firstBytes } from '../../../src/domain/shared/bounded.js';
import { messageOf } from '../../../src/domain/task/run-as-task.js';
import type { ToolName } from '../../../src/domain/shared/vocabulary.js';
import { unpackRun } from '../../../src/domain/run/stored-run.js';
import { isPresent, wasSo } from '../../../src/domain/memory/memories.js';
import { allOf, wait, type Waiting } from '../../../src/maybe-promise.js';
import type { MemorySpace, RecallHit } from '../../../src/memory/port.js';
import { otherWordings } from '../../../src/english/wordings.js';
import type { PromptFile, RecalledMemory, ToldBlock } from '../../../src/reasoner/port.js';
import type { EntityRef } from '../../../src/store/port.js';
import { consultedHit, documentOf, turnIn, type RecalledDoc } from '../recall-indexes.js';
import type { EntityDeps } from '../deps.js';
import { profileOf } from '../profile.js';
import { blocksFor } from '../../../src/commands/block-reads.js';
import { sessionTurns } from '../../../src/commands/session-reads.js';

export interface StepInput {
  entity: EntityRef;
  agent: AgentSnapshot;
  live: LiveRun;
  messages: readonly StoredMessage[];
  /** The last turns of the run's session; omitted if they have to be read. */
  turns?: readonly SaidTurn[] | undefined;
  /** To whom the session is handed over, if it is and its agent may do so (hand-off.ts). */
  handed?: HandedOver | 'not read yet' | undefined;
  /** The tools that its model is not told of, though what the run overrides may name them. */
  withheld?: readonly ToolName[];
  /** Called when the reasoner has to be waited for. */
  thinking?: () => void;
  /** Called with the text that the model is writing, where that is told. */
  writes?: (text: { readonly soFar: string }) => void;
}
/** A step's input with its session's turns. */
export type FullInput = StepInput & { turns: readonly SaidTurn[] };

/** The last turns of the session before this run, as far as the step may read them (Conversation.V3). */
export function* turnsBefore(deps: EntityDeps, input: StepInput): Waiting<readonly SaidTurn[]> {
  const { entity, agent, live, turns } = input;
  const memory = agent.config.memory;
  const since = recalledSince(memory, deps.clock.now()) ?? -Infinity;
  if (!isConversation(live.record) || memory?.context_tokens === 0) return [];
  if (memory?.conversation === 'off' || !allows(powersOfStep(input), 'memory:read')) return [];
  const read = turns ? null : yield* wait(sessionTurns(deps.store, entity, live.record, agent.config));
  const all = turns ?? (read && isSameSubject(live.record, read) ? read.turns : []);
  return since === -Infinity ? all : all.filter((turn) => Date.parse(turn.at) >= since);
}

/** To whom what is said in the run goes, because its session is handed over; null if to nobody. */
export function* handedTo(deps: EntityDeps, { entity, agent, live, handed }: StepInput): Waiting<HandedOver | null> {
  if (handed !== 'not read yet') return handed ?? null;
  return (yield* wait(sessionTurns(deps.store, entity, live.record, agent.config)))?.handed ?? null;
}

/** The powers of the step: those of the run, limited by those of the messages that the step reads (caller.ts). */
export const powersOfStep = ({ live, messages }: StepInput): Powers =>
  messages.reduce<Powers>((powers, message) => commonPowers(powers, message.powers), live.record.powers);

/** The memory spaces of a recall: the agent's own and its hives', as far as the step may read and its run sees them. */
export function spacesOf(input: StepInput): MemorySpace[] {
  const { entity, agent, live } = input;
  const powers = powersOfStep(input);
  if (!allows(powers, 'memory:read')) return [];
  const hives = allows(powers, 'hive:read') ? agent.hives : [];
  const known = [entity, ...hives.map((id): EntityRef => ({ workspace: entity.workspace, kind: 'hive', id }))];
  return known.flatMap((one) => seenBy(one, live.record)); // Subjects.T1
}

/** The input of the run; empty if the message that woke the run is among the messages of this step. */
export const inputOf = ({ live: { record }, messages }: StepInput): string =>
  messages.some((m) => m.id === record.messageId) ? '' : record.input;

const none: readonly PromptFile[] = [];

/** The files of the run that its agent takes now; what it takes may have changed since they came. */
export function* readFiles({ store }: EntityDeps, { entity, agent, live }: StepInput): Waiting<readonly PromptFile[]> {
  const { files } = live.record;
  if (!files) return none;
  const accepted: readonly string[] = acceptedTypes(agent.config);
  const wanted = files.filter(({ mediaType }) => accepted.includes(mediaType));
  const hashes = wanted.map(({ sha256 }) => sha256);
  const docs = yield* wait(store.getMany(entity, 'file', hashes));
  return wanted.flatMap(({ mediaType, filename, step }, i) => {
    const bytes = docs[i]?.body['bytes'];
    return typeof bytes === 'string' ? [{ mediaType, filename, step, bytes }] : [];
  });
}

/** The query of the recall: what was said, or the data that came instead, or the messages that woke the run. */
const queryOf = (input: StepInput): string =>
  (
    (inputOf(input) && saidBy(input.live.record).trim()) ||
    inputOf(input) ||
    input.messages.map((m) => m.content).join('\n')
  ).slice(0, 4000);

/** The memories that the reasoner is given: first what was said in tasks that the message refers to. */
export function* recallMemories(deps: EntityDeps, input: FullInput): Waiting<RecalledMemory[]> {
  const first = yield* referredTo(deps, input);
  const found = yield* recalledFor(deps, input);
  return first.length === 0 ? found : [...first, ...found.filter(({ id }) => !first.some((f) => f.id === id))];
}

/** Of the tasks that a message refers to (`referenceTaskIds`), at most so many are read, and so much of each turn. */
const mostReferences = 5;
const mostOfReference = 4096;

/** What was said in the agent's tasks that the message refers to, as far as the run may know it. */
function* referredTo({ store }: EntityDeps, input: StepInput): Waiting<RecalledMemory[]> {
  const { entity, live } = input;
  const ids = messageOf(live.record)?.referenceTaskIds ?? [];
  if (ids.length === 0 || !allows(powersOfStep(input), 'memory:read')) return [];
  const found = yield* wait(allOf(ids.slice(0, mostReferences).map((id) => store.get(entity, 'run', id))));
  return found.flatMap((doc) => {
    const run = doc && unpackRun(doc);
    if (!run || !mayRecall(live.record, run.sessionId) || !maySee(live.record, run)) return [];
    return turnsOf(run).map(({ id, content, created_at: at, role }) => ({
      id,
      type: turnType,
      content: firstBytes(content, mostOfReference),
      relevance: 1,
      at,
      role,
    }));
  });
}

/**
 * What recall finds for the step. A model is given the same at each step of a run, because what it is sent is
 * to begin as it did the step before, and nothing that the turns of the session say already.
 */
function* recalledFor(deps: EntityDeps, input: FullInput): Waiting<RecalledMemory[]> {
  const { memory } = input.agent.config;
  const limit = memory?.recall_limit ?? 5;
  const minRelevance = memory?.min_relevance ?? 0.1;
  if (!asksModel(input.agent.config)) return yield* searchForStep(deps, input, queryOf(input), limit, minRelevance);
  if (input.live.record.steps > 0) return yield* recalledBefore(deps, input);
  const shown = new Set(input.turns.map(({ id }) => id));
  const most = limit === 0 ? 0 : limit + mostRepeated;
  const found = yield* searchForStep(deps, input, queryOf(input), most, minRelevance, shown);
  return found.filter(({ content }) => !input.turns.some((turn) => turn.content.includes(content))).slice(0, limit);
}

/** How many memories are looked for beyond those wanted, because turns may say the same. */
const mostRepeated = 5;

/**
 * What a model is to keep in mind of whom the run is for, as it was when the run began, without what the turns of the session
 * say already: so a new wish changes what comes first in a prompt only when those turns change, too.
 */
export function* profileFor(deps: EntityDeps, input: FullInput): Waiting<readonly RecalledMemory[]> {
  const { entity, agent, live } = input;
  const { memory } = agent.config;
  const { record } = live;
  if (memory?.profile_tokens === 0 || record.passing) return [];
  if (!allows(powersOfStep(input), 'memory:read')) return [];
  const now = deps.clock.now();
  const kept = yield* profileOf(deps, {
    spaces: seenBy(entity, record),
    of: record,
    isTold: (sessionId) => mayRecall(record, sessionId),
    turnsSince: recalledSince(memory, now),
    until: Date.parse(record.created_at),
    now,
  });
  return kept.filter(({ id }) => !input.turns.some((turn) => turn.id === id));
}

/** The blocks that a model is told, as they were when the run began, those of its own subject last. */
export function* blocksOfStep({ store }: EntityDeps, input: StepInput): Waiting<readonly ToldBlock[]> {
  const { entity, agent, live, messages } = input;
  const { record } = live;
  if (!asksModel(agent.config) || agent.config.memory?.profile_tokens === 0 || record.passing) return [];
  if (!allows(powersOfStep(input), 'memory:read')) return [];
  const found = yield* blocksFor(store, entity, record);
  return found.flatMap((block) => {
    const told = blockAt(block, record.created_at);
    const mayChange = messages.length === 0 && whyNotWritten(record, block, block.label) === null;
    return told ? [{ label: told.label, description: told.description, value: told.value, mayChange }] : [];
  });
}

/** What the first step of the run consulted, as it was when the run began, without what was deleted since. */
function* recalledBefore(deps: EntityDeps, input: StepInput): Waiting<RecalledMemory[]> {
  const { entity, live } = input;
  const { store } = deps;
  const spaces = new Set(spacesOf(input).map(({ id }) => id));
  const hits = live.record.consulted.map((memory) => consultedHit(entity, memory));
  const docs = hits.map((hit) => documentOf(store, hit));
  const found = yield* wait(allOf(docs));
  const began = Date.parse(live.record.created_at);
  return live.record.consulted.flatMap(({ id, relevance }, i) => {
    const doc = found[i];
    if (!doc || !spaces.has(doc.entity.id) || !maySee(live.record, doc.body)) return [];
    if (doc.kind === 'memory' && !wasSo(doc.body, began)) return [];
    return recalled({ id, relevance }, doc) ?? [];
  });
}

/** How many memories a question for everything that is known finds at least. */
const allAtOnce = 20;

/** Memories, messages and turns about `query`, the best first, without what the step has in hand. */
export function* searchForStep(
  deps: EntityDeps,
  input: FullInput,
  query: string,
  limit: number,
  minRelevance: number,
  without: ReadonlySet<string> = new Set(),
): Waiting<RecalledMemory[]> {
  const spaces = spacesOf(input);
  if (limit === 0 || query.trim() === '' || spaces.length === 0) return [];
  // only a run that messages woke is about the messages that it reads; to another, mail is memory
  const { triggeredBy, messageId, begunBy } = input.live.record;
  const mail = triggeredBy === 'message' ? [messageId, ...input.messages.map((m) => m.id)] : [];
  const inHand = new Set([...mail, ...without]);
  const now = deps.clock.now();
  const turnsSince = recalledSince(input.agent.config.memory, now);
  const all = asksForAll(query);
  const looked = lookedFor(query, input.turns);
  const also = all ? '' : otherWordings(looked);
  const searched = deps.recall.search({
    // a query without a word to look for is answered with what is newest
    query: all ? 'what' : looked,
    ...(also !== '' && { also }),
    spaces,
    limit: (all ? Math.max(limit, allAtOnce) : limit) * (begunBy === undefined ? 1 : ofOthers) + inHand.size,
    minRelevance: all ? 0 : minRelevance,
    ...(turnsSince !== undefined && { turnsSince }),
    now,
  });
  const most = all ? Math.max(limit, allAtOnce) : limit;
  const wanted = (yield* wait(searched)).filter((h) => !inHand.has(h.id));
  const own = yield* fetchHits(deps, begunBy === undefined ? wanted.slice(0, most) : wanted, input);
  return own.slice(0, most);
}

/** A run that may not recall everything (caller.ts) looks at so many times as much as it is given. */
const ofOthers = 8;

/** Reads the contents from the store. Documents that have been deleted meanwhile are left out. */
function* fetchHits(deps: EntityDeps, hits: readonly RecallHit[], { live }: StepInput): Waiting<RecalledMemory[]> {
  const found = yield* wait(allOf(hits.map((hit) => documentOf(deps.store, hit))));
  const now = deps.clock.now();
  const memories: RecalledMemory[] = [];
  for (const [i, hit] of hits.entries()) {
    const doc = found[i];
    // checked again (Recall.R5, Recall.R6), because the index of a stale owner may be behind the store
    const mine =
      doc &&
      maySee(live.record, doc.body) &&
      mayRecall(live.record, doc.kind === 'message' ? null : doc.body.sessionId);
    const memory = mine && (doc.kind !== 'memory' || isPresent(doc.body, now)) ? recalled(hit, doc) : null;
    if (memory) memories.push(memory);
  }
  return memories;
}

/** Null for a turn that is no longer part of its run. */
function recalled(
  { id, relevance, byMeaning }: Pick<RecallHit, 'id' | 'relevance' | 'byMeaning'>,
  doc: RecalledDoc,
): RecalledMemory | null {
  if (doc.kind === 'run') {
    const turn = turnIn(doc, id);
    return turn ? { id, type: turnType, content: turn.content, relevance, at: turn.created_at, role: turn.role } : null;
  }
  const type = doc.kind === 'message' ? doc.kind : doc.body.type;
  const memory: RecalledMemory = { id, type, content: doc.body.content, relevance };
  memory.at = (doc.kind === 'memory' ? doc.body.occurred_at : undefined) ?? doc.body.created_at;
  if (doc.kind === 'memory' && doc.body.speaker) memory.speaker = doc.body.speaker;
  if (byMeaning) memory.byMeaning = byMeaning;
  if (doc.kind === 'memory' && doc.body.patched_at !== undefined) memory.patched_at = doc.body.patched_at;
  return memory;
}
