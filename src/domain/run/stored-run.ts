/**
 * The stored form of a run, which omits what its key says, and every field that has the value that it has in most runs.
 *
 * Both directions name every field, so that V8 gives all runs one shape (docs/benchmarks.md): an object that is filled
 * by computed names becomes a slow dictionary at about twenty.
 */
import type { HumanInput, JournalEntry, RunRecord } from './records.js';
import { type Checkpoint, type RunDecision, type RunEvent, type Thought, isTerminal } from '../model/model.js';
import { sizeOf } from '../workspace/usage.js';
import type { RunStatus, StopReason, ThoughtType, ToolName } from '../shared/vocabulary.js';
import type { Part } from '../task/task.js';

/** A consulted memory as stored: its id, its relevance, and its type unless the id is that of a turn. */
type StoredHit = [id: string, relevance: number, type?: string];
/** The fields that every stored run has. */
type AlwaysStored =
  | 'status'
  | 'triggeredBy'
  | 'sessionId'
  | 'input'
  | 'maxSteps'
  | 'maxRuntimeSeconds'
  | 'steps'
  | 'created_at'
  | 'updated_at'
  | 'nextSeq'
  | 'statusSeq';
export interface PackedRun
  extends Pick<RunRecord, AlwaysStored>, Partial<Omit<RunRecord, AlwaysStored | 'id' | 'agent_id' | 'consulted'>> {
  consulted?: readonly StoredHit[];
}

const isTurn = (id: string): boolean => id.includes('.');
const turnHit = 'conversation';

export function packRun(run: RunRecord): PackedRun {
  const body: PackedRun = {
    status: run.status,
    triggeredBy: run.triggeredBy,
    sessionId: run.sessionId,
    input: run.input,
    maxSteps: run.maxSteps,
    maxRuntimeSeconds: run.maxRuntimeSeconds,
    steps: run.steps,
    created_at: run.created_at,
    updated_at: run.updated_at,
    nextSeq: run.nextSeq,
    statusSeq: run.statusSeq,
  };
  if (run.stopReason !== null) body.stopReason = run.stopReason;
  if (run.output !== null) body.output = run.output;
  if (run.error !== null) body.error = run.error;
  if (run.waitingFor !== null) body.waitingFor = run.waitingFor;
  if (run.usage !== undefined) body.usage = run.usage;
  if (run.budgetFromUsage) body.budgetFromUsage = run.budgetFromUsage;
  if (run.tree) body.tree = run.tree;
  if (run.lastStep) body.lastStep = true;
  if (run.forkedFrom !== null) body.forkedFrom = run.forkedFrom;
  if (run.started_at !== run.created_at) body.started_at = run.started_at;
  if (run.ended_at !== usualEnd(run)) body.ended_at = run.ended_at;
  if (run.runtimeMs !== 0) body.runtimeMs = run.runtimeMs;
  if (run.budgetFromStep !== 0) body.budgetFromStep = run.budgetFromStep;
  if (run.budgetFromMs !== 0) body.budgetFromMs = run.budgetFromMs;
  if (run.held.length > 0) body.held = run.held;
  if (run.done.length > 0) body.done = run.done;
  if (run.approved) body.approved = true;
  if (run.calling) body.calling = true;
  if (run.partial !== null) body.partial = run.partial;
  if (run.messageId !== null) body.messageId = run.messageId;
  if (run.hops !== 0) body.hops = run.hops;
  if (run.budget !== undefined) body.budget = run.budget;
  if (run.powers !== undefined) body.powers = run.powers;
  if (run.trace !== undefined) body.trace = run.trace;
  if (run.consulted.length > 0) body.consulted = run.consulted.map(packHit);
  if (run.restarts !== undefined) body.restarts = run.restarts;
  if (run.modelOutage !== undefined) body.modelOutage = run.modelOutage;
  if (run.entryId !== null) body.entryId = run.entryId;
  if (run.statusAt !== run.updated_at) body.statusAt = run.statusAt;
  if (run.parts !== undefined) body.parts = run.parts;
  if (run.messages !== undefined) body.messages = run.messages;
  if (run.overrides !== undefined) body.overrides = run.overrides;
  if (run.trusted) body.trusted = true;
  if (run.said !== undefined) body.said = run.said;
  if (run.metadata !== undefined) body.metadata = run.metadata;
  if (run.subject !== undefined) body.subject = run.subject;
  if (run.contextId !== undefined) body.contextId = run.contextId;
  if (run.begunBy !== undefined) body.begunBy = run.begunBy;
  if (run.progress !== undefined) body.progress = run.progress;
  if (run.files !== undefined) body.files = run.files;
  if (run.push !== undefined) body.push = run.push;
  if (run.opens) body.opens = true;
  if (run.earlier !== undefined) body.earlier = run.earlier;
  if (run.chain !== undefined) body.chain = run.chain;
  if (run.passing) body.passing = true;
  if (run.results !== undefined) body.results = run.results;
  if (run.noted) body.noted = true;
  if (run.studied) body.studied = true;
  if (run.later) body.later = true;
  if (run.unheeded !== undefined) body.unheeded = run.unheeded;
  if (run.turns !== undefined) body.turns = run.turns;
  if (run.forks !== undefined) body.forks = run.forks;
  if (run.journalRemoved !== undefined) body.journalRemoved = run.journalRemoved;
  if (run.parent !== undefined) body.parent = run.parent;
  if (run.owes !== undefined) body.owes = run.owes;
  if (run.asked !== undefined) body.asked = run.asked;
  if (run.handed !== undefined) body.handed = run.handed;
  if (run.handedAt !== undefined) body.handedAt = run.handedAt;
  return body;
}

const packHit = ({ id, type, relevance }: RunRecord['consulted'][number]): StoredHit =>
  type === turnHit && isTurn(id) ? [id, relevance] : [id, relevance, type];

/** The approximate size of a run as stored. */
export const runSize = (run: RunRecord): number => sizeOf(packRun(run));

const unpackHit = ([id, relevance, type = turnHit]: StoredHit): RunRecord['consulted'][number] => ({
  id,
  type,
  relevance,
});

/** The run in a document; `entity` is its agent. */
export function unpackRun({
  id,
  entity,
  body: stored,
}: {
  id: string;
  entity: { id: string };
  body: PackedRun;
}): RunRecord {
  const { consulted = [] } = stored;
  const usual: RunRecord = {
    id,
    agent_id: entity.id,
    status: stored.status,
    stopReason: null,
    triggeredBy: stored.triggeredBy,
    sessionId: stored.sessionId,
    input: stored.input,
    output: null,
    error: null,
    waitingFor: null,
    maxSteps: stored.maxSteps,
    maxRuntimeSeconds: stored.maxRuntimeSeconds,
    steps: stored.steps,
    forkedFrom: null,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
    started_at: stored.created_at,
    ended_at: usualEnd(stored),
    nextSeq: stored.nextSeq,
    runtimeMs: 0,
    budgetFromStep: 0,
    budgetFromMs: 0,
    held: [],
    done: [],
    approved: false,
    partial: null,
    messageId: null,
    hops: 0,
    consulted: [],
    entryId: null,
    statusAt: stored.updated_at,
    statusSeq: stored.statusSeq,
  };
  return Object.assign(usual, stored, { id, agent_id: entity.id, consulted: consulted.map(unpackHit) });
}

/** When a run that last changed by ending has ended. */
const usualEnd = ({ status, updated_at }: Pick<RunRecord, 'status' | 'updated_at'>): string | null =>
  isTerminal(status) ? updated_at : null;

/*
 * The stored form of a journal entry, which omits what its key, its run and its neighbours already say. An answer,
 * which appears in the entry both as an event and as the last call of its checkpoint, is stored once. The journal entry
 * is the larger part of what a message costs to write.
 */

/** `at` is omitted if it equals that of the previous event, or for the first event, the entry's own time. */
type PackedEvent = { at?: string } & (
  | { status: RunStatus; stopReason?: StopReason; message?: string; decision?: RunDecision; waitsFor?: 'agent' }
  | { thoughtType: ThoughtType; id: string; content: string; tool?: ToolName; found?: number }
  /** Null content means that the checkpoint's last call has it. */
  | { answer: string | null; parts?: readonly Part[] }
);

export interface PackedEntry {
  runId: string;
  sessionId: string;
  step: number;
  firstSeq: number;
  events: PackedEvent[];
  /** Omitted fields: no output, no time, the time of the last event, the entry's own step. */
  checkpoint?:
    (Pick<Checkpoint, 'calls'> & Partial<Pick<Checkpoint, 'output' | 'runtimeMs' | 'created_at' | 'step'>>) | null;
  human?: HumanInput | null;
  kept?: string;
  created_at: string;
}

const lastAnswer = (checkpoint: Pick<Checkpoint, 'calls'> | null | undefined): string | null => {
  const last = checkpoint?.calls.at(-1);
  return last?.tool === 'answer' ? (last.arguments['content'] ?? null) : null;
};

export function packEntry(entry: JournalEntry): PackedEntry {
  const { runId, sessionId, step, firstSeq, human, created_at, checkpoint: c } = entry;
  const answer = lastAnswer(c);
  let before = created_at;
  const events = entry.events.map((event) => {
    const packed = packEvent(event, answer);
    if (event.at !== before) packed.at = event.at;
    before = event.at;
    return packed;
  });
  const packed: PackedEntry = { runId, sessionId, step, firstSeq, events, created_at };
  if (c) packed.checkpoint = packCheckpoint(c, step, before);
  if (human) packed.human = human;
  if (entry.kept !== undefined) packed.kept = entry.kept;
  return packed;
}

/** `step` is that of its entry, `last` the time of the entry's last event. */
function packCheckpoint(
  { calls, output, runtimeMs, created_at, step: own }: Checkpoint,
  step: number,
  last: string,
): NonNullable<PackedEntry['checkpoint']> {
  const packed: NonNullable<PackedEntry['checkpoint']> = { calls };
  if (output !== null) packed.output = output;
  if (runtimeMs !== 0) packed.runtimeMs = runtimeMs;
  if (created_at !== last) packed.created_at = created_at;
  if (own !== step) packed.step = own;
  return packed;
}

const aside = ({ tool, found }: Pick<Thought, 'tool' | 'found'>): Pick<Thought, 'tool' | 'found'> => ({
  ...(tool !== undefined && { tool }),
  ...(found !== undefined && { found }),
});

function packEvent(event: RunEvent, answer: string | null): PackedEvent {
  switch (event.type) {
    case 'status': {
      const packed: PackedEvent = { status: event.status };
      if (event.stopReason !== null) packed.stopReason = event.stopReason;
      if (event.message !== null) packed.message = event.message;
      if (event.decision) packed.decision = event.decision;
      if (event.waitsFor) packed.waitsFor = event.waitsFor;
      return packed;
    }
    case 'thought':
      return {
        thoughtType: event.thought.thoughtType,
        id: event.thought.id,
        content: event.thought.content,
        ...aside(event.thought),
      };
    case 'answer': {
      const packed: PackedEvent = { answer: event.content === answer ? null : event.content };
      if (event.parts) packed.parts = event.parts;
      return packed;
    }
    default:
      return event satisfies never;
  }
}

/** What a model said beside the calls of its steps, with one more text of the step after so many others. */
export function withAside(
  asides: readonly (string | undefined)[] = [],
  steps: number,
  text: string,
): readonly (string | undefined)[] {
  const out = [...asides];
  out[steps] = out[steps] === undefined ? text : `${out[steps]}\n${text}`;
  return out;
}

/** `id` is the document's id, `agent` that of its entity. */
export function unpackEntry(id: string, agent: string, packed: PackedEntry): JournalEntry {
  const { runId, sessionId, step, firstSeq, human = null, created_at, checkpoint: c = null } = packed;
  const answer = lastAnswer(c) ?? '';
  let at = created_at;
  const events = packed.events.map((event, i): RunEvent => {
    at = event.at ?? at;
    const seq = firstSeq + i;
    if ('status' in event)
      return {
        seq,
        at,
        type: 'status',
        status: event.status,
        stopReason: event.stopReason ?? null,
        message: event.message ?? null,
        ...(event.decision && { decision: event.decision }),
        ...(event.waitsFor && { waitsFor: event.waitsFor }),
      };
    if ('answer' in event)
      return { seq, at, type: 'answer', content: event.answer ?? answer, ...(event.parts && { parts: event.parts }) };
    return {
      seq,
      at,
      type: 'thought',
      thought: {
        id: event.id,
        thoughtType: event.thoughtType,
        content: event.content,
        ...aside(event),
        runId,
        sessionId,
        agent_id: agent,
        step,
        created_at: at,
      },
    };
  });
  const checkpoint = c && {
    id,
    runId,
    agent_id: agent,
    sessionId,
    step: c.step ?? step,
    calls: c.calls,
    output: c.output ?? null,
    runtimeMs: c.runtimeMs ?? 0,
    created_at: c.created_at ?? at,
  };
  const entry: JournalEntry = {
    id,
    runId,
    agent_id: agent,
    sessionId,
    step,
    firstSeq,
    events,
    checkpoint,
    human,
    created_at,
  };
  if (packed.kept !== undefined) entry.kept = packed.kept;
  return entry;
}
