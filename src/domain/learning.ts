/**
 * What an agent learns from a conversation: plain statements of the client become semantic memories that name the run
 * and the session in which they were said (`source`, `sessionId`), without a model and without asking.
 *
 *  Learnt.N1 Only what a client says itself is learnt: not what another agent says, over A2A or the mailbox, and not
 *     what a memory or a reasoner says.
 *  Learnt.N2 Nothing is learnt where every action needs approval, where `config.memory` turns learning or conversations
 *     off, where the run's token may not write memories, or once the agent's quota of memories is used up. What is learnt counts towards no quota.
 *  Learnt.N3 A run that learnt something that can change is an aside of its conversation (Conversation.V2), so that a
 *     later statement replaces it for recall as well. So is one in which nothing else was said.
 */
import { type AgentSnapshot, namesMemory, type ResolvedCall, type RunRecord } from './agent-state.js';
import type { AgentDraft } from './agent-draft.js';
import { inDraft, remember, type Surroundings } from './memories.js';
import { allows } from './powers.js';

/** A statement, with what was looked up for it. `whole`: the input says nothing beside what was learnt. */
export interface Learnt {
  content: string;
  around: Surroundings;
  whole: boolean;
}

/** Learnt.N1, Learnt.N2. */
export function mayLearn(agent: Pick<AgentSnapshot, 'config'>, run: RunRecord): boolean {
  const { memory, validation_gate } = agent.config;
  return (
    run.triggeredBy === 'api' &&
    run.forkedFrom === null &&
    run.steps === 0 &&
    run.held.length === 0 &&
    (memory?.learn ?? 'rules') === 'rules' &&
    memory?.conversation !== 'off' &&
    validation_gate !== 'action' &&
    allows(run.powers, 'memory:write')
  );
}

export function keep(d: AgentDraft, run: RunRecord, learnt: readonly Learnt[]): void {
  const { memory_quota } = d.agent;
  if (memory_quota !== null && (d.counts['lasting'] ?? 0) >= memory_quota) return;
  for (const { content, around, whole } of learnt) {
    const input = { type: 'semantic', content, sessionId: run.sessionId, source: run.id };
    remember(d, input, { agent: null }, inDraft(d, around));
    if (whole || (around.identity ?? []).length > 0) run.noted = true;
  }
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
