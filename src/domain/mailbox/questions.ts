/**
 * Questions that a run puts to other agents and waits for (docs/agents-together.md; model: Model.Q1 to Model.Q4): what
 * the agents send each other, and what of it their runs keep. What is done with what arrives is in question-commands.ts.
 *
 * The run that asks pauses, in the commit that puts its questions into its agent's outbox, each under the id of its
 * call. The agent that is asked begins a run for it. The commit that ends that run puts the outcome into the outbox of
 * its agent, and the run that asked goes on with the commit that takes in the last outcome that it waits for.
 *
 *  Questions.Q1 A question is asked once: the commit that begins its run records the id of the call, for longer than a
 *     question is delivered. A question that was withdrawn before it arrived is recorded as well, and begins no run.
 *  Questions.Q2 A question is answered once: the run that owes the answer owes it until the commit that ends it, and the
 *     run that asks takes an outcome in while the call is open, and never again.
 *  Questions.Q3 Nobody waits for ever. A question that is refused, or cannot be delivered, has that as its outcome; an
 *     agent that is deleted ends its runs and delivers what they owe before anything of it is removed; an answer is
 *     delivered for as long as there is somebody to take it.
 *  Questions.Q4 No circle: who waits for the answer of a run, directly or through others, is not asked by it.
 *  Questions.Q5 A question carries on what bounds its run: the powers, the token whose conversations it may know, the
 *     subject, the hops, and a share of the causal budget.
 */
import type { AgentDraft } from '../agent/agent-draft.js';
import { type A2aPeer, callId } from '../agent/agent-tools.js';
import { bounds, questionOf, type ResolvedCall, type RunRecord } from '../agent/agent-state.js';
import { firstBytes } from '../shared/bounded.js';
import { budgetOf } from './causal-budget.js';
import type { QuestionItem } from '../shared/documents.js';
import { limits } from '../shared/input-fields.js';
import type { AskedQuestion, Awaited, OpenQuestion, QuestionMessage } from './question-messages.js';
import { putPeerCall } from './peers.js';
import type { HeldCall } from '../run/records.js';
import { withSubject } from '../shared/caller.js';
import { hasUsedTree, shareOf, usedInTree } from '../agent/budgets.js';
import { putSpawn } from '../agent/spawning.js';

export type AskCall = Extract<ResolvedCall, { tool: 'ask_agent' }>;

/** How much of an answer is taken in, and of all answers of one step together. */
const mostOfAnswer = 256 * 1024;
const mostOfStep = 1024 * 1024;

/** The agents that would wait for what this run asks. */
const askersOf = (d: AgentDraft, { owes }: RunRecord): readonly string[] => [...(owes?.via ?? []), d.agent.id];

/** Why the question is not put, as its outcome; null if it is. */
export function problemOfQuestion(d: AgentDraft, run: RunRecord, call: AskCall): string | null {
  if (call.refused !== undefined) return call.refused;
  if (!call.to) return call.problem ?? 'no such agent';
  const { question = '', session = '', max_steps: steps } = call.arguments;
  if (question.trim() === '') return 'the question is empty';
  if (Buffer.byteLength(question) > limits.messageContent)
    return `the question is longer than ${limits.messageContent} bytes`;
  if (Buffer.byteLength(session) > limits.reference) return `session is longer than ${limits.reference} bytes`;
  if (steps !== undefined && !/^([1-9]\d?|100)$/.test(steps)) return 'max_steps must be a whole number from 1 to 100';
  return problemOfSending(d, run, call.to);
}

/** Why nothing is asked of this agent by this run; null if it may be. */
export function problemOfSending(d: AgentDraft, run: RunRecord, to: { id: string; name: string }): string | null {
  const askers = askersOf(d, run);
  if (askers.includes(to.id))
    return `${to.name} waits for this answer itself, so that asking it would be a circle: ${[...askers, to.id].join(' -> ')}`;
  if (run.hops >= bounds.maxHops) return `the question has gone through ${bounds.maxHops} agents already`;
  if (d.agent.outbox >= bounds.outbox) return `${bounds.outbox} messages wait for delivery already`;
  if (hasUsedTree(run)) return 'the budget of this run with all that it asks is used up';
  const { messageBudget } = d.env.defaults;
  return budgetOf(run, messageBudget) < 1
    ? `the ${messageBudget} messages that one message or run from outside may cause are used up`
    : null;
}

/**
 * Puts the questions of these calls, which are the next of the step, into the outbox. One that cannot be put has its
 * outcome at once.
 */
export function putQuestions(
  d: AgentDraft,
  run: RunRecord,
  calls: readonly ResolvedCall[],
  { done, peerOf }: { done: RunRecord['done']; peerOf: (call: ResolvedCall) => A2aPeer | undefined },
): void {
  const put: OpenQuestion[] = [];
  for (const [i, call] of calls.entries()) put.push(putQuestion(call, i));
  run.asked = put;

  function putQuestion(call: ResolvedCall, i: number): OpenQuestion {
    const id = callId(run.id, run.steps + 1, done.length + i + 1);
    if (call.tool === 'spawn_agent') return putSpawn(d, run, call, id);
    const peer = peerOf(call);
    if (peer) return putPeerCall(d, run, id, peer, call);
    if (!asksAgent(call) && call.tool !== 'hand_off') throw new Error(`${call.tool} asks nobody`);
    const { name = call.arguments['agent'] ?? '', id: agent_id = null } = call.to ?? {};
    const problem = asksAgent(call) ? problemOfQuestion(d, run, call) : call.problem;
    if (problem !== null || agent_id === null)
      return { id, agent_id, name, came: { ok: false, result: problem ?? 'no such agent' } };
    const left = budgetOf(run, d.env.defaults.messageBudget);
    const budget = Math.min(d.childBudget, left - 1);
    run.budget = left - 1 - budget;
    const share = shareOf(run, put, calls.length - i);
    const ask: AskedQuestion = {
      type: 'ask',
      call: id,
      from: d.agent.id,
      run: run.id,
      session: call.session ?? id,
      ...(asksAgent(call) ? questionIn(call) : handedIn(d, run, call)),
      ...withSubject(run),
      hops: run.hops + 1,
      budget,
      ...(run.powers && { powers: run.powers }),
      ...(run.begunBy !== undefined && { begunBy: run.begunBy }),
      ...(share && { share }),
      via: askersOf(d, run),
    };
    send(d, id, agent_id, ask);
    return { id, agent_id, name, ...(share && { share }) };
  }
}

const questionIn = ({ arguments: { question = '', max_steps: steps } }: AskCall) => ({
  question,
  ...(steps !== undefined && { maxSteps: Number(steps) }),
});

const handedIn = (
  d: AgentDraft,
  { owes }: RunRecord,
  { asks = '', said, earlier = [] }: Extract<ResolvedCall, { tool: 'hand_off' }>,
) => ({
  question: asks,
  handed: [...(owes?.handed ?? []), d.agent.id],
  ...(said !== undefined && { said }),
  ...(earlier.length > 0 && { earlier }),
});

/** What a run that has put these questions waits for. */
export const waitingForAnswers = (asked: readonly OpenQuestion[]): NonNullable<RunRecord['waitingFor']> => ({
  kind: 'agent',
  question: `waits for the ${asked.length === 1 ? 'answer' : 'answers'} of ${asked.map(({ name }) => name).join(', ')}`,
  action: null,
});

/** Whether the call asks another agent. */
export const asksAgent = (call: HeldCall | ResolvedCall): call is AskCall => call.tool === 'ask_agent';

/** A conversation that a run hands back, to whom and why. */
export interface HandedBack {
  to: string;
  reason: string;
}

/** Call this when a run has ended: what it asked is not waited for any more, and who waits for it has an outcome. */
export function settleQuestions(d: AgentDraft, run: RunRecord, back?: HandedBack): void {
  for (const { id, agent_id, peer, came } of run.asked ?? [])
    if (came) continue;
    else if (peer) d.effects.push({ type: 'withdraw', id });
    else if (agent_id !== null) send(d, `${id}.withdraw`, agent_id, { type: 'withdraw', call: id });
  if (run.asked) delete run.asked;
  const { parent, owes } = run;
  if (!parent || !owes) return;
  delete run.owes;
  const { call } = owes;
  const outcome = back ? { ok: true, result: back.reason, back: back.to } : outcomeOf(run);
  const used = run.tree && { used: usedInTree(run) };
  send(d, `${call}.answer`, parent.agent_id, {
    type: 'answer',
    call,
    run: parent.runId,
    by: run.id,
    ...outcome,
    ...used,
  });
}

/** Says what the user has answered to the run that was asked (hand-off.ts). */
export function sayToAsked(d: AgentDraft, run: RunRecord, input: string, said: string | undefined): void {
  for (const { id: call, agent_id, came } of run.asked ?? []) {
    if (came || agent_id === null) continue;
    const id = `${call}.say.${run.nextSeq}`;
    const told = { ...(said !== undefined && { said }), ...(run.powers && { powers: run.powers }) };
    send(d, id, agent_id, { type: 'say', id, call, input, ...told });
  }
}

/** Tells who waits for the run what the run waits for itself. */
export function tellAsker(d: AgentDraft, run: RunRecord, waitsFor: Awaited | null): void {
  const { parent, owes } = run;
  if (!parent || !owes) return;
  const { call } = owes;
  const id = `${call}.tell.${d.at}`;
  if (d.puts.some((put) => put.kind === 'outbox' && put.id === id)) return;
  send(d, id, parent.agent_id, { type: 'tell', call, run: parent.runId, by: run.id, at: d.at, waitsFor });
}

/** What a run that has paused waits for, as who asked is told it; null if it waits for agents itself. */
export function awaitedBy(run: RunRecord): Awaited | null {
  const { id, kind, question } = questionOf(run) ?? { kind: 'agent' };
  return id !== undefined && kind !== 'agent' ? { agent_id: run.agent_id, run_id: run.id, id, kind, question } : null;
}

function send(d: AgentDraft, id: string, to: string, sends: QuestionMessage): void {
  const item: QuestionItem = { id, kind: 'question', to, sends, created_at: d.time };
  d.put('outbox', id, item, true);
  d.agent.outbox++;
  d.effects.push({ type: 'send', id });
}

function outcomeOf({ status, stopReason, output, error }: RunRecord): { ok: boolean; result: string } {
  const said = firstBytes(output ?? '', mostOfAnswer);
  if (status === 'completed' && (stopReason === 'answer' || stopReason === 'length')) return { ok: true, result: said };
  const partly = said === '' ? '' : `; what it had so far: ${said}`;
  if (status === 'completed') return { ok: false, result: `it came to no answer (${stopReason})${partly}` };
  if (status === 'cancelled') return { ok: false, result: 'its run was cancelled' };
  return { ok: false, result: error ? `its run failed: ${error.message}` : 'its run failed' };
}

/** An outcome as far as there is room for it beside those that the step has already. */
export function withinStep(run: RunRecord, came: { ok: boolean; result: string }): { ok: boolean; result: string } {
  const known = [...run.done, ...(run.asked ?? []).flatMap((one) => one.came ?? [])];
  const left = mostOfStep - known.reduce((sum, { result }) => sum + Buffer.byteLength(result), 0);
  const result = firstBytes(came.result, Math.max(0, left));
  return result === came.result ? came : { ok: came.ok, result: `${result}… (cut short)` };
}
