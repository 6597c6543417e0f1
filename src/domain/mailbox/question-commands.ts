/** What agents do with the questions, answers and withdrawals that reach them (questions.ts). */
import type { AgentDraft } from '../agent/agent-draft.js';
import { checkActive } from '../agent/agent-settings.js';
import type { LiveRun, RunRecord, SessionState } from '../agent/agent-state.js';
import { conflict } from '../shared/errors.js';
import type { GivenFiles } from '../run/conversation.js';
import { checkAccepted } from './mailbox.js';
import { isTerminal } from '../model/model.js';
import { createRun } from '../run/new-run.js';
import { narrow, sessionFor } from '../shared/caller.js';
import { isHandedOver, noteHanded } from '../run/hand-off.js';
import { countInTree } from '../agent/budgets.js';
import { holdsWords } from '../run/tools.js';
import { takePeerFiles } from './peers.js';
import type {
  AnsweredQuestion,
  AskedQuestion,
  Awaited,
  OpenQuestion,
  SaidToAsked,
  ToldQuestion,
} from './question-messages.js';
import { tellAsker, waitingForAnswers, withinStep } from './questions.js';
import { resumeRun, takeOutcomes } from '../run/resume-run.js';
import { adoptRun, cancelLiveRun, enqueue, finishStep, giveBack, pauseRun, refuseIfBusy } from '../run/run.js';
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
    said: asked.said,
    earlier: session ? undefined : asked.earlier,
    triggeredBy: 'agent',
    sessionId: sessionOfQuestion(asked),
    subject: asked.subject,
    maxSteps: asked.maxSteps,
    hops: asked.hops,
    budget: asked.budget,
    powers: asked.powers,
    begunBy: asked.begunBy,
    session,
    parent: { agent_id: asked.from, runId: asked.run },
    share: asked.share,
    owes: { call: asked.call, via: asked.via, ...(asked.handed && { handed: asked.handed }) },
  });
  return { run: record.id };
}

/** The session at the asked agent; of a token that reaches only its own tasks it is one of its own, too. */
export const sessionOfQuestion = ({ begunBy, session }: Pick<AskedQuestion, 'begunBy' | 'session'>): string =>
  sessionFor(begunBy, session);

/** Cancels the run of a question that nobody waits for any more. */
export function endQuestionRun(d: AgentDraft, run: LiveRun | null): void {
  if (!run || isTerminal(run.record.status)) return;
  const live = adoptRun(d, run);
  delete live.record.owes;
  cancelLiveRun(d, live);
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
    back,
    used,
  }: Pick<AnsweredQuestion, 'call' | 'ok' | 'result' | 'back' | 'used'> & { by?: string; files?: GivenFiles },
  mayWait: boolean,
  isBack = false,
): void {
  const question = openQuestion(run, call);
  if (!run || !question || d.agent.endsPaused) return;
  const isLast = run.record.asked?.every((one) => one.came !== undefined || one.id === call) ?? true;
  if (isLast && mayWait) refuseIfBusy(d, activeRun(run.record));
  const live = adoptRun(d, run);
  const taken = files ? takePeerFiles(d, live, files) : '';
  const came = withinStep(live.record, { ok, result: result + taken });
  countInTree(live.record, used);
  changeQuestion(live.record, call, { came, waitsFor: undefined, ...(by !== undefined && { run_id: by }) });
  if (!isLast) {
    d.dropRun(live.record.id);
    return;
  }
  const handedOver = isHandedOver(live.record);
  const { asked = [], held } = live.record;
  delete live.record.asked;
  if (handedOver) {
    takeHandedOver(d, live, { ...came, back, isBack });
    return;
  }
  takeOutcomes(
    d,
    live,
    asked.map((one, i) => ({
      tool: held[i]?.tool ?? 'ask_agent',
      arguments: held[i]?.arguments ?? {},
      ...(one.came ?? { ok: false, result: 'no answer' }),
    })),
  );
}

/**
 * Takes in what came of a conversation that was handed over (hand-off.ts): the answer is said by this run; what comes
 * back, or has no answer, is told to the model of this agent, or passed on to the agent that it goes back to.
 */
function takeHandedOver(
  d: AgentDraft,
  live: LiveRun,
  { ok, result, back, isBack }: { ok: boolean; result: string; back: string | undefined; isBack: boolean },
): void {
  const { record } = live;
  const call = { tool: 'hand_off' as const, arguments: record.held[0]?.arguments ?? {} };
  if (ok && back === undefined) {
    // it was passed on before what came back (HandOff.H1)
    if (isBack) noteHanded(d, record, null);
    record.done = [...record.done, { ...call, ok, result: 'it has answered' }];
    record.held = [{ tool: 'answer', arguments: { content: result } }];
    record.waitingFor = null;
    enqueue(d, live);
    return;
  }
  noteHanded(d, record, null);
  const outcome = { ...call, ok, result: back === undefined ? result : `the conversation is yours again: ${result}` };
  if (back === undefined || back === d.agent.id || !record.owes?.handed?.includes(back)) {
    takeOutcomes(d, live, [outcome]);
    return;
  }
  finishStep(d, live, [...record.done, outcome]);
  giveBack(d, live, { to: back, reason: result });
}

/** Takes in what the user has answered to this run, to which the conversation was handed over. */
export function takeSaid(d: AgentDraft, run: LiveRun | null, { input, said, powers }: SaidToAsked): void {
  if (run?.record.status !== 'paused' || run.record.waitingFor?.kind !== 'human') return;
  const live = adoptRun(d, run);
  resumeRun(d, live, { input }, { mayDecide: false, said });
  narrow(live.record, powers);
}

/** Notes what the run of a question waits for, and tells who waits for this one. */
export function noteQuestionWaits(d: AgentDraft, run: LiveRun | null, told: ToldQuestion): void {
  const question = openQuestion(run, told.call);
  if (!run || !question || (question.at ?? 0) >= told.at) return;
  const waitsFor = told.waitsFor && asHere(d, told.waitsFor);
  note(d, run, told.call, { run_id: told.by, at: told.at, waitsFor: waitsFor ?? undefined }, waitsFor);
}

/** Where a gate holds the words of this agent, what another one asks is said where it asks (Gate.A2). */
const asHere = ({ agent }: AgentDraft, waitsFor: Awaited): Awaited =>
  waitsFor.kind === 'human' && holdsWords(agent.config) ? { ...waitsFor, question: asksThere } : waitsFor;
const asksThere = 'it asks a human, and what it asks is shown where it waits';

/** Notes which run answers. */
export function noteAsked(d: AgentDraft, run: LiveRun | null, call: string, by: string): void {
  const question = openQuestion(run, call);
  if (run && question && question.run_id !== by) note(d, run, call, { run_id: by });
}

/** What the agent asks to whom the conversation was handed over is asked by this run (HandOff.H2). */
function note(d: AgentDraft, run: LiveRun, call: string, changes: Changes, waitsFor?: Awaited | null): void {
  const live = adoptRun(d, run);
  const { record } = live;
  changeQuestion(record, call, changes);
  if (waitsFor?.kind === 'human' && isHandedOver(record) && !holdsWords(d.agent.config))
    pauseRun(d, live, { kind: 'human', question: waitsFor.question, action: null });
  else if (waitsFor !== undefined && record.waitingFor?.kind === 'human')
    pauseRun(d, live, waitingForAnswers(record.asked ?? []));
  if (waitsFor !== undefined) tellAsker(d, record, waitsFor);
  d.dropRun(record.id);
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
