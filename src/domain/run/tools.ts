/** The effect of a step's tool call on its agent. Whatever had to be looked up is already in the call. */
import { problemOfHandOff } from './hand-off.js';
import type { OutboxItem } from '../shared/documents.js';
import {
  type A2aPeer,
  type AgentTool,
  type OutboundTool,
  approvalOf,
  mayAsk,
  readsOnly,
  toolNamed,
} from '../agent/agent-tools.js';
import { type ResolvedCall, type RunRecord, bounds, configOf, needsReservation } from '../agent/agent-state.js';
import type { AgentDraft } from '../agent/agent-draft.js';
import { writeFor } from '../memory/blocks.js';
import { firstBytes } from '../shared/bounded.js';
import { budgetOf } from '../mailbox/causal-budget.js';
import { HivekeepError } from '../shared/errors.js';
import { wordingOf } from '../memory/identities.js';
import type { AgentConfig } from '../agent/agent-config.js';
import { limits, memoryType } from '../shared/input-fields.js';
import { type Surroundings, forget, inDraft, remember } from '../memory/memories.js';
import type { ToolCall, ToolOutcome } from '../model/model.js';
import { allows, isSameSubject, mayRecall, maySee, missingScope, withSubject } from '../shared/caller.js';
import { problemOfPeerCall } from '../mailbox/peers.js';
import { problemOfQuestion } from '../mailbox/questions.js';
import type { StoredMemory } from '../memory/stored-memory.js';
import { problemOfSpawn } from '../agent/spawning.js';

/** Whether a call changes anything outside its run. */
/** What comes of an answer or a question of a step that has not seen what was said last (Steering.B2). */
export const notGiven = 'not given: the user has said more meanwhile';

export function isAction(config: Pick<AgentConfig, 'tools'>, call: ResolvedCall): boolean {
  if (call.tool !== 'use_tool') return call.tool !== 'recall' && call.tool !== 'ask_human' && call.tool !== 'answer';
  const tool = toolNamed(config, call.arguments['name']);
  return tool !== undefined && !readsOnly(tool, call);
}

/** Whether the call is one that the client carries out. */
export const isOfClient = (config: Pick<AgentConfig, 'tools'>, call: ResolvedCall): boolean =>
  call.tool === 'use_tool' &&
  call.refused === undefined &&
  toolNamed(config, call.arguments['name'])?.kind === 'client';

/** The tool of a call that the service makes to somebody else within a step. */
export function outboundTool(config: Pick<AgentConfig, 'tools'>, call: ResolvedCall): OutboundTool | undefined {
  if (call.tool !== 'use_tool' || call.refused !== undefined) return undefined;
  const tool = toolNamed(config, call.arguments['name']);
  return tool?.kind === 'http' || tool?.kind === 'mcp' ? tool : undefined;
}

/** The peer that a call asks. */
export function peerOf(config: Pick<AgentConfig, 'tools'>, call: ResolvedCall): A2aPeer | undefined {
  if (call.tool !== 'use_tool' || call.refused !== undefined) return undefined;
  const tool = toolNamed(config, call.arguments['name']);
  return tool?.kind === 'a2a' ? tool : undefined;
}

/** What a recall found, and what calls before it in the same reply have made of it. */
export function recallResult(
  { found = [], result }: Extract<ResolvedCall, { tool: 'recall' }>,
  before: readonly ToolOutcome[],
): string {
  const done = before.filter(({ ok }) => ok);
  const gone = done.flatMap(({ tool, arguments: { memory = '' } }) =>
    tool === 'forget' || tool === 'update_memory' ? [memory] : [],
  );
  const kept = done.flatMap(({ tool, arguments: { content = '' } }) =>
    tool === 'remember' || tool === 'update_memory' ? [`${content} (just now, by you)`] : [],
  );
  const left = found.filter(
    ({ id, text }) => !gone.some((named) => id === named || wordingOf(text).startsWith(wordingOf(named))),
  );
  const told = [...kept, ...left.map(({ text }) => text), ...(result === undefined ? [] : [result])];
  return told.join('\n') || 'nothing relevant is known';
}

interface Outcome {
  ok: boolean;
  result: string;
}
const refused = (result: string): Outcome => ({ ok: false, result });

/**
 * Executes a call as writes of the same commit; `before` is what the calls before it in the same reply came to. A call
 * that cannot be executed is an outcome that the reasoner sees, not a failure of the run.
 */
export function executeCall(
  d: AgentDraft,
  run: RunRecord,
  call: ResolvedCall,
  before: readonly ToolOutcome[],
): Outcome {
  const missing = missingScope(run.powers, call.tool);
  if (missing) return refused(`not allowed: the token that asks for it lacks the scope ${missing}`);
  if (call.refused !== undefined) return refused(call.refused);
  switch (call.tool) {
    case 'recall':
      return { ok: true, result: recallResult(call, before) };
    case 'answer':
      return { ok: true, result: 'answered' };
    case 'ask_human':
      return { ok: true, result: 'asked' };
    case 'ask_agent':
      return refused(problemOfQuestion(d, run, call) ?? 'not asked');
    case 'spawn_agent':
      return refused(problemOfSpawn(d, run, call) ?? 'not spawned');
    case 'hand_off':
      return refused(problemOfHandOff(d, run, call) ?? 'not handed over');
    case 'use_tool': {
      const peer = peerOf(configOf(d.agent.config, run), call);
      return refused((peer && problemOfPeerCall(d, run, peer, call)) ?? `there is no tool ${call.arguments['name']}`);
    }
    case 'remember':
      return withReservation(d, call, () =>
        rememberFor(d, run, call.arguments['content'] ?? '', call.arguments['type'] ?? 'semantic', call.around),
      );
    case 'update_memory':
      return withReservation(d, call, () => replaceFor(d, run, call));
    case 'forget':
      return forgetFor(d, run, call);
    case 'block_replace':
    case 'block_append':
      return writeFor(d, run, call);
    case 'send_message':
      if (!call.to) return refused(call.problem ?? 'no such agent');
      return post(
        d,
        run,
        { kind: 'message', to: call.to.id, content: call.arguments['content'] ?? '', type: null },
        `sent to ${call.to.name}`,
      );
    case 'share_with_hive':
      if (!call.hive) return refused(call.problem ?? 'no such hive');
      // the agent may have left the hive since the call was proposed
      if (!d.agent.hives.includes(call.hive)) return refused(`the agent is not in hive ${call.hive}`);
      return share(d, run, call, call.hive);
    default:
      return call satisfies never;
  }
}

/**
 * Uses a quota reservation if the call needs one. Without a reservation the call is refused, and a call that fails uses
 * none.
 */
function withReservation(d: AgentDraft, call: ResolvedCall, carryOut: () => Outcome): Outcome {
  if (!needsReservation(call)) return carryOut();
  if (d.reserved.room <= 0) return refused(d.reserved.problem);
  const outcome = carryOut();
  if (outcome.ok) d.reserved = { room: d.reserved.room - 1, problem: d.reserved.problem };
  return outcome;
}

const share = (d: AgentDraft, run: RunRecord, call: ResolvedCall, hive: string): Outcome =>
  withReservation(d, call, () =>
    post(
      d,
      run,
      { kind: 'share', to: hive, content: call.arguments['content'] ?? '', type: call.arguments['type'] ?? 'semantic' },
      `shared with ${hive}`,
    ),
  );

const tooLong = (content: string, max: number): boolean => Buffer.byteLength(content) > max;

/** The reason why this text cannot be a memory's content or type, or null if it can. */
function unfit(content: string, type: string): string | null {
  if (content.trim() === '') return 'the content is empty';
  if (tooLong(content, limits.memoryContent)) return `the content is longer than ${limits.memoryContent} bytes`;
  return memoryType.safeParse(type).success
    ? null
    : 'the type must be letters, digits, _ . or -, starting with a letter';
}

/** What a run remembers that may not recall everything belongs to its session (OwnTasks.O3). */
function rememberFor(d: AgentDraft, run: RunRecord, content: string, type: string, around?: Surroundings): Outcome {
  const problem = unfit(content, type);
  if (problem) return refused(problem);
  const { candidates = [], ...rest } = inDraft(d, around);
  const known = { ...rest, candidates: candidates.filter((m) => mayRecall(run, m.sessionId)) };
  const input = {
    content,
    type,
    run_id: run.id,
    ...withSubject(run),
    ...(run.begunBy !== undefined && { sessionId: run.sessionId }),
  };
  return attempt(() => `remembered as ${remember(d, input, { agent: d.agent.memory_quota }, known).id}`);
}

/** What a refused call tells of the memory that it named; once that was told, the memory counts as read. */
export const toldAnew = (content: string): string => firstBytes(content, 2000);

const wasChanged = ({ powers }: RunRecord, name: string, { content }: StoredMemory): string =>
  `memory ${name} was changed by somebody since it was read${allows(powers, 'memory:read') ? `: it says now "${toldAnew(content)}"` : ''}`;

type Naming = Extract<ResolvedCall, { tool: 'update_memory' | 'forget' }>;

/**
 * The memory that a call names, unless an earlier call of the same step has removed or replaced it; else the problem.
 * Null if there is none that the run may know of.
 */
function namedBy(
  d: AgentDraft,
  run: RunRecord,
  { named, seen, memory }: Pick<Naming, 'named' | 'seen'> & { memory: string },
): StoredMemory | string | null {
  if (
    !named ||
    !mayRecall(run, named.sessionId) ||
    !maySee(run, named) ||
    d.deletes.some(({ kind, id }) => kind === 'memory' && id === named.id)
  )
    return null;
  if (!isSameSubject(run, named)) return `memory ${memory} is for everybody, and cannot be changed for one of them`; // Subjects.T3
  if (named.patched_at !== seen) return wasChanged(run, memory, named); // Memories.M1
  const changed = d.puts.findLast(({ kind, id }) => kind === 'memory' && id === named.id);
  return (changed?.body as StoredMemory | undefined) ?? named;
}

/** All that a call names: memories, runs in which it was said, and what of it remains, with the reasons. */
interface AllNamed {
  memories: readonly StoredMemory[];
  said: readonly RunRecord[];
  problems: readonly string[];
}

function allNamedBy(d: AgentDraft, run: RunRecord, call: Naming): AllNamed {
  const { also = [], problem, arguments: given } = call;
  const { memory: reference = '' } = given;
  if (problem !== null) return { memories: [], said: [], problems: [problem] };
  const memories: StoredMemory[] = [];
  const said = new Map<string, RunRecord>();
  const problems: string[] = [];
  for (const one of [call, ...also]) {
    if (one.said) {
      // what was said, and the run may take back
      if (mayRecall(run, one.said.sessionId) && isSameSubject(run, one.said)) said.set(one.said.id, one.said);
      continue;
    }
    const found = namedBy(d, run, { ...one, memory: also.length === 0 ? reference : (one.id ?? reference) });
    if (typeof found === 'string') problems.push(found);
    else if (found) memories.push(found);
  }
  if (memories.length + said.size + problems.length === 0) problems.push(`the agent has no memory ${reference}`);
  return { memories, said: [...said.values()], problems };
}

const remainMark = '; what remains: ';
/** The result of a call that named something by its words, with what still says it. */
const withRemains = (result: string, { remains }: Naming, problems: readonly string[]): string => {
  const left = [...problems, ...(remains === undefined ? [] : [remains])];
  return left.length === 0 ? result : `${result}${remainMark}${left.join('; ')}`;
};
/** What still says what such a call has changed, by its result; undefined if nothing does. */
export const remainingIn = (result: string): string | undefined => result.split(remainMark, 2)[1];

/** Of a run that has ended nothing is found by recall any more. The run itself stays, as what happened. */
function withdraw(d: AgentDraft, run: RunRecord): void {
  const { turns: _, ...rest } = run;
  const withdrawn: RunRecord = { ...rest, noted: true };
  d.putRun(withdrawn, run);
  d.index('run', withdrawn);
}

/** The new text is a memory of its own, which supersedes those named: they stay, as history. */
function replaceFor(d: AgentDraft, run: RunRecord, call: Naming): Outcome {
  const { content = '' } = call.arguments;
  const { memories, said, problems } = allNamedBy(d, run, call);
  const [first] = memories;
  if (!first && said.length === 0) return refused(problems.join('; '));
  const type = first?.type ?? 'semantic';
  const unfitting = unfit(content, type);
  if (unfitting) return refused(unfitting);
  // one that was superseded is not ended again
  const also = memories.slice(1).filter((memory) => !memory.superseded_by);
  const input = {
    content,
    type,
    run_id: run.id,
    ...(first && { supersedes: first.id, endsAlso: also.map(({ id }) => id) }),
    ...withSubject(run),
    ...(run.begunBy !== undefined && { sessionId: run.sessionId }),
  };
  return attempt(() => {
    const { id } = remember(d, input, { agent: d.agent.memory_quota }, { candidates: memories });
    for (const one of said) withdraw(d, one);
    return withRemains(`remembered as ${id}`, call, problems);
  });
}

function forgetFor(d: AgentDraft, run: RunRecord, call: Naming): Outcome {
  const { memories, said, problems } = allNamedBy(d, run, call);
  if (memories.length === 0 && said.length === 0) return refused(problems.join('; '));
  return attempt(() => {
    for (const memory of memories) forget(d, { memory });
    for (const one of said) withdraw(d, one);
    const forgotten = [...memories.map(({ id }) => id), ...said.map(({ id }) => `what was said in ${id}`)];
    return withRemains(`forgot ${forgotten.join(', ')}`, call, problems);
  });
}

/** What the service refuses is an outcome of the call. */
function attempt(carryOut: () => string): Outcome {
  try {
    return { ok: true, result: carryOut() };
  } catch (error) {
    if (error instanceof HivekeepError) return refused(error.message);
    throw error;
  }
}

/** Puts a message or a share into the outbox, as a document of this commit that is delivered after it. */
function post(
  d: AgentDraft,
  run: RunRecord,
  item: Pick<OutboxItem, 'kind' | 'to' | 'content' | 'type'>,
  result: string,
): Outcome {
  const problem =
    item.kind === 'share'
      ? unfit(item.content, item.type ?? '')
      : item.content.trim() === ''
        ? 'the content is empty'
        : tooLong(item.content, limits.messageContent)
          ? `the content is longer than ${limits.messageContent} bytes`
          : null;
  if (problem) return refused(problem);
  if (d.agent.outbox >= bounds.outbox) return refused(`${bounds.outbox} messages wait for delivery already`);
  const { messageBudget } = d.env.defaults;
  const left = budgetOf(run, messageBudget);
  if (item.kind === 'message' && left < 1)
    return refused(`the ${messageBudget} messages that one message or run from outside may cause are used up`);
  if (item.kind === 'share' && !d.agent.sharedWith.includes(item.to))
    d.agent.sharedWith = [...d.agent.sharedWith, item.to];
  const id = d.env.ids(item.kind === 'share' ? 'memory' : 'message', d.at);
  const out: OutboxItem = {
    id,
    ...item,
    from: d.agent.id,
    ...(item.kind === 'share' && { run_id: run.id }),
    reply_to: run.triggeredBy === 'message' ? run.messageId : null,
    ...withSubject(run),
    hops: run.hops + 1,
    ...(item.kind === 'message' && { budget: Math.min(d.childBudget, left - 1) }),
    ...(run.powers && { powers: run.powers }),
    created_at: d.time,
  };
  if (out.budget !== undefined) run.budget = left - 1 - out.budget;
  d.put('outbox', id, out, true);
  d.agent.outbox++;
  d.effects.push({ type: 'send', id });
  return { ok: true, result };
}

/*
 * Validation gates (docs/api.md 11.5): what an agent may not do, or say, before somebody has approved it. Every way out
 * of a run asks here.
 *
 *  - With the gate `action`, nothing that changes anything outside the run is done unapproved.
 *  Gate.A2 With the gate `answer`, a run says nothing to whoever asked that nobody has approved: not its answer or what
 *     the service adds to it, no question, no call of a client's tool, no partial answer when a budget ends, no words
 *     of its model in an error. What the run says is what was shown to whoever approved it.
 *  Gate.A3 A tool that a run overrides is no tool of the agent unless somebody who manages the agent has brought it
 *     (`trusted`). Each of its calls waits with either gate, whatever the tool says of itself, because whoever has
 *     brought it says where the call goes, and is sent what the model said.
 *  Gate.A4 A tool may say itself that its calls wait, or that none does with the gate `action`. Where one of the agent
 *     asks, so does each that a caller of Gate.A3 brings and the service calls, or that has its name: whoever may not
 *     change the agent does not get past what it asks for.
 */

type Config = Pick<AgentConfig, 'validation_gate'>;

export const holdsWords = (config: Config): boolean => config.validation_gate === 'answer';

/** Whether the call waits for approval. One that is refused anyway is submitted to nobody (Powers.P3). */
export function isGated(config: AgentConfig, run: GatedRun, call: ResolvedCall): boolean {
  return call.refused === undefined && isHeld(config, run, call) && missingScope(run.powers, call.tool) === null;
}

type GatedRun = Pick<RunRecord, 'powers' | 'overrides' | 'trusted'>;

function isHeld(config: AgentConfig, run: GatedRun, call: ResolvedCall): boolean {
  const { validation_gate: gate = 'none' } = config;
  if (call.tool !== 'use_tool') return gate === 'action' ? isAction(config, call) : holdsWords(config) && speaks(call);
  const { name } = call.arguments;
  const brought = broughtTool(run, name);
  const own = configOf(config, run);
  const approval = approvalOf(toolNamed(own, name), name);
  if (approval === 'ask') return true;
  if (brought) return gate !== 'none' || isAskedFor(config, brought);
  if (gate === 'action') return approval !== 'never' && isAction(own, call);
  return holdsWords(config) && isOfClient(own, call);
}
/** What is passed on in a conversation that was handed over says nothing itself; its answer does. */
const speaks = (call: ResolvedCall): boolean =>
  call.tool === 'answer' || call.tool === 'ask_human' || (call.tool === 'hand_off' && call.forwards !== true);

/** Gate.A4. */
const isAskedFor = ({ tools = [] }: AgentConfig, brought: AgentTool): boolean =>
  tools.some((tool) => mayAsk(tool) && (brought.kind !== 'client' || tool.name === brought.name));

/** The tool of this name that a caller has brought who does not manage the agent (Gate.A3). */
export const broughtTool = (
  { overrides, trusted }: Pick<RunRecord, 'overrides' | 'trusted'>,
  name = '',
): AgentTool | undefined => (overrides?.tools && !trusted ? toolNamed(overrides, name) : undefined);

/** What is submitted for approval: the call, of an answer all that will be said, and what a memory says. */
export const submitted = (call: ResolvedCall, outcomes: RunRecord['done']): ToolCall => ({
  tool: call.tool,
  arguments:
    call.tool === 'answer'
      ? { ...call.arguments, content: answerOf(call, outcomes) }
      : 'says' in call && call.says !== undefined
        ? { ...call.arguments, says: call.says }
        : call.arguments,
  ...(call.parts && { parts: call.parts }),
});

/**
 * An answer is written before the outcomes of the calls beside it are known, so any failures are appended to it, unless
 * it is the text of its data.
 */
export function answerOf({ arguments: { content = '' }, parts }: ToolCall, outcomes: RunRecord['done']): string {
  const [part] = parts ?? [];
  if (part?.kind === 'data' && content === JSON.stringify(part.data)) return content;
  const failed = outcomes.filter((o) => !o.ok).map((o) => `Not done (${o.tool}): ${o.result}`);
  return failed.length === 0 ? content : [content, ...failed].join('\n');
}

/** The output of a run that ends without an answer. */
export const partialAnswer = (config: Config, { partial }: Pick<RunRecord, 'partial'>): string | null =>
  holdsWords(config) ? null : partial;

/** What is told of what is submitted, to all but those who may decide about it (Sight.S1). */
export const awaitsApproval = 'this waits for approval by somebody who manages the agent';

export const wasRejected = (outcome: ToolOutcome): boolean => !outcome.ok && outcome.result.startsWith('rejected');

/** Codes of errors whose messages quote the model. */
const quoting: ReadonlySet<string> = new Set(['refused', 'bad_response', 'bad_output']);

export const publishedError = (
  config: Config,
  error: { code: string; message: string },
): { code: string; message: string } =>
  holdsWords(config) && quoting.has(error.code)
    ? {
        code: error.code,
        message: `the model's reply could not be used (${error.code}), and its gate holds back what it says`,
      }
    : error;
