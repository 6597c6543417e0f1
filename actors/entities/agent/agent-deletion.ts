/**
 * What the deletion of an agent does besides that of any entity (deletion.ts, Agent.G4). Its first commit, the fence,
 * also revokes the agent's tokens; then its runs end, and what it has shared with hives is deleted there first.
 */
import { type AgentState, bounds } from '../../../src/domain/agent/agent-state.js';
import { type CommandMessage, commandMessage } from '../../../src/commands/command.js';
import { agentRef } from '../../../src/commands/entities.js';
import { deleteShares, refuseShares } from '../../../src/commands/hives.js';
import { deliveryOf, forgetChild, resealed } from '../../../src/commands/questions.js';
import { auditActorOf } from '../../../src/domain/workspace/audit.js';
import { HivekeepError, unavailable } from '../../../src/domain/shared/errors.js';
import { itemsOf } from '../../../src/store/list-query.js';
import { goneKey } from '../../../src/commands/idempotency.js';
import { EntityDeletion } from '../deletion.js';
import type { Asked } from '../../runtime/port.js';
import type { AgentCommand } from '../../../src/domain/agent/agent-commands.js';
import type { Deliveries } from '../deliveries.js';
import type { Learner } from './learner.js';
import type { AgentMessage, AgentShell } from './messages.js';
import { pausedRuns } from '../../../src/commands/run-reads.js';
import { isAgentDeleting, type WaitingRuns } from './waiting-runs.js';
import type { QuestionMessage } from '../../../src/domain/mailbox/question-messages.js';
import type { EntityRef } from '../../../src/store/port.js';

/** What the agent does beside its commits. */
interface AtWork {
  waiting: WaitingRuns;
  deliveries: Pick<Deliveries, 'stop'>;
  learner: Pick<Learner, 'stop'>;
}

export const deletionOf = (shell: AgentShell, atWork: AtWork): EntityDeletion<AgentState, AgentMessage, AgentCommand> =>
  new EntityDeletion(shell, {
    isFenced: () => isAgentDeleting(shell),
    fence: (asked) => fence(shell, atWork, asked),
    before: () => forgetShared(shell, atWork),
  });

async function fence(shell: AgentShell, { waiting, learner }: AtWork, asked: Asked<AgentMessage>): Promise<void> {
  await shell.writer.settled();
  const { caller } = asked.message as CommandMessage;
  if (caller === null) throw new Error('nobody deletes the agent');
  const { deps, entity } = shell;
  const { workspace } = entity;
  const tokens = await deps.store.list({
    workspace,
    entity,
    collection: 'token',
    list: 'created',
    order: 'asc',
    limit: bounds.tokens,
  });
  shell.handleCommand(
    {
      type: 'delete',
      tokens: tokens.items.map((t) => t.body),
      by: auditActorOf(caller),
      onlyIf: caller.onlyIf,
    },
    asked,
  );
  if (!isAgentDeleting(shell)) return;
  learner.stop();
  deps.mcp.release(entity);
  await waiting.cancelAll();
}

/**
 * Deletes the memories that the agent shared before anything of its own. Sending stops first, so that everything that a
 * hive has accepted by then is deleted there.
 */
async function forgetShared(shell: AgentShell, { deliveries }: AtWork): Promise<void> {
  await endPaused(shell);
  await settleQuestions(shell);
  deliveries.stop();
  await endSpawned(shell);
  await tellSpawner(shell);
  for (const hive of shell.state?.agent.sharedWith ?? []) await forgetIn(shell, hive);
}

/** Cancels the runs that have paused: whoever follows one of them, or waits for it, must learn how it ends. */
async function endPaused(shell: AgentShell): Promise<void> {
  for (let more = true; more;) {
    const paused = await pausedRuns(shell.deps.store, shell.entity, pausedPerTurn);
    for (const run of paused.runs) shell.handleCommand({ type: 'cancelLeft', run }, null);
    await shell.writer.settled();
    if (shell.writer.broken) throw unavailable('the store did not accept the end of the runs');
    more = paused.more;
  }
}
const pausedPerTurn = 100;

/** What of the outbox is not for other agents that wait, or are to stop. */
const unsettled: ReadonlySet<QuestionMessage['type']> = new Set(['ask', 'spawn', 'end']);

/**
 * Delivers what other agents have to know of questions: the outcomes of those that were put to this agent, and that
 * those are withdrawn that it has put (Questions.Q3). An agent that is being deleted itself needs to know nothing, and
 * may wait for this one: it is not asked.
 */
async function settleQuestions({ deps, entity }: AgentShell): Promise<void> {
  const { workspace } = entity;
  const outbox = { workspace, entity, collection: 'outbox', list: 'created', order: 'asc', limit: 100 } as const;
  for await (const { body } of itemsOf(deps.store, outbox)) {
    if (body.kind !== 'question' || unsettled.has(body.sends.type)) continue;
    const to = agentRef(entity, body.to);
    const head = await deps.store.head(to);
    if (!head || head.deleted || head.snapshot.deleting) continue;
    await deps.ask(to, deliveryOf(to, body.sends)).catch((error: unknown) => {
      if (!(error instanceof HivekeepError && error.code === 'NOT_FOUND')) throw error;
    });
  }
}

/**
 * Deletes the agents that it has spawned (Spawning.N3). Those of which it is not known whether they are there yet are
 * made first, so that none comes to be after this. One that is being deleted already is not asked, because it may wait
 * for this one (tellSpawner): each looks at the other after its own fence, so one of the two sees that of the other.
 */
async function endSpawned({ deps, entity, state }: AgentShell): Promise<void> {
  const children = Object.keys(state?.agent.children ?? {});
  if (children.length === 0) return;
  const known = async (to: EntityRef<'agent'>, sends: QuestionMessage): Promise<void> => {
    await deps.ask(to, deliveryOf(to, resealed(deps, to.id, sends))).catch((error: unknown) => {
      if (!(error instanceof HivekeepError) || error.retryable) throw error;
    });
  };
  const { workspace } = entity;
  const outbox = { workspace, entity, collection: 'outbox', list: 'created', order: 'asc', limit: 100 } as const;
  for await (const { body } of itemsOf(deps.store, outbox))
    if (body.kind === 'question' && body.sends.type === 'spawn') await known(agentRef(entity, body.to), body.sends);
  for (const id of children) {
    const child = agentRef(entity, id);
    const head = await deps.store.head(child);
    if (head?.snapshot.deleting) continue;
    await known(child, { type: 'end', by: entity.id });
  }
}

/** Tells the agent that has spawned this one, unless it is being deleted and so knows. */
async function tellSpawner({ deps, entity, state }: AgentShell): Promise<void> {
  const { spawned } = state?.agent ?? {};
  if (!spawned) return;
  const by = agentRef(entity, spawned.by);
  const head = await deps.store.head(by);
  if (!head || head.deleted || head.snapshot.deleting) return;
  await deps.ask(by, commandMessage(forgetChild, null, { id: by.id }, { child: entity.id })).catch((error: unknown) => {
    if (!(error instanceof HivekeepError && error.code === 'NOT_FOUND')) throw error;
  });
}

async function forgetIn({ deps, entity: { workspace, id: agent } }: AgentShell, hive: string): Promise<void> {
  const address = { workspace, kind: 'hive' as const, id: hive };
  try {
    // a share that is still being delivered must not be accepted after this
    await deps.ask(address, commandMessage(refuseShares, null, { id: hive }, null, goneKey(agent)));
    while (!(await deps.ask(address, commandMessage(deleteShares, null, { id: hive }, { agent }))));
  } catch (error) {
    if (!(error instanceof HivekeepError && error.code === 'NOT_FOUND')) throw error;
  }
}
