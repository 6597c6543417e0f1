/**
 * What an agent's model learns from conversations, without being asked to: passages of what a client said become
 * semantic memories that name the run and the session in which they were said (`source`, `sessionId`).
 *
 *  Learnt.N1 Only what a client says itself is learnt: not what another agent says, over A2A or the mailbox, and not
 *     what a memory or a reasoner says.
 *  Learnt.N2 Nothing is learnt unless `config.memory.learn` is `model` and the agent has a model, nor where every action
 *     needs approval, where conversations are turned off, where the run's token may not write memories, or once the
 *     agent's quota of memories is used up. What is learnt counts towards that quota and no month.
 *  Learnt.N3 A run that said nothing beside what was learnt is an aside of its conversation (Conversation.V2), so that
 *     what becomes of the memory holds for recall as well.
 *  Learnt.N4 The model learns from each run once, after it has ended: a run is put in line by the commit that ends it,
 *     and leaves the line by the commit that keeps what was learnt from it, so neither a crash nor an outage loses or
 *     repeats it. The line is bounded, and nothing waits for it.
 */
import { type AgentSnapshot, bounds, namesMemory, type ResolvedCall, type RunRecord } from './agent-state.js';
import type { AgentDraft } from './agent-draft.js';
import { isRecalled, recalledTurns } from './conversation.js';
import type { AgentConfig } from './inputs.js';
import { inDraft, remember, type Surroundings } from './memories.js';
import type { ModelUsage } from './model.js';
import { countModelUsage } from './model-usage.js';
import { allows } from './powers.js';

/** A passage, with what was looked up for it. */
export interface Learnt {
  content: string;
  around: Surroundings;
  /** The turn says nothing beside what was learnt. */
  whole: boolean;
}
/** What was learnt from a run that has ended. */
export interface LearntFrom {
  run: RunRecord;
  learnt: readonly Learnt[];
}

/** The built-in reasoner has no model to learn by. */
const learns = ({ memory, model }: AgentConfig): boolean =>
  memory?.learn === 'model' && (model ?? 'built-in') !== 'built-in';

/** Learnt.N1, Learnt.N2. */
export const learnsFrom = ({ config }: Pick<AgentSnapshot, 'config'>, run: RunRecord): boolean =>
  learns(config) &&
  run.triggeredBy === 'api' &&
  run.forkedFrom === null &&
  config.memory?.conversation !== 'off' &&
  config.validation_gate !== 'action' &&
  allows(run.powers, 'memory:write');

/** Whether the agent may still learn: what has changed since a run was put in line counts, too. */
export const stillLearns = ({ config, status, memory_quota }: AgentSnapshot, lasting = 0): boolean =>
  learns(config) && status === 'active' && (memory_quota === null || lasting < memory_quota);

/** Learnt.N4. A run whose reasoner took care of memory itself is not learnt from. */
export function noteToLearn(d: AgentDraft, run: RunRecord): void {
  const { config, toLearn = [] } = d.agent;
  if (run.studied || run.noted || !learnsFrom(d.agent, run)) return;
  if (!isRecalled(run.input, config, d.env.remarkOf) || toLearn.length >= bounds.toLearn) return;
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
  const turns = recalledTurns(noted, d.agent.config, d.env.remarkOf);
  if (turns) noted.turns = turns;
  d.putRun(noted, run);
  d.effects.push({ type: 'index', kind: 'run', body: noted as unknown as Record<string, unknown> });
}

/** Returns whether what was kept stands for the turn that it was learnt from (Learnt.N3). */
function keep(d: AgentDraft, run: RunRecord, learnt: readonly Learnt[]): boolean {
  const { memory_quota } = d.agent;
  for (const { content, around } of learnt) {
    if (memory_quota !== null && (d.counts['lasting'] ?? 0) >= memory_quota) return false;
    const input = { type: 'semantic', content, sessionId: run.sessionId, source: run.id };
    remember(d, input, { agent: memory_quota }, inDraft(d, around));
  }
  return learnt.some(({ whole }) => whole);
}

/** A call that waits for approval is looked up again when it is carried out. */
export function withoutSurroundings(call: ResolvedCall): ResolvedCall {
  if (namesMemory(call)) {
    const { named: _, said: __, ...rest } = call;
    return rest;
  }
  if (call.tool !== 'remember' || call.around === undefined) return call;
  const { around: _, ...rest } = call;
  return rest;
}
