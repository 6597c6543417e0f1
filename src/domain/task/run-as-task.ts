/** Runs as tasks (docs/api.md 2.8, 3.1): the A2A view of a run, and its conversation. */
import { type AgentTool, placeOf, withoutSecrets } from '../agent/agent-tools.js';
import { type ConversationMessage, type RunRecord, bounds, metadataOf, questionOf } from '../agent/agent-state.js';
import { awaitsApproval, broughtTool, wasRejected } from '../run/tools.js';
import { noModelUsage } from '../agent/budgets.js';
import {
  type Agent,
  type Checkpoint,
  type Question,
  type Run,
  type RunEvent,
  type RunUpdate,
  type Thought,
  type ToolCall,
  isTerminal,
  waitsForAgents,
} from '../model/model.js';
import type { RunStatus, ThoughtType, TokenScope } from '../shared/vocabulary.js';
import { type Part, type Task, type TaskMessage, plainText, saidIn, textOf } from './task.js';
import { type ResumeInput, resumeInput } from '../shared/inputs.js';
import { HivekeepError, invalid } from '../shared/errors.js';
import { modelsAreAway } from '../run/model-outage.js';

/*
 * What a caller may see of a run. Every wire (REST, server-sent events, A2A in each version, pushes, MCP) shows runs
 * by it.
 *
 *  Sight.S1 What a validation gate holds back is shown to those who may decide about it (agent:manage), as what the run
 *     waits for. Everybody else, and everything that outlives the pause (events, the conversation, pushes), is told
 *     that it waits for approval and no more.
 *  Sight.S2 What an agent thinks, and which memories it recalled, is shown to those with agent:read.
 *  Sight.S4 What is set for an agent or a run (config, overrides, metadata) is shown to those with agent:read, by any
 *     operation.
 *  Sight.S3 A model decides at no gate, whatever the scopes of the credential that it uses, and so is shown nothing
 *     that is held back.
 */

export interface Sight {
  decides: boolean;
  thoughts: boolean;
}

export const sightOf = ({ scopes, byModel }: { scopes: readonly TokenScope[]; byModel?: true }): Sight => ({
  decides: scopes.includes('agent:manage') && byModel !== true,
  thoughts: scopes.includes('agent:read'),
});

/** What is told to receivers whose scopes nobody knows. */
export const outside: Sight = { decides: false, thoughts: false };
/** For the service itself. */
export const everything: Sight = { decides: true, thoughts: true };

export function showRun(r: RunRecord, sight: Sight): Run {
  return {
    id: r.id,
    agent_id: r.agent_id,
    status: r.status,
    stopReason: r.stopReason,
    triggeredBy: r.triggeredBy,
    sessionId: r.sessionId,
    subject: r.subject ?? null,
    input: r.input,
    files: (r.files ?? []).map(({ sha256, mediaType, filename = null, size }) => ({
      sha256,
      mediaType,
      filename,
      size,
    })),
    output: r.output,
    output_data: dataOf(r),
    error: r.error,
    waitingFor: questionFor(r, sight),
    retryAt: r.modelOutage?.retryAt ?? null,
    overrides: sight.thoughts && r.overrides ? withoutSecrets(r.overrides) : null,
    metadata: sight.thoughts ? (metadataOf(r) ?? {}) : {},
    maxSteps: r.maxSteps,
    maxRuntimeSeconds: r.maxRuntimeSeconds,
    steps: r.steps,
    forkedFrom: r.forkedFrom,
    parent: r.parent ?? null,
    usage: r.usage ?? noModelUsage,
    created_at: r.created_at,
    updated_at: r.updated_at,
    started_at: r.started_at,
    ended_at: r.ended_at,
  };
}

/** The answer as data; null if it is text alone. */
export const dataOf = ({ parts }: Pick<RunRecord, 'parts'>): unknown =>
  parts?.find((part) => part.kind === 'data')?.data ?? null;

/** Sight.S4. */
export const agentFor = (agent: Agent, scopes: readonly TokenScope[]): Agent =>
  scopes.includes('agent:read') ? agent : { ...agent, config: {}, metadata: {} };

/** What the run waits for (Sight.S1). */
export function questionFor(
  run: Pick<RunRecord, 'id' | 'statusSeq' | 'waitingFor' | 'asked' | 'overrides' | 'trusted'>,
  { decides }: Sight,
): Question | null {
  const asked = questionOf(run);
  if (asked?.kind !== 'approval') return asked;
  return decides && asked.action
    ? { ...asked, question: `approve ${described(asked.action, broughtTool(run, asked.action.arguments['name']))}` }
    : { ...asked, question: awaitsApproval, action: null };
}

/**
 * A call in words for the person who must approve it. `brought` is the tool of a caller that it would use, which may
 * have the name of any tool of the agent, so it is said where the call goes.
 */
function described(
  {
    tool,
    arguments: {
      question = '',
      reason = question,
      instructions = reason,
      content = instructions,
      type,
      to,
      agent,
      hive_id: hive,
      says,
      memory: named,
      name,
      tools = 'no tools',
      input,
      label,
      old = '',
      new: by = '',
      text = '',
    },
  }: ToolCall,
  brought: AgentTool | undefined,
): string {
  if (tool === 'use_tool') return `${name}${brought ? ` (${whereTo(brought)})` : ''}: ${input}`;
  if (tool === 'block_append') return `${tool} to ${label}: ${text}`;
  if (tool === 'block_replace') return `${tool} in ${label} of "${old}": ${by}`;
  if (tool === 'spawn_agent') return `${tool} ${name} with ${tools}: ${content}`;
  const memory = says === undefined ? named : `${named}: ${says}`;
  if (memory !== undefined) return content === '' ? `${tool}: ${memory}` : `${tool} of "${memory}": ${content}`;
  const about =
    tool === 'send_message' || tool === 'ask_agent' || tool === 'hand_off'
      ? ` to ${to ?? agent ?? 'nobody'}`
      : tool === 'share_with_hive' && hive !== undefined
        ? ` in ${hive}`
        : type !== undefined
          ? ` (${type})`
          : '';
  return `${tool}${about}: ${content}`;
}

function whereTo(tool: AgentTool): string {
  const brought = 'a tool that the caller has brought';
  if (tool.kind === 'client') return `${brought} and carries out`;
  return tool.kind === 'mcp' && tool.command !== undefined
    ? `${brought}: the command ${tool.command}`
    : `${brought}, at ${placeOf(tool)}`;
}

const doing: Readonly<Record<ThoughtType, string>> = {
  goal: 'planning',
  recall: 'looking into memory',
  insight: 'thinking',
  action: 'acting',
  result: 'looking at what came of it',
  reflection: 'thinking it over',
};

function inWords({ thoughtType, tool, found }: Thought): string {
  if (found !== undefined) return `looked into memory, ${found} found`;
  return thoughtType === 'action' && tool !== undefined ? `calling ${tool}` : doing[thoughtType];
}

/**
 * An event in neutral words: what the agent is doing, and nothing of what it thinks, knows or has recalled. `steps` is
 * how many the run may take, where that is known.
 */
export const inShort = <E extends RunUpdate>(event: E, steps?: number): E => {
  if (event.type !== 'thought') return event;
  const { thought } = event;
  const of = steps === undefined ? '' : ` of ${steps}`;
  return { ...event, thought: { ...thought, content: `step ${thought.step}${of}: ${inWords(thought)}` } };
};

/**
 * An event of a run as the caller sees it (Sight.S2). The text that a model is writing may turn out to be a thought: it
 * is null for those who see none.
 */
export const eventFor = <E extends RunUpdate>(event: E, { thoughts }: Sight): E | null =>
  thoughts ? event : event.type === 'delta' ? null : inShort(event);

/** A step without the arguments of what was rejected, for those who could not decide about it. */
export const checkpointFor = (checkpoint: Checkpoint, { decides }: Sight): Checkpoint =>
  decides || !checkpoint.calls.some(wasRejected)
    ? checkpoint
    : { ...checkpoint, calls: checkpoint.calls.map((call) => (wasRejected(call) ? { ...call, arguments: {} } : call)) };

/** The message of a run that was ended by its runtime budget and has no output. */
export const isTimedOut = 'the runtime budget is used up';

/** The task of a run, with what changes while it goes on; no spread, so that all tasks have one shape. */
function shownAs(r: RunRecord, changing: Omit<Task, 'id' | 'agent_id' | 'sessionId' | 'maxSteps'>): Task {
  const task: Task = {
    id: r.id,
    agent_id: r.agent_id,
    sessionId: r.sessionId,
    maxSteps: r.maxSteps,
    status: changing.status,
    statusAt: changing.statusAt,
    statusSeq: changing.statusSeq,
    statusMessage: changing.statusMessage,
    output: changing.output,
    history: changing.history,
    lastSeq: changing.lastSeq,
  };
  if (r.contextId !== undefined) task.contextId = r.contextId;
  if (r.progress !== undefined) task.progress = r.progress;
  return task;
}

/** A task whose run waits for other agents is being worked on. */
const asTask = (of: Parameters<typeof waitsForAgents>[0]): RunStatus => (waitsForAgents(of) ? 'running' : of.status);

export function taskOf(r: RunRecord, history: readonly TaskMessage[] | null, sight: Sight): Task {
  const task = shownAs(r, {
    status: asTask(r),
    statusAt: r.statusAt,
    statusSeq: r.statusSeq,
    statusMessage: withStatusMessage(r, sight),
    output: r.status === 'completed' ? (r.parts ?? [{ kind: 'text', text: r.output ?? '' }]) : null,
    history,
    lastSeq: r.nextSeq - 1,
  });
  if (r.waitingFor?.calls) task.statusData = { id: questionOf(r)?.id ?? '', calls: r.waitingFor.calls };
  return task;
}

function withStatusMessage(r: RunRecord, sight: Sight): string | null {
  if (r.status === 'paused') return waitsElsewhere(r) ?? questionFor(r, sight)?.question ?? null;
  if (r.modelOutage) return modelsAreAway;
  return r.status === 'timeout' ? isTimedOut : (r.error?.message ?? null);
}

/** What the run waits for where it is somebody outside whom the agents wait for that it has asked. */
function waitsElsewhere({ waitingFor, asked = [] }: RunRecord): string | null {
  const waits = asked.flatMap(({ came, name, waitsFor }) =>
    !came && waitsFor ? [`${name}: ${waitsFor.question}`] : [],
  );
  return waitingFor?.kind === 'agent' && waits.length > 0 ? `${waitingFor.question}; ${waits.join('; ')}` : null;
}

/** The task as of these events, which are all events of the run from the first on. */
export function taskAfter(r: RunRecord, events: readonly RunEvent[], history: readonly TaskMessage[] | null): Task {
  let status: RunStatus = 'pending';
  let statusAt = r.created_at;
  let statusSeq = 0;
  let statusMessage: string | null = null;
  let output: readonly Part[] | null = null;
  for (const event of events) {
    if (event.type === 'answer') output = event.parts ?? [{ kind: 'text', text: event.content }];
    else if (event.type === 'status') {
      ({ at: statusAt, seq: statusSeq, message: statusMessage } = event);
      status = asTask(event);
      if (!isTerminal(status)) output = null; // a resumed run no longer has an output
    }
  }
  return shownAs(r, {
    status,
    statusAt,
    statusSeq,
    statusMessage,
    output,
    history,
    lastSeq: events.at(-1)?.seq ?? 0,
  });
}

/**
 * Whether somebody who knows the task's id has continued or cancelled it. In that case its first message was answered,
 * so the same message received again is no longer a retry but begins a new task. (A2A leaves this open; conformance
 * kits begin one task after another with the same message.)
 */
export const wasActedOn = (r: RunRecord): boolean => r.status === 'cancelled' || (r.messages?.length ?? 0) > 1;

/** The messages of the run, oldest first. If no A2A message started the run, its input counts as the first message. */
export function historyOf(r: RunRecord): TaskMessage[] {
  const [first = { messageId: r.messageId ?? `${r.id}-input`, role: 'user' as const }, ...rest] = r.messages ?? [];
  const began: TaskMessage = first.parts
    ? (first as TaskMessage)
    : { parts: [{ kind: 'text', text: r.input }], ...first };
  return rest.length === 0 ? [began] : [began, ...(rest as TaskMessage[])];
}

/** The A2A message that started the run; null if it was started in another way. */
export const messageOf = (r: RunRecord): TaskMessage | null =>
  r.messages?.[0] && r.triggeredBy === 'a2a' ? (historyOf(r)[0] ?? null) : null;

/** Adds the question that a paused run has asked, and the reply, to the conversation of the run. */
export function conversationMessage(record: RunRecord, reply: TaskMessage | null): void {
  const before = record.messages ?? [];
  const more: ConversationMessage[] = [];
  const asked = questionOf(record);
  if (asked) more.push({ messageId: asked.id, role: 'agent', parts: [{ kind: 'text', text: asked.question }] });
  if (reply) more.push(reply);
  if (more.length === 0) return;
  const [first = { messageId: record.messageId ?? `${record.id}-input`, role: 'user' as const }] = before;
  record.messages = [first, ...withinBounds([...before.slice(1), ...more])];
}

/** Keeps only the latest messages, because the run's document is rewritten with every step. */
function withinBounds(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
  let from = messages.length;
  for (let size = 0; from > 0 && messages.length - from < bounds.dialog; from--) {
    size += JSON.stringify(messages[from - 1]).length;
    if (size > bounds.dialogBytes && from < messages.length) break;
  }
  return messages.slice(from);
}

/** The key of a message's metadata that names the question which it answers. */
export const answersKey = 'hivekeep/answers';

/**
 * Translates a message to a task into the input of a resume. If the run waits for approval, "approve" (or yes, ok) or a
 * data part `{decision: "approve"}` approves; anything else rejects, and is the reason for it. The metadata of the
 * message may name the question that it answers. Throws RUN_NOT_RESUMABLE if the run does not wait for input.
 */
export function replyOf(r: RunRecord, message: TaskMessage): ResumeInput {
  if (r.status !== 'paused')
    throw new HivekeepError('RUN_NOT_RESUMABLE', `task ${r.id} does not wait for input: it is ${r.status}`, {
      details: { status: r.status, stopReason: r.stopReason },
    });
  const answers = message.metadata?.[answersKey];
  if (answers !== undefined && typeof answers !== 'string')
    throw invalid({ path: `message.metadata["${answersKey}"]`, message: 'must be the messageId of a question' });
  return { ...saidBy(r, message), ...(answers !== undefined && { answers }) };
}

/** The results of tools are a data part `{results: [...]}`. */
function resultsIn({ parts }: TaskMessage): ResumeInput {
  const data = parts.find(({ kind }) => kind === 'data') as { data?: unknown } | undefined;
  const { data: given, error } = resumeInput.pick({ results: true }).required().strip().safeParse(data?.data);
  if (given) return given;
  const issue = error.issues[0];
  throw invalid({
    path: ['message.parts', ...(issue?.path ?? [])].join('.'),
    message: data ? (issue?.message ?? '') : 'must have a data part {"results": [...]}: the task waits for them',
  });
}

function saidBy(r: RunRecord, message: TaskMessage): ResumeInput {
  const text = plainText(message.parts) ?? textOf(message.parts);
  if (r.waitingFor?.kind === 'tools') return resultsIn(message);
  if (r.waitingFor?.kind !== 'approval') return { input: text };
  for (const part of message.parts) {
    if (part.kind !== 'data' || typeof part.data !== 'object' || part.data === null) continue;
    const { decision, input } = part.data as Record<string, unknown>;
    if (decision === 'approve') return { decision };
    if (decision === 'reject') return { decision, ...(typeof input === 'string' && { input }) };
  }
  // trimmed first: two adjacent space patterns would be tried in every combination
  return /^(approved?|yes|ok(ay)?)(\s*[.!])?$/i.test((saidIn(message.parts) ?? text).trim())
    ? { decision: 'approve' }
    : { decision: 'reject', input: text };
}
