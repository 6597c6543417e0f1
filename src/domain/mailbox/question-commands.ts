/** What agents do with the questions, answers and withdrawals that reach them (questions.ts). */
import type { AgentDraft } from '../agent/agent-draft.js';
import { checkActive } from '../agent/agent-settings.js';
import type { LiveRun, RunRecord, SessionState } from '../agent/agent-state.js';
import { conflict } from '../shared/errors.js';
import type { GivenFiles } from '../run/conversation.js';
import { checkAccepted } from './mailbox.js';
import { isTerminal } from '../model/model.js';
import { createRun } from '../run/new-run.js';
import { sessionFor } from '../shared/caller.js';
import { takePeerFiles } from './peers.js';
import type { AnsweredQuestion, AskedQuestion, Awaited, OpenQuestion, ToldQuestion } from './question-messages.js';
import { tellAsker, withinStep } from './questions.js';
import { takeIn } from '../run/resume-run.js';
import { adoptRun, cancelRun, refuseIfBusy } from '../run/run.js';
import { activeRun } from '../run/run-queue.js';

/** Begins the run that answers. `run` is null if the question was withdrawn before it arrived (Questions.Q1). */
export function takeQuestion(
  d: AgentDraft,
  asked: AskedQuestion,
  {
    isWithdrawn,
    senderHives,
    session,
  }: { isWithdrawn: boolean; senderHives: readonly string[]; session: SessionState | null | undefined },
): { run: string | null } {
  if (isWithdrawn) return { run: null };
  checkActive(d);
  checkAccepted(d, asked.from, senderHives);
  if (asked.via.includes(d.agent.id)) throw conflict(`agent ${d.agent.id} waits for the answer itself`); // Questions.Q4
  d.count({ handled: 1 });
  const { record } = createRun(d, {
    input: asked.question,
    triggeredBy: 'agent',
    sessionId: sessionOf(asked),
    subject: asked.subject,
    maxSteps: asked.maxSteps,
    hops: asked.hops,
    budget: asked.budget,
    powers: asked.powers,
    begunBy: asked.begunBy,
    session,
    parent: { agent_id: asked.from, runId: asked.run },
    owes: { call: asked.call, via: asked.via },
  });
  return { run: record.id };
}

/** The session at the asked agent; of a token that reaches only its own tasks it is one of its own, too. */
export const sessionOf = ({ begunBy, session }: Pick<AskedQuestion, 'begunBy' | 'session'>): string =>
  sessionFor(begunBy, session);

/** Cancels the run of a question that nobody waits for any more. */
export function withdrawQuestion(d: AgentDraft, run: LiveRun | null): void {
  if (!run || isTerminal(run.record.status)) return;
  const live = adoptRun(d, run);
  delete live.record.owes;
  cancelRun(d, live);
}

/** The question of a run that waits for it; undefined if it does not, or not any more. */
export const openQuestion = (run: LiveRun | null, call: string): OpenQuestion | undefined =>
  run?.record.status === 'paused' ? run.record.asked?.find((one) => one.id === call && !one.came) : undefined;

/**
 * Takes an outcome in (Questions.Q2), and has the run go on if it was the last. `mayWait`: it is delivered again later
 * where the agent has too many runs that wait already.
 */
export function takeOutcome(
  d: AgentDraft,
  run: LiveRun | null,
  {
    call,
    by,
    ok,
    result,
    files,
  }: Pick<AnsweredQuestion, 'call' | 'ok' | 'result'> & { by?: string; files?: GivenFiles },
  mayWait: boolean,
): void {
  const question = openQuestion(run, call);
  if (!run || !question || d.agent.endsPaused) return;
  const isLast = run.record.asked?.every((one) => one.came !== undefined || one.id === call) ?? true;
  if (isLast && mayWait) refuseIfBusy(d, activeRun(run.record));
  const live = adoptRun(d, run);
  const taken = files ? takePeerFiles(d, live, files) : '';
  const came = withinStep(live.record, { ok, result: result + taken });
  changeQuestion(live.record, call, { came, waitsFor: undefined, ...(by !== undefined && { run_id: by }) });
  if (!isLast) {
    d.dropRun(live.record.id);
    return;
  }
  const { asked = [], held } = live.record;
  delete live.record.asked;
  takeIn(
    d,
    live,
    asked.map((one, i) => ({
      tool: held[i]?.tool ?? 'ask_agent',
      arguments: held[i]?.arguments ?? {},
      ...(one.came ?? { ok: false, result: 'no answer' }),
    })),
  );
}

/** Notes what the run of a question waits for, and tells who waits for this one. */
export function noteWaiting(d: AgentDraft, run: LiveRun | null, told: ToldQuestion): void {
  const question = openQuestion(run, told.call);
  if (!run || !question || (question.at ?? 0) >= told.at) return;
  note(d, run, told.call, { run_id: told.by, at: told.at, waitsFor: told.waitsFor ?? undefined }, told.waitsFor);
}

/** Notes which run answers. */
export function noteAsked(d: AgentDraft, run: LiveRun | null, call: string, by: string): void {
  const question = openQuestion(run, call);
  if (run && question && question.run_id !== by) note(d, run, call, { run_id: by });
}

function note(d: AgentDraft, run: LiveRun, call: string, changes: Changes, waitsFor?: Awaited | null): void {
  const live = adoptRun(d, run);
  changeQuestion(live.record, call, changes);
  if (waitsFor !== undefined) tellAsker(d, live.record, waitsFor);
  d.dropRun(live.record.id);
}

type Changes = Partial<NonNullable<RunRecord['asked']>[number]>;

function changeQuestion(record: RunRecord, call: string, changes: Changes): void {
  record.asked = record.asked?.map((one) => {
    if (one.id !== call) return one;
    const { waitsFor: _, ...rest } = { ...one, ...changes };
    const { waitsFor } = 'waitsFor' in changes ? changes : one;
    return waitsFor ? { ...rest, waitsFor } : rest;
  });
}
