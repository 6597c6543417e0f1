/**
 * What is said in a session that is busy (docs/api.md 11.2): `interrupt` ends what is going on there and says it at
 * once, `steer` says it to the run that is going on.
 *
 *  Steering.B1 What is interrupted ends in the commit that begins the new run, which begins in its place, before others
 *     that wait. What it had said stays in the session, as said and not finished.
 *  Steering.B2 What is said to a run that is going on is seen by the first step that begins after it. A step in progress
 *     has not seen it, so that its answer and its question to a human are not given, and the run goes on.
 *  Steering.B3 The step that sees it has fresh budgets of steps and of time, as of a run that is resumed.
 *  - A run that is paused is not going on, unless it waits for other agents: what is said then begins a run, or answers
 *    (Conversation.V5).
 */
import { deciderOf } from '../workspace/audit.js';
import type { AuditActor } from '../shared/draft.js';
import { bounds, type HumanInput, type LiveRun, type RunRecord, type SessionState } from '../agent/agent-state.js';
import type { AgentDraft } from '../agent/agent-draft.js';
import { budgetOf } from '../mailbox/causal-budget.js';
import { withoutSession, withSession } from './conversation.js';
import { HivekeepError } from '../shared/errors.js';
import { type GivenFiles, takeFiles } from './conversation.js';
import { waitsForAgents } from '../model/model.js';
import type { ActiveRun, AgentSnapshot } from '../shared/snapshots.js';
import { conversationMessage as noteReply } from '../task/run-as-task.js';
import { adoptRun, endRun, stepInProgress, tellStatus } from './run.js';
import { configOf } from '../agent/agent-state.js';
import { partialAnswer } from './tools.js';
import type { TaskMessage } from '../task/task.js';

/** The run of the session that is going on, with what its model has written of the step in progress. */
export interface BusyRun {
  run: LiveRun;
  written: string;
}

/** What of the session is running or, if nothing is, waits for its turn and came last. */
export const activeIn = (
  { running, pending }: Pick<AgentSnapshot, 'running' | 'pending'>,
  session: string,
): ActiveRun | undefined =>
  running.find((run) => run.session === session) ?? pending.findLast((run) => run.session === session);

export const isGoingOn = (run: Pick<RunRecord, 'status' | 'waitingFor'>): boolean =>
  run.status === 'running' || run.status === 'pending' || waitsForAgents(run);

/**
 * Ends what is going on (Steering.B1). Returns whether it was running, so that its place is free. `session` is its
 * session as it was read, which then has what became of it.
 */
export function interruptRun(
  d: AgentDraft,
  { run, written }: BusyRun,
  session: SessionState | null | undefined,
): boolean {
  const live = adoptRun(d, run);
  const { sessionId } = live.record;
  if (session && !d.sessions.has(sessionId)) d.sessions = withSession(d.sessions, sessionId, session);
  const wasRunning = live.record.status === 'running';
  const said = written.trim() === '' ? null : written;
  endRun(d, live, 'cancelled', {
    stopReason: 'interrupted',
    output: said ?? partialAnswer(configOf(d.agent.config, live.record), live.record),
  });
  return wasRunning;
}

/** What is said. */
export interface Steering {
  input: string;
  /** What of the input was said, if data came with it. */
  said?: string | undefined;
  message?: TaskMessage;
  files?: GivenFiles | undefined;
  by?: AuditActor | undefined;
}

/** Says it to the run that is going on (Steering.B2). AGENT_BUSY where so much was said to it that it has not seen. */
export function steerRun(d: AgentDraft, run: LiveRun, { input, said, message, files, by }: Steering): RunRecord {
  const live = adoptRun(d, run);
  const { record } = live;
  const step = record.steps + (stepInProgress(record) ? 1 : 0);
  if (live.humanInputs.filter((one) => one.step >= step).length >= bounds.steered)
    throw new HivekeepError('AGENT_BUSY', `${bounds.steered} messages wait for the next step of run ${record.id}`, {
      retryAfter: 1,
      details: { running: record.id },
    });
  const words: HumanInput = { step, decision: null, input, steers: true };
  if (said !== undefined) words.said = said;
  takeFiles(d, record, configOf(d.agent.config, record), files, step);
  noteReply(
    record,
    message ?? {
      messageId: `${record.id}-said-${record.nextSeq}`,
      role: 'user',
      parts: [{ kind: 'text', text: input }],
    },
  );
  // what is said from outside is an origin
  record.budget = Math.max(budgetOf(record, d.env.defaults.messageBudget), d.env.defaults.messageBudget);
  live.humanInputs = [...live.humanInputs, words];
  if (live.entry) d.closeEntry(live);
  live.nextHuman = words;
  tellStatus(d, live, null, by && { decision: 'steer', by: deciderOf(by), words: input });
  if (record.status === 'paused') {
    d.sessions = withoutSession(d.sessions, record.sessionId); // its turns of this run change
    d.dropRun(record.id);
  }
  return record;
}
