/** Resuming a run that has paused, failed or stopped at a budget (Run.U3). */
import type { AuditAction } from '../shared/vocabulary.js';
import { recordChange, deciderOf } from '../workspace/audit.js';
import type { AuditActor } from '../shared/draft.js';
import type { AgentDraft } from '../agent/agent-draft.js';
import { type HumanInput, type LiveRun, type RunRecord, configOf, questionOf } from '../agent/agent-state.js';
import { renewBudget, renewTree } from '../agent/budgets.js';
import { budgetOf } from '../mailbox/causal-budget.js';
import { type GivenFiles, takeFiles, withoutSession } from './conversation.js';
import { HivekeepError, insufficientScope, invalid } from '../shared/errors.js';
import type { ResumeInput } from '../shared/inputs.js';
import type { RunDecision, ToolOutcome } from '../model/model.js';
import { sayToAsked, tellAsker, waitingForAnswers } from '../mailbox/questions.js';
import { isHandedOver } from './hand-off.js';
import { enqueue, finishStep, pauseRun, refuseIfBusy } from './run.js';
import { activeRun } from './run-queue.js';
import type { TaskMessage } from '../task/task.js';
import { conversationMessage as noteSaid } from '../task/run-as-task.js';

interface Resumption {
  /** Whether the caller may approve or reject. */
  mayDecide: boolean;
  /** What of the input was said, if data came with it. */
  said?: string | undefined;
  /** The A2A message that carried the input, if there was one. */
  message?: TaskMessage;
  files?: GivenFiles | undefined;
  /** Who decides or answers. */
  by?: AuditActor | undefined;
}

/**
 * Resumes a run with this input, or throws the reason why that is not possible: RUN_NOT_RESUMABLE in its present
 * status, CONFLICT if the input answers another question than the one that the run waits for, an error that names the
 * field if the input does not fit what the run waits for, or AGENT_BUSY if too many runs are pending.
 */
export function resumeRun(
  d: AgentDraft,
  live: LiveRun,
  input: ResumeInput,
  { mayDecide, said: told, message, files, by }: Resumption,
): void {
  const { record } = live;
  const human = (decision: HumanInput['decision'], text: string): HumanInput => ({
    step: record.steps,
    decision,
    input: text,
    ...(told !== undefined && { said: told }),
  });
  const refuse = (why: string): never => {
    throw new HivekeepError('RUN_NOT_RESUMABLE', `run ${record.id} cannot be resumed: ${why}`, {
      details: { status: record.status, stopReason: record.stopReason },
    });
  };
  checkQuestion(record, input.answers);
  const decision = by && decisionOn(record, input, by);
  let said: HumanInput | null = null;
  let outcomes: readonly ToolOutcome[] | null = null;
  if (input.results && record.waitingFor?.kind !== 'tools')
    throw invalid({ path: 'results', message: 'must be left out: the run waits for no results' });
  if (record.status === 'paused' && record.waitingFor?.kind === 'approval') {
    if (!mayDecide) throw insufficientScope('agent:manage', 'approving or rejecting what an agent is about to do');
    if (input.decision === undefined)
      throw invalid({ path: 'decision', message: 'must be "approve" or "reject": the run waits for approval' });
    if (input.decision === 'approve') record.approved = true;
    else said = human('reject', input.input ?? '');
  } else if (record.status === 'paused' && record.waitingFor?.kind === 'tools') {
    outcomes = outcomesOf(record, input);
  } else if (record.status === 'paused' && record.waitingFor?.kind === 'agent') {
    const { agent_id, run_id } = record.asked?.find(({ waitsFor }) => waitsFor)?.waitsFor ?? {};
    refuse(
      `it waits for other agents${run_id === undefined ? '' : `: what these wait for is answered at run ${run_id} of agent ${agent_id}`}`,
    );
  } else if (record.status === 'paused') {
    if (input.input === undefined)
      throw invalid({ path: 'input', message: 'must answer the question that the run waits for' });
    said = human(null, input.input);
  } else if (record.status === 'pending' || record.status === 'running') refuse(`it is ${record.status}`);
  else if (record.status === 'cancelled' || record.stopReason === 'answer' || record.stopReason === 'length')
    refuse(record.status === 'cancelled' ? 'it was cancelled' : 'it has answered');
  else if (live.historyRemoved) refuse('its journal was removed some time after it had ended');
  else {
    if (input.decision !== undefined)
      throw invalid({ path: 'decision', message: 'must be left out: the run does not wait for approval' });
    record.budgetFromStep = record.steps;
    record.budgetFromMs = record.runtimeMs;
    renewBudget(record);
    renewTree(record);
    if (input.input !== undefined) said = human(null, input.input);
  }
  const [file] = files?.given ?? [];
  if (file && said?.decision !== null)
    throw invalid({
      path: file.path,
      message: 'must be left out: files come with answers, not with decisions or results',
    });
  refuseIfBusy(d, activeRun(record));
  d.sessions = withoutSession(d.sessions, record.sessionId); // its turns of this run change
  if (outcomes) {
    tellAsker(d, record, null);
    takeOutcomes(d, live, outcomes);
    return;
  }
  // results of tools are what its client is for
  if (by) recordChange(d, by, actionOf(decision), { target_id: record.id, words: input.input ?? null });
  takeFiles(d, record, configOf(d.agent.config, record), files, record.steps);
  noteSaid(
    record,
    message ??
      (input.input === undefined
        ? null
        : {
            messageId: `${record.id}-reply-${record.nextSeq}`,
            role: 'user',
            parts: [{ kind: 'text', text: input.input }],
          }),
  );
  if (said && isHandedOver(record)) {
    passOn(d, live, said, decision);
    return;
  }
  delete record.parts;
  delete record.restarts;
  // A resume from outside is an origin.
  record.budget = Math.max(budgetOf(record, d.env.defaults.messageBudget), d.env.defaults.messageBudget);
  Object.assign(record, { waitingFor: null, error: null, output: null, ended_at: null, stopReason: null });
  if (!record.approved) closeForResume(d, live, said);
  tellAsker(d, record, null);
  enqueue(d, live, decision);
}

/** The answer to what the agent asks to whom the conversation was handed over goes there; the run waits on. */
function passOn(d: AgentDraft, live: LiveRun, said: HumanInput, decision: RunDecision | undefined): void {
  const { record } = live;
  sayToAsked(d, record, said.input, said.said);
  if (live.entry) d.closeEntry(live);
  live.humanInputs = [...live.humanInputs, said];
  live.nextHuman = said;
  pauseRun(d, live, waitingForAnswers(record.asked ?? []), decision);
  tellAsker(d, record, null);
}

/** What is told of a decision or an answer; undefined if the run waits for neither. */
function decisionOn(
  { waitingFor }: RunRecord,
  { decision = 'reject', input }: ResumeInput,
  by: AuditActor,
): RunDecision | undefined {
  if (waitingFor?.kind !== 'approval' && waitingFor?.kind !== 'human') return undefined;
  return { decision: waitingFor.kind === 'human' ? 'answer' : decision, by: deciderOf(by), words: input ?? null };
}

const actions = { approve: 'run.approved', reject: 'run.rejected', answer: 'run.answered' } as const;
const actionOf = (told: RunDecision | undefined): AuditAction =>
  told && told.decision !== 'steer' ? actions[told.decision] : 'run.resumed';

/** What somebody has read a while ago may be answered by now, and the run may ask something else. */
function checkQuestion(record: RunRecord, answers: string | undefined): void {
  const asked = questionOf(record);
  if (answers === undefined || answers === asked?.id) return;
  const now = asked ? `it asks ${asked.id} by now` : `it waits for no answer: it is ${record.status}`;
  throw new HivekeepError('CONFLICT', `run ${record.id} does not wait for an answer to ${answers}: ${now}`, {
    details: { status: record.status, question: asked?.id ?? null },
  });
}

/** What the calls that the run waits for came to; each has exactly one result. */
function outcomesOf({ waitingFor, held }: RunRecord, input: ResumeInput): readonly ToolOutcome[] {
  const { results } = input;
  const calls = waitingFor?.calls ?? [];
  for (const path of ['decision', 'input'] as const)
    if (input[path] !== undefined)
      throw invalid({ path, message: 'must be left out: the run waits for the results of tools' });
  const given = new Map(results?.map((result) => [result.id, result]));
  if (given.size !== results?.length || given.size !== calls.length || !calls.every(({ id }) => given.has(id)))
    throw invalid({
      path: 'results',
      message: `must have one result of each of ${calls.map(({ id }) => id).join(', ')}`,
    });
  return calls.map(({ id }, i) => {
    const { content, error = '' } = given.get(id) ?? {};
    return {
      tool: 'use_tool',
      arguments: held[i]?.arguments ?? {},
      ok: content !== undefined,
      result: content ?? error,
    };
  });
}

/** Goes on with the calls behind those that have come to something, or with the next step. */
export function takeOutcomes(d: AgentDraft, live: LiveRun, outcomes: readonly ToolOutcome[]): void {
  const { record } = live;
  record.done = [...record.done, ...outcomes];
  record.held = record.held.slice(outcomes.length);
  record.waitingFor = null;
  if (record.held.length === 0) {
    finishStep(d, live, record.done);
    d.closeEntry(live);
  }
  enqueue(d, live);
}

/**
 * Closes the interrupted step as it stands, with the calls that were carried out. The next step gets its own journal
 * entry, which includes what the human said.
 */
function closeForResume(d: AgentDraft, live: LiveRun, said: HumanInput | null): void {
  const { record } = live;
  if (record.held.length > 0)
    finishStep(d, live, [
      ...record.done,
      ...record.held.slice(0, 1).map((c) => ({
        tool: c.tool,
        arguments: c.arguments,
        ok: false,
        result: `rejected${said?.input ? `: ${said.input}` : ''}`,
      })),
    ]);
  d.closeEntry(live);
  if (said === null) return;
  live.humanInputs = [...live.humanInputs, said];
  live.nextHuman = said;
}
