/**
 * Runs (docs/api.md 2.3, 3.2): pending -> running -> completed / failed / timeout / cancelled, and running <-> paused.
 * The functions operate on a draft of the agent that the run belongs to. How a run comes into being is in new-run.ts,
 * and how it is resumed in resume-run.ts.
 *
 *  Run.U1 Of one session at most one run is running, of an agent at most `config.max_parallel`; the others are pending,
 *     and begin in the order of their arrival as far as their session is free (run-queue.ts).
 *  Run.U2 Step numbers and event numbers have no gaps, and each step counts once.
 *  Run.U3 A run that was cancelled or has answered stays so. Only a run that stopped at a budget, failed or paused can
 *     continue, by being resumed.
 *  Run.U4 A budget of N steps allows N calls of the reasoner and none after them.
 */
import { handsBack, noteHanded, notePassedOn, problemOfHandOff } from './hand-off.js';
import type { ActiveRun } from '../shared/snapshots.js';
import type { AgentDraft } from '../agent/agent-draft.js';
import { type A2aPeer, isRepeatableCall, notKnown, waitsForClient } from '../agent/agent-tools.js';
import {
  type LiveRun,
  type ResolvedCall,
  type RunRecord,
  type StepReport,
  bounds,
  configOf,
  namesBlock,
  namesMemory,
  needsReservation,
} from '../agent/agent-state.js';
import {
  addModelUsage,
  countEndedRun,
  countUse,
  hasUsedBudget,
  hasUsedTree,
  monthUsedUp,
  renewBudget,
  renewTree,
} from '../agent/budgets.js';
import { budgetOf, childBudget } from '../mailbox/causal-budget.js';
import {
  sessionsAfterRun,
  changesMemory,
  isConversation,
  noteWaitingRun,
  recalledTurns,
  toolResults,
} from './conversation.js';
import { iso } from '../shared/clock.js';
import { HivekeepError } from '../shared/errors.js';
import {
  answerOf,
  awaitsApproval,
  executeCall,
  isGated,
  isOfClient,
  notGiven,
  outboundTool,
  partialAnswer,
  peerOf,
  publishedError,
  submitted,
} from './tools.js';
import { withAside } from './stored-run.js';
import { withKept } from './records.js';
import { noteToLearn, withoutSurroundings } from '../agent/learning.js';
import { afterOutage, modelsAreAway, nextWait, usualModelOutageMs } from './model-outage.js';
import { isTerminal, type RunDecision, waitsForAgents } from '../model/model.js';
import { problemOfPeerCall } from '../mailbox/peers.js';
import { enqueueStatusPush } from '../task/push-commands.js';
import {
  asksAgent,
  awaitedBy,
  type HandedBack,
  problemOfQuestion,
  putQuestions,
  settleQuestions,
  tellAsker,
  waitingForAnswers,
} from '../mailbox/questions.js';
import { noteEndedRun } from './retention.js';
import { activeRun, activeRuns, beginsAtOnce, isBusy, messagesForStep, nextToBegin } from './run-queue.js';
import type { Part } from '../task/task.js';
import { isTimedOut } from '../task/run-as-task.js';
import type { OnBusy, RunStatus, StopReason } from '../shared/vocabulary.js';
import { problemOfSpawn } from '../agent/spawning.js';

/** Refuses a run that would have to wait if it came now and so many wait already, or if it must not wait. */
export function refuseIfBusy(d: AgentDraft, run: Pick<ActiveRun, 'id' | 'session'>, onBusy?: OnBusy): void {
  const { agent } = d;
  if (onBusy === 'reject' && isBusy(agent))
    throw new HivekeepError('AGENT_BUSY', 'the agent has a run in progress and on_busy is reject', {
      retryAfter: 1,
      details: { running: agent.running[0]?.id ?? null },
    });
  if (agent.pending.length >= bounds.queue && !beginsAtOnce(agent, run))
    throw new HivekeepError('AGENT_BUSY', `${bounds.queue} runs are already waiting`, { retryAfter: 1 });
}

/**
 * Starts the run if it is its turn, or else lets it wait. `decision` is what has it go on, if somebody has decided;
 * `inPlace`: it takes the place of one of its session that has just ended (Steering.B1).
 */
export function enqueue(d: AgentDraft, live: LiveRun, decision?: RunDecision, inPlace = false): void {
  const run = activeRun(live.record);
  if (inPlace || beginsAtOnce(d.agent, run)) {
    start(d, live, decision);
    return;
  }
  setStatus(d, live, 'pending', null, null, decision);
  d.agent.pending = [...d.agent.pending, run];
}

/** RunQueue.L2: starts the runs whose turn it is. One of which only the id is in memory is read first. */
export function beginWaiting(d: AgentDraft): void {
  for (let next = nextToBegin(d.agent); next; next = nextToBegin(d.agent)) {
    const { id } = next;
    if (!d.hasRun(id)) {
      d.effects.push({ type: 'fetchNext' });
      return;
    }
    d.agent.pending = d.agent.pending.filter((run) => run.id !== id);
    start(d, d.editRun(id));
  }
}

function start(d: AgentDraft, live: LiveRun, decision?: RunDecision): void {
  // Journal entries are listed by the time they were opened. A step that begins now must not be listed at the time when
  // its run began to wait, so it gets an entry of its own.
  if (live.record.status === 'pending' && live.record.held.length === 0 && live.entry?.events.length)
    d.closeEntry(live);
  d.agent.running = [...d.agent.running, activeRun(live.record)];
  live.record.started_at ??= d.time;
  setStatus(d, live, 'running', null, null, decision);
  if (live.record.held.length > 0) carryOn(d, live);
  else nextStep(d, live);
}

/** Goes on with the calls of the step in progress that are left. */
function carryOn(d: AgentDraft, live: LiveRun): void {
  const { held, done } = live.record;
  if (held.some((call) => needsReservation(call) || namesMemory(call) || namesBlock(call)))
    beginStep(d, live); // this also reserves the quota and looks memories up, see applyStepReport
  else executeCalls(d, live, held, done);
}

/**
 * Begins a step. An attempt is identified by the entity's time, which never repeats, so a late report from before the
 * run stopped is not mistaken for one from the resumed run.
 */
function beginStep(d: AgentDraft, live: LiveRun): void {
  live.attempt = d.at;
  live.stepping = true;
  live.reads = live.record.held.length > 0 ? [] : messagesForStep(d, live).map(({ id }) => id);
  d.effects.push({ type: 'begin', runId: live.record.id });
}

function setStatus(
  d: AgentDraft,
  live: LiveRun,
  status: RunStatus,
  stopReason: StopReason | null = null,
  message: string | null = null,
  decision?: RunDecision,
): void {
  live.record.status = status;
  live.record.stopReason = stopReason;
  const { id: run_id, agent_id, sessionId } = live.record;
  if (waitsForAgents(live.record))
    d.announce('run.status', { run_id, agent_id, sessionId, status, stopReason, waitsFor: 'agent' });
  else d.announce('run.status', { run_id, agent_id, sessionId, status, stopReason });
  d.sessions = noteWaitingRun(d.sessions, live.record);
  tellStatus(d, live, message, decision);
}

export function tellStatus(d: AgentDraft, live: LiveRun, message: string | null, decision?: RunDecision): void {
  const { status, stopReason, nextSeq, push } = live.record;
  live.record.statusAt = d.time;
  live.record.statusSeq = nextSeq;
  d.event(
    live,
    decision
      ? { type: 'status', status, stopReason, message, decision }
      : waitsForAgents(live.record)
        ? { type: 'status', status, stopReason, message, waitsFor: 'agent' }
        : { type: 'status', status, stopReason, message },
  );
  if (push) enqueueStatusPush(d, live.record);
}

/** Removes the run from those running or pending. */
function removeRun(d: AgentDraft, live: LiveRun): void {
  const id = live.record.id;
  live.stepping = false;
  const { running, pending, ending = 0 } = d.agent;
  const others = (runs: readonly ActiveRun[]): readonly ActiveRun[] => runs.filter((run) => run.id !== id);
  const at = activeRuns(d.agent).findIndex((run) => run.id === id);
  d.dropRun(id);
  if (at < 0) return;
  if (ending > 1 && at < ending) d.agent.ending = ending - 1;
  else if (at < ending) delete d.agent.ending;
  d.agent.running = others(running);
  d.agent.pending = others(pending);
  d.mailDue = true;
}

interface Ending {
  stopReason?: StopReason;
  error?: { code: string; message: string };
  output?: string | null;
  back?: HandedBack;
}

export function endRun(d: AgentDraft, live: LiveRun, status: RunStatus, ending: Ending = {}): void {
  const { record } = live;
  if (record.calling) finishStep(d, live, afterCall(record, { ok: false, result: notKnown }));
  record.error = ending.error ?? null;
  if (ending.output !== undefined) record.output = ending.output;
  record.ended_at = d.time;
  record.waitingFor = null;
  record.held = [];
  record.done = [];
  delete record.modelOutage;
  delete record.lastStep;
  const results = toolResults(live);
  if (results) record.results = results;
  setStatus(d, live, status, ending.stopReason ?? null, ending.error?.message ?? null);
  settleQuestions(d, record, ending.back);
  if (status !== 'cancelled') {
    noteToLearn(d, record);
    noteTurns(d, live);
  }
  if (isConversation(record)) d.sessions = sessionsAfterRun(d.sessions, live.record, d.agent.config);
  countEndedRun(d, live.record);
  noteEndedRun(d);
  removeRun(d, live);
}

/** Makes what was said in the run known to recall. */
function noteTurns(d: AgentDraft, live: LiveRun): void {
  const before = live.record.turns;
  const turns = recalledTurns(live.record, configOf(d.agent.config, live.record), d.env.remarkOf);
  if (turns && before) live.record.turns = turns;
  else if (turns)
    live.record = { turns, ...live.record }; // a field that is added to a copy makes another shape of it
  else if (before) delete live.record.turns;
  if (turns || before) d.index('run', live.record);
}

export function pauseRun(
  d: AgentDraft,
  live: LiveRun,
  waitingFor: NonNullable<RunRecord['waitingFor']>,
  decision?: RunDecision,
): void {
  live.record.waitingFor = waitingFor;
  setStatus(d, live, 'paused', null, waitingFor.question, decision);
  const awaited = awaitedBy(live.record);
  if (awaited) tellAsker(d, live.record, awaited);
  if (isConversation(live.record)) d.sessions = sessionsAfterRun(d.sessions, live.record, d.agent.config);
  removeRun(d, live);
}

/**
 * Completes the run without an answer. A partial one is published as the answer, so that followers receive it, unless
 * the agent's answers wait for approval (Gate.A2); without one the answer that is published is empty, because a
 * completed task has an artifact (docs/api.md 2.8).
 */
function endAtBudget(d: AgentDraft, live: LiveRun, stopReason: StopReason): void {
  const output = partialAnswer(d.agent.config, live.record);
  d.event(live, { type: 'answer', content: output ?? '' });
  endRun(d, live, 'completed', { stopReason, output });
}

/** The runtime budget is used up. A partial answer is kept as the output of the run. */
function timeOut(d: AgentDraft, live: LiveRun): void {
  if (partialAnswer(d.agent.config, live.record) === null)
    endRun(d, live, 'timeout', { stopReason: 'timeout', error: { code: 'timeout', message: isTimedOut } });
  else endAtBudget(d, live, 'timeout');
}

/**
 * Applies the report of a finished step. A report from another attempt, or for a run that is not running, is ignored
 * (Model.W3); the result is false then.
 */
export function applyStepReport(
  d: AgentDraft,
  runId: string,
  attempt: number,
  report: StepReport,
  usedMs: number,
): boolean {
  if (!d.isStepping(runId, attempt)) return false;
  const live = d.editRun(runId);
  const { record } = live;
  live.stepping = false;
  if (record.restarts) delete record.restarts;
  if (report.usage) {
    record.usage = addModelUsage(record.usage, report.usage);
    countUse(d, report.usage, report.countFor);
  }
  if (!report.ok && report.away) {
    waitForModels(d, live, report, usedMs, report.away);
    return true;
  }
  record.runtimeMs += usedMs;
  if (!report.ok) {
    endRun(d, live, 'failed', { error: publishedError(d.agent.config, report.error) });
    return true;
  }
  if (record.modelOutage) {
    delete record.modelOutage;
    tellStatus(d, live, null);
  }
  if (report.reserved) d.reserved = report.reserved;
  // These are approved calls that had to wait for a quota reservation. The step's thoughts were already recorded and
  // published when the calls were first proposed.
  if (record.calling) {
    executeCalls(d, live, report.calls.slice(1), afterCall(record, report.came ?? { ok: false, result: notKnown }));
    return true;
  }
  if (record.held.length > 0) {
    executeCalls(d, live, report.calls, record.done);
    return true;
  }
  if (record.steps === 0)
    record.consulted = report.consulted.map(({ id, type, relevance }) => ({ id, type, relevance }));
  const aside = report.thoughts.filter(({ thoughtType }) => thoughtType === 'insight').map(({ content }) => content);
  if (aside.length > 0) live.asides = withAside(live.asides, record.steps, aside.join('\n'));
  for (const { thoughtType, content, tool, found } of report.thoughts) {
    d.event(live, {
      type: 'thought',
      thought: {
        id: d.env.ids('thought', d.at),
        thoughtType,
        content,
        ...(tool !== undefined && thoughtType === 'action' && { tool }),
        ...(found !== undefined && { found }),
        runId,
        sessionId: record.sessionId,
        agent_id: record.agent_id,
        step: record.steps + 1,
        created_at: d.time,
      },
    });
    // what a tool has returned is a `result`
    if (thoughtType === 'insight') record.partial = content;
  }
  if (report.kept !== undefined) {
    d.openEntry(live).kept = report.kept;
    live.kept = withKept(live.kept, record.steps, report.kept);
  }
  executeCalls(d, live, report.calls, []);
  return true;
}

/** Begins the step again when it is time to ask the models that are away, or fails the run (ModelOutage.M1). */
function waitForModels(
  d: AgentDraft,
  live: LiveRun,
  { error: { code, message } }: Extract<StepReport, { ok: false }>,
  usedMs: number,
  { askedMs }: { askedMs: number | null },
): void {
  const { record } = live;
  const before = record.modelOutage;
  const next = nextWait(before, { usedMs, askedMs }, d.env.defaults.modelOutageMs ?? usualModelOutageMs);
  if (!next) {
    const error = { code, message: message + afterOutage(before, usedMs) };
    endRun(d, live, 'failed', { error: publishedError(d.agent.config, error) });
    return;
  }
  record.modelOutage = { ...next.outage, retryAt: iso(d.env.now + next.waitMs) };
  if (!before) tellStatus(d, live, modelsAreAway);
  beginStep(d, live);
}

/** The outcomes of the step with that of the call that has gone out. */
function afterCall(record: RunRecord, came: { ok: boolean; result: string }): RunRecord['done'] {
  const [call] = record.held;
  delete record.calling;
  return call ? [...record.done, { tool: call.tool, arguments: call.arguments, ...came }] : record.done;
}

/** The causal budget that each message sent by this step carries. */
function budgetOfChildren(d: AgentDraft, record: RunRecord, calls: readonly ResolvedCall[]): number {
  const children = calls.filter(
    (c) => (c.tool === 'send_message' || c.tool === 'hand_off' || asksAgent(c)) && c.to !== null,
  ).length;
  if (children === 0) return 0;
  const endsRun =
    record.steps + 1 - record.budgetFromStep >= record.maxSteps ||
    calls.some((c) => c.tool === 'answer' || c.tool === 'ask_human' || c.tool === 'hand_off');
  const origin = d.env.defaults.messageBudget;
  return childBudget(budgetOf(record, origin), children, endsRun, origin);
}

/** The calls of the step that have to wait, and what came of those before them. */
function hold(record: RunRecord, calls: readonly ResolvedCall[], done: RunRecord['done']): void {
  record.held = calls.map(withoutSurroundings);
  record.done = done;
}

/** Puts the questions to agents and peers that are next in the step, side by side; the run waits for their answers. */
function askAgents(d: AgentDraft, live: LiveRun, done: RunRecord['done']): void {
  const { record } = live;
  const config = configOf(d.agent.config, record);
  const asksPeer = (call: ResolvedCall): A2aPeer | undefined => peerOf(config, call);
  const isQuestion = (next: ResolvedCall): boolean =>
    asksAgent(next) || next.tool === 'spawn_agent' || asksPeer(next) !== undefined;
  const end = record.held.findIndex((next, n) => n > 0 && (!isQuestion(next) || isGated(d.agent.config, record, next)));
  putQuestions(d, record, record.held.slice(0, end < 0 ? undefined : end), { done, peerOf: asksPeer });
  pauseRun(d, live, waitingForAnswers(record.asked ?? []));
}

/** Why a call that has to wait for others is not made; null if it is, undefined if it is no such call. */
function problemOfAsking(
  d: AgentDraft,
  record: RunRecord,
  call: ResolvedCall,
  peer: A2aPeer | undefined,
): string | null | undefined {
  if (asksAgent(call)) return problemOfQuestion(d, record, call);
  if (call.tool === 'spawn_agent') return problemOfSpawn(d, record, call);
  return peer && problemOfPeerCall(d, record, peer, call);
}

/** Executes the step's calls in order, up to the first that needs approval or that ends the step. */
function executeCalls(d: AgentDraft, live: LiveRun, calls: readonly ResolvedCall[], done: RunRecord['done']): void {
  const { record } = live;
  const outcomes = [...done];
  const config = configOf(d.agent.config, record);
  d.childBudget = budgetOfChildren(d, record, calls);
  for (const [i, call] of calls.entries()) {
    const endsTurn = call.tool === 'answer' || call.tool === 'ask_human';
    if ((endsTurn || call.tool === 'hand_off') && hasUnseen(live)) {
      outcomes.push({ tool: call.tool, arguments: call.arguments, ok: false, result: notGiven });
      break;
    }
    if (!record.approved && isGated(d.agent.config, record, call)) {
      hold(record, calls.slice(i), outcomes);
      pauseRun(d, live, { kind: 'approval', question: awaitsApproval, action: submitted(call, outcomes) });
      return;
    }
    record.approved = false;
    if (outboundTool(config, call)) {
      hold(record, calls.slice(i), outcomes);
      record.calling = true;
      beginStep(d, live);
      return;
    }
    if (isOfClient(config, call)) {
      hold(record, calls.slice(i), outcomes);
      const others = (next: ResolvedCall, n: number): boolean =>
        n > 0 && (!isOfClient(config, next) || isGated(d.agent.config, record, next));
      const end = record.held.findIndex(others);
      pauseRun(d, live, waitsForClient(record, record.held.slice(0, end < 0 ? undefined : end), outcomes.length));
      return;
    }
    if (problemOfAsking(d, record, call, peerOf(config, call)) === null) {
      hold(record, calls.slice(i), outcomes);
      askAgents(d, live, outcomes);
      return;
    }
    if (call.tool === 'hand_off' && problemOfHandOff(d, record, call) === null) {
      handOver(d, live, call, outcomes);
      return;
    }
    const outcome = executeCall(d, record, call, outcomes);
    if (call.tool === 'hand_off' && call.forwards) noteHanded(d, record, null);
    outcomes.push({ tool: call.tool, arguments: call.arguments, ok: outcome.ok, result: outcome.result });
    if (outcome.ok && changesMemory(call.tool)) record.noted = true;
    if (endsTurn) {
      finishStep(d, live, outcomes);
      if (call.tool === 'answer')
        answered(d, live, answerOf(call, outcomes), call.parts, call.cut ? 'length' : 'answer');
      else pauseRun(d, live, { kind: 'human', question: call.arguments['question'] ?? '', action: null });
      return;
    }
  }
  const saysNothing = calls.length === 0 && outcomes.length === 0 && !hasUnseen(live);
  finishStep(d, live, outcomes);
  if (saysNothing) answered(d, live, '');
  else nextStep(d, live);
}

/** Hands the conversation over, or back: the run ends with it, or waits for what will be its answer. */
function handOver(
  d: AgentDraft,
  live: LiveRun,
  call: Extract<ResolvedCall, { tool: 'hand_off' }>,
  outcomes: RunRecord['done'],
): void {
  const { record } = live;
  const { to, session } = call;
  if (to && handsBack(record, call)) {
    const { reason = '' } = call.arguments;
    finishStep(d, live, [...outcomes, { tool: call.tool, arguments: call.arguments, ok: true, result: 'handed back' }]);
    giveBack(d, live, { to: to.id, reason });
    return;
  }
  hold(record, [call], outcomes);
  askAgents(d, live, outcomes);
  const [asked] = record.asked ?? [];
  if (!to || !asked) return;
  const other = { agent_id: to.id, name: to.name, session: session ?? asked.id };
  if (call.forwards) notePassedOn(d, record, other);
  else noteHanded(d, record, other);
}

/** Ends the run without an answer of its own: the conversation is with an agent that waits for it. */
export function giveBack(d: AgentDraft, live: LiveRun, back: HandedBack): void {
  d.event(live, { type: 'answer', content: '' });
  endRun(d, live, 'completed', { stopReason: 'answer', output: '', back });
}

function answered(
  d: AgentDraft,
  live: LiveRun,
  content: string,
  parts?: readonly Part[],
  stopReason: StopReason = 'answer',
): void {
  if (parts) {
    live.record.parts = content === '' ? parts : [{ kind: 'text', text: content }, ...parts];
    d.event(live, { type: 'answer', content, parts: live.record.parts });
  } else d.event(live, { type: 'answer', content });
  endRun(d, live, 'completed', { stopReason, output: content });
}

/** Whether a step of the run is in progress, or has calls that wait. */
export const stepInProgress = ({ status, held }: Pick<RunRecord, 'status' | 'held'>): boolean =>
  status === 'running' || held.length > 0;

/** Whether something was said to the run that its step in progress has not seen (Steering.B2). */
const hasUnseen = ({ humanInputs, record: { steps } }: LiveRun): boolean =>
  humanInputs.some(({ step }) => step > steps);

/** Records the step with the outcomes of its calls, as a checkpoint. */
export function finishStep(d: AgentDraft, live: LiveRun, calls: RunRecord['done']): void {
  const { record } = live;
  const entry = d.openEntry(live);
  record.steps++;
  record.held = [];
  record.done = [];
  live.transcript = [...live.transcript, calls];
  entry.checkpoint = {
    id: entry.id,
    runId: record.id,
    agent_id: record.agent_id,
    sessionId: record.sessionId,
    step: record.steps,
    calls,
    output: partialAnswer(d.agent.config, record),
    runtimeMs: Math.round(record.runtimeMs),
    created_at: d.time,
  };
  d.count({ checkpoints: 1 });
}

/** Begins the next step, or ends the run if a budget is used up. */
function nextStep(d: AgentDraft, live: LiveRun): void {
  const { record } = live;
  if (live.humanInputs.some(({ step, steers }) => steers && step === record.steps)) {
    // Steering.B3
    record.budgetFromStep = record.steps;
    record.budgetFromMs = record.runtimeMs;
    renewBudget(record);
    renewTree(record);
  }
  if (record.steps - record.budgetFromStep >= record.maxSteps) {
    endAtBudget(d, live, 'max_steps');
    return;
  }
  if (remainingMs(record) <= 0) {
    timeOut(d, live);
    return;
  }
  if (record.steps === 0 && record.triggeredBy === 'message') {
    const refusal = monthUsedUp(d);
    if (refusal) {
      endRun(d, live, 'failed', { error: { code: 'quota_exceeded', message: refusal.message } });
      return;
    }
  }
  if (hasUsedBudget(d.agent.config, record) || hasUsedTree(record)) {
    // Budgets.C1
    if (record.lastStep) {
      endAtBudget(d, live, 'budget');
      return;
    }
    record.lastStep = true;
  }
  if (live.entry?.checkpoint) d.closeEntry(live);
  beginStep(d, live);
}

/**
 * Continues a run after a restart. The step that was in progress runs again, as its first attempt never reported. A
 * step that crashes every process that runs it would otherwise be retried for ever, so the number of processes that
 * restart it is bounded. A call that has not gone out (`isUnsent`) is made (AgentTools.T2).
 */
export function continueRun(d: AgentDraft, runId: string, process?: string, isUnsent = false): void {
  const live = d.editRun(runId);
  const { record } = live;
  if (process !== undefined && process !== record.restarts?.process)
    record.restarts = { count: (record.restarts?.count ?? 0) + 1, process };
  const restarts = record.restarts?.count ?? 0;
  const [call] = record.held;
  const tool = record.calling && call && outboundTool(configOf(d.agent.config, record), call);
  if (record.calling && !(tool && (isUnsent || isRepeatableCall(tool, call)))) {
    record.done = afterCall(record, { ok: false, result: notKnown });
    record.held = record.held.slice(1);
    carryOn(d, live);
  } else if (restarts <= bounds.restartsPerStep) beginStep(d, live);
  else
    endRun(d, live, 'failed', {
      error: {
        code: 'crashed',
        message: `${restarts} processes ended before step ${record.steps + 1} came to its end`,
      },
    });
}

/** Remaining reasoning time in the run's budget, in ms. */
export const remainingMs = (r: RunRecord): number => r.maxRuntimeSeconds * 1000 - (r.runtimeMs - r.budgetFromMs);

/** The step in progress has used up the runtime budget. Returns false if that attempt is no longer in progress. */
export function deadline(
  d: AgentDraft,
  { runId, attempt, usedMs }: { runId: string; attempt: number; usedMs: number },
): boolean {
  if (!d.isStepping(runId, attempt)) return false;
  const live = d.editRun(runId);
  live.record.runtimeMs += usedMs;
  timeOut(d, live);
  return true;
}

/** Fails the run for an internal reason of the service. */
export const failRun = (d: AgentDraft, runId: string, error: { code: string; message: string }): void => {
  endRun(d, d.editRun(runId), 'failed', { error });
};

/**
 * The run that a command refers to: the copy in memory if the run is live, otherwise the one that the shell has read.
 */
export function adoptRun(d: AgentDraft, run: LiveRun): LiveRun {
  return d.hasRun(run.record.id)
    ? d.editRun(run.record.id)
    : d.addRun({
        ...run,
        record: { ...run.record },
        entry: run.entry && { ...run.entry, events: [...run.entry.events] },
      });
}

export function cancelLiveRun(d: AgentDraft, live: LiveRun): void {
  if (isTerminal(live.record.status))
    throw new HivekeepError('CONFLICT', `run ${live.record.id} is ${live.record.status} already`, {
      details: { status: live.record.status },
    });
  endRun(d, live, 'cancelled');
}
