/**
 * An agent and its runs as one pure decision function. It determines how a command (agent-commands.ts) changes the
 * state, which documents are written, and which effects follow. A command that is refused throws a HivekeepError and
 * changes nothing.
 */
import { noteChange } from '../workspace/audit.js';
import { agentCommands, type AgentCommand } from './agent-commands.js';
import { AgentDraft, type AgentDecision } from './agent-draft.js';
import { settingsSize } from './agent-settings.js';
import { type AgentState, showAgent } from './agent-state.js';
import type { Env } from '../shared/draft.js';
import { iso } from '../shared/clock.js';
import { applyCommand } from '../shared/draft.js';
import { noSessions } from '../run/conversation.js';
import { notFound } from '../shared/errors.js';
import type { SpawnInput } from '../shared/inputs.js';
import { applyWakeRule, hasToReadOn } from '../mailbox/mailbox.js';
import type { Agent } from '../model/model.js';
import { noRetention } from '../run/retention.js';
import { beginWaiting } from '../run/run.js';
import { isBusy } from '../run/run-queue.js';

export function decideAgent(state: AgentState, command: AgentCommand, env: Env): AgentDecision {
  if (state.agent.deleting && command.type !== 'delete' && command.type !== 'cancelLeft')
    throw notFound('agent', state.agent.id);
  const d = new AgentDraft(state, env);
  const result = applyCommand(agentCommands, d, command);
  if (env.audit) noteChange(d, env.audit, result);
  beginWaiting(d);
  applyWakeRule(d);
  return d.finish(result);
}

/** Whether the agent has something to do of its own accord, for which it is loaded again when its process ends. */
export const hasWork = (state: AgentState): boolean => {
  const { agent } = state;
  return (
    isBusy(agent) ||
    agent.outbox > 0 ||
    agent.pushes > 0 ||
    (agent.webhookEvents ?? 0) > 0 ||
    agent.toLearn !== undefined ||
    agent.learnLater !== undefined ||
    agent.endsPaused === true ||
    agent.deleting ||
    hasToReadOn(state)
  );
};

/** Builds the first commit of a new agent. */
export function newAgent(
  id: string,
  input: SpawnInput,
  env: Env,
  spawned?: AgentState['agent']['spawned'],
): AgentDecision & { result: Agent } {
  const time = iso(env.now);
  const d = new AgentDraft(
    {
      agent: {
        id,
        name: input.name,
        description: input.description ?? '',
        status: 'active',
        config: input.config ?? {},
        hives: input.hives ?? [],
        metadata: input.metadata ?? {},
        wake_on_message: input.wake_on_message ?? false,
        memory_quota: input.memory_quota ?? null,
        maxRuntimeSeconds: input.maxRuntimeSeconds ?? null,
        created_at: time,
        updated_at: time,
        last_active_at: time,
        lastMs: env.now - 1,
        nextExpiry: null,
        deleting: false,
        running: [],
        pending: [],
        unread: 0,
        outbox: 0,
        pushes: 0,
        sharedWith: [],
        journals: noRetention,
        ...(spawned && { spawned }),
      },
      counts: { agents: 1 },
      runs: new Map(),
      unread: [],
      moreMayWake: false,
      mailDue: false,
      positions: new Map(),
      sessions: noSessions,
    },
    env,
  );
  d.grown += settingsSize(d.agent);
  d.announce('agent.created', { agent_id: id, name: input.name });
  const result = showAgent(d.agent, d.counts);
  return Object.assign(d.finish(result), { result });
}
