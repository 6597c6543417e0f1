/**
 * The stored form of a journal entry, which omits what its key, its run and its neighbours already say. An answer,
 * which appears in the entry both as an event and as the last call of its checkpoint, is stored once. The journal entry
 * is the larger part of what a message costs to write.
 */
import type { HumanInput, JournalEntry } from './records.js';
import type { Checkpoint, RunDecision, RunEvent, Thought } from './model.js';
import type { RunStatus, StopReason, ThoughtType, ToolName } from './vocabulary.js';
import type { Part } from './task.js';

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
