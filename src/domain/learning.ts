/**
 * What an agent learns from a conversation, without being asked to: plain statements of the client become semantic
 * memories that name the run and the session in which they were said (`source`, `sessionId`). They are found by rules
 * in the first step, or by the agent's model after the run.
 *
 *  Learnt.N1 Only what a client says itself is learnt: not what another agent says, over A2A or the mailbox, and not
 *     what a memory or a reasoner says.
 *  Learnt.N2 Nothing is learnt where every action needs approval, where `config.memory` turns learning or conversations
 *     off, where the run's token may not write memories, or once the agent's quota of memories is used up. What is
 *     learnt counts towards no quota.
 *  Learnt.N3 A run that learnt something that can change is an aside of its conversation (Conversation.V2), so that a
 *     later statement replaces it for recall as well. So is one in which nothing else was said. Whatever else was told
 *     by such a run, in sentences of their own, is recalled without what was learnt.
 *  Learnt.N4 With `config.memory.learn` at `model`, the agent's model learns from each run once, after it has ended: a
 *     run is put in line by the commit that ends it, and leaves the line by the commit that keeps what was learnt from
 *     it, so neither a crash nor an outage loses or repeats it. The line is bounded, and nothing waits for it.
 */
import { type AgentSnapshot, bounds, namesMemory, type ResolvedCall, type RunRecord } from './agent-state.js';
import type { AgentDraft } from './agent-draft.js';
import { isRecalled, recalledTurns } from './conversation.js';
import type { AgentConfig } from './inputs.js';
import { inDraft, remember, type Surroundings } from './memories.js';
import type { ModelUsage } from './model.js';
import { countModelUsage } from './model-usage.js';
import { allows } from './powers.js';

/** A statement, with what was looked up for it. */
export interface Learnt {
  content: string;
  around: Surroundings;
  /** The input says nothing beside what was learnt. */
  whole: boolean;
  /** What the input tells beside what was learnt, where that is recalled instead of the whole (Learnt.N3). */
  rest?: string;
}
/** What was learnt from a run that has ended. */
export interface LearntFrom {
  run: RunRecord;
  learnt: readonly Learnt[];
}

/** The built-in reasoner has no model to learn by, so it learns by rules. */
function learnsBy({ memory, model }: AgentConfig): 'rules' | 'model' | 'off' {
  const way = memory?.learn ?? 'rules';
  return way === 'model' && (model ?? 'built-in') === 'built-in' ? 'rules' : way;
}

/** Learnt.N1, Learnt.N2. */
const mayLearnOf = ({ config }: Pick<AgentSnapshot, 'config'>, run: RunRecord): boolean =>
  run.triggeredBy === 'api' &&
  run.forkedFrom === null &&
  config.memory?.conversation !== 'off' &&
  config.validation_gate !== 'action' &&
  allows(run.powers, 'memory:write');

/** Whether plain statements of the run's input are kept by rules, with its first step. */
export const mayLearn = (agent: Pick<AgentSnapshot, 'config'>, run: RunRecord): boolean =>
  run.steps === 0 && run.held.length === 0 && learnsBy(agent.config) === 'rules' && mayLearnOf(agent, run);

/** Whether the agent may still learn by its model: what has changed since a run was put in line counts, too. */
export const learnsByModel = ({ config, status, memory_quota }: AgentSnapshot, lasting = 0): boolean =>
  learnsBy(config) === 'model' && status === 'active' && (memory_quota === null || lasting < memory_quota);

/** Learnt.N4. A run whose reasoner took care of memory itself is not learnt from. */
export function noteToLearn(d: AgentDraft, run: RunRecord): void {
  const { config, toLearn = [] } = d.agent;
  if (run.studied || run.noted || learnsBy(config) !== 'model' || !mayLearnOf(d.agent, run)) return;
  if (!isRecalled(run.input, config) || toLearn.length >= bounds.toLearn) return;
  run.studied = true;
  d.agent.toLearn = [...toLearn, run.id];
}

/** Learnt.N4. */
export function learnFrom(
  d: AgentDraft,
  { runs, learnt, usage }: { runs: readonly string[]; learnt: readonly LearntFrom[]; usage?: ModelUsage },
): void {
  const waiting = d.agent.toLearn ?? [];
  const left = waiting.filter((id) => !runs.includes(id));
  if (left.length > 0) d.agent.toLearn = left;
  else delete d.agent.toLearn;
  if (usage) d.counts = countModelUsage(d.counts, usage, d.timeMs);
  for (const { run, learnt: found } of learnt) {
    if (!waiting.includes(run.id) || !keep(d, run, found)) continue;
    if (d.hasRun(run.id)) d.editRun(run.id).record.noted = true;
    else becomeAside(d, run);
  }
}

function becomeAside(d: AgentDraft, run: RunRecord): void {
  const { turns: _, ...rest } = run;
  const noted: RunRecord = { ...rest, noted: true };
  const turns = recalledTurns(noted, d.agent.config);
  if (turns) noted.turns = turns;
  d.putRun(noted, run);
  d.effects.push({ type: 'index', kind: 'run', body: noted as unknown as Record<string, unknown> });
}

/** Returns whether what was kept stands for the turn that it was learnt from (Learnt.N3). */
export function keep(d: AgentDraft, run: RunRecord, learnt: readonly Learnt[]): boolean {
  const { memory_quota } = d.agent;
  if (memory_quota !== null && (d.counts['lasting'] ?? 0) >= memory_quota) return false;
  let stands = false;
  for (const { content, around, whole } of learnt) {
    const input = { type: 'semantic', content, sessionId: run.sessionId, source: run.id };
    remember(d, input, { agent: null }, inDraft(d, around));
    stands ||= whole || (around.identity ?? []).length > 0;
  }
  return stands;
}

/** A call that waits for approval is looked up again when it is carried out. */
export function withoutSurroundings(call: ResolvedCall): ResolvedCall {
  if (namesMemory(call)) {
    const { named: _, ...rest } = call;
    return rest;
  }
  if (call.tool !== 'remember' || call.around === undefined) return call;
  const { around: _, ...rest } = call;
  return rest;
}
