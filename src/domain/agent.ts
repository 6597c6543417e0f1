/**
 * An agent and its runs as one pure decision function. It determines how a command changes the state, which documents
 * are written, and which effects follow. A command that is refused throws a HivekeepError and changes nothing.
 */
import type { AgentCommand } from './agent-command.js';
import { AgentDraft, type AgentDecision } from './agent-draft.js';
import { replaced, patched, withHives, checkVersion, settingsSize, update, join } from './agent-settings.js';
import {
  bounds,
  type LiveRun,
  type RunRecord,
  type AgentState,
  external,
  type StoredMessage,
  showAgent,
  showMessage,
} from './agent-state.js';
import { recordAudit, type AuditActor, type Credential } from './audit.js';
import type { Env } from './change.js';
import { iso } from './clock.js';
import { noSessions } from './conversation.js';
import { HivekeepError, invalid, conflict, notFound } from './errors.js';
import type { SpawnInput } from './inputs.js';
import { learnFrom } from './learning.js';
import { applyWakeRule, deleteMessage, hasToReadOn, markRead, receiveMessage, refillUnread } from './mailbox.js';
import { changeMemory, expire, forget, normalizeTime, remember } from './memories.js';
import { rememberAll } from './memory-batch.js';
import { type Checkpoint, isTerminal, type AgentToken, type RunEvent } from './model.js';
import { createRun } from './new-run.js';
import { narrow } from './powers.js';
import {
  pushConfigOf,
  deadLetterPush,
  deletePush,
  pushDelivered,
  replayPush,
  setPush,
  withPushConfig,
} from './pushes.js';
import { resumeRun } from './resume-run.js';
import { deleteRun, noRetention, noteFork, removeJournals } from './retention.js';
import {
  adoptRun,
  applyStepReport,
  cancelRun,
  continueRun,
  deadline,
  failRun,
  isNext,
  startNext,
  cancelRunning,
} from './run.js';
import { deleteSessionPart } from './session-deletion.js';
import { sizeOf } from './storage.js';
import { plainText, contextOf, textOf } from './task.js';
import { replyOf } from './tasks.js';
import { keepVectors } from './vectors.js';

const needActiveAgent: ReadonlySet<AgentCommand['type']> = new Set([
  'run',
  'resume',
  'task',
  'fork',
  'receive',
  'sharing',
]);

/**
 * A redelivered message gets the same answer as the first time (Mailbox.B1), whatever has happened to the agent since.
 */
const isRedelivery = (command: AgentCommand): boolean => command.type === 'receive' && command.known !== null;

export function decideAgent(state: AgentState, command: AgentCommand, env: Env): AgentDecision {
  if (state.agent.deleting && command.type !== 'delete' && command.type !== 'cancelLeft')
    throw notFound('agent', state.agent.id);
  if (needActiveAgent.has(command.type) && !isRedelivery(command) && state.agent.status !== 'active')
    throw new HivekeepError('AGENT_INACTIVE', `agent ${state.agent.id} is ${state.agent.status}`, {
      details: { status: state.agent.status },
    });
  const d = new AgentDraft(state, env);
  const result = apply(d, command);
  applyWakeRule(d);
  return d.finish(result);
}

/** Whether the agent has something to do of its own accord, for which it is loaded again when its process ends. */
export const hasWork = (state: AgentState): boolean => {
  const { agent } = state;
  return (
    agent.running !== null ||
    agent.pending.length > 0 ||
    agent.outbox > 0 ||
    agent.pushes > 0 ||
    agent.toLearn !== undefined ||
    agent.deleting ||
    hasToReadOn(state)
  );
};

/** Builds the first commit of a new agent. */
export function spawnAgent(id: string, input: SpawnInput, env: Env): AgentDecision {
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
        running: null,
        pending: [],
        unread: 0,
        outbox: 0,
        pushes: 0,
        sharedWith: [],
        journals: noRetention,
      },
      counts: { agents: 1 },
      runs: new Map(),
      unread: [],
      moreMayWake: false,
      positions: new Map(),
      sessions: noSessions,
    },
    env,
  );
  d.grown += settingsSize(d.agent);
  d.announce('agent.created', { agent_id: id, name: input.name });
  return d.finish(showAgent(d.agent, d.counts));
}

function apply(d: AgentDraft, c: AgentCommand): unknown {
  switch (c.type) {
    case 'replace':
      checkVersion(d, c.onlyIf);
      return update(d, withHives(d, replaced(c.input), c.mayJoin));
    case 'patch':
      checkVersion(d, c.onlyIf);
      return update(d, withHives(d, patched(d, c.input), c.mayJoin));
    case 'join':
      return join(d, c.hive);
    case 'leave':
      if (!d.agent.hives.includes(c.hive)) throw notFound(`agent ${d.agent.id} in hive`, c.hive);
      return update(d, { hives: d.agent.hives.filter((h) => h !== c.hive) });
    case 'sharing':
      return noteShare(d, c.hive);
    case 'run':
      return startRun(d, c);
    case 'resume': {
      const live = adoptRun(d, c.run);
      resumeRun(d, live, c.input, c.mayDecide ?? false);
      narrow(live.record, c.powers);
      return live.record;
    }
    case 'fork':
      if (c.run.historyRemoved)
        throw new HivekeepError(
          'RUN_NOT_RESUMABLE',
          `run ${c.run.record.id} cannot be forked: its journal was removed some time after it had ended`,
          { details: { status: c.run.record.status, stopReason: c.run.record.stopReason } },
        );
      noteFork(d, c.run.record);
      return createRun(d, {
        input: c.run.record.input,
        sessionId: c.run.record.sessionId,
        contextId: c.run.record.contextId,
        triggeredBy: 'fork',
        hops: c.run.record.hops,
        powers: c.run.record.powers,
        from: forkedAt(c.run, c.checkpoint),
      }).record;
    case 'cancel': {
      const live = adoptRun(d, c.run);
      cancelRun(d, live);
      return live.record;
    }
    case 'cancelLeft': {
      const live = adoptRun(d, c.run);
      if (!isTerminal(live.record.status)) cancelRun(d, live);
      return undefined;
    }
    case 'deleteRun':
      return deleteRun(d, c);
    case 'deleteMessage':
      deleteMessage(d, c.message);
      return undefined;
    case 'task':
      return startTask(d, c);
    case 'setPush':
      return setPush(d, c.run, c.config);
    case 'deletePush':
      deletePush(d, c.run, c.id);
      return undefined;
    case 'pushed':
      pushDelivered(d, c.outboxId, c.bytes);
      return undefined;
    case 'deadLettered':
      deadLetterPush(d, c.item, c.reason, c.tries);
      return undefined;
    case 'replay':
      return replayPush(d, c.letter);
    case 'step':
      return takeStepReport(d, c);
    case 'startNext':
      if (isNext(d, c.run.record.id)) startNext(d, adoptRun(d, c.run));
      return undefined;
    case 'learn':
      learnFrom(d, c);
      return true;
    case 'deadline':
      return deadline(d, c.runId, c.attempt, c.usedMs);
    case 'receive':
      return c.known === 'deleted' ? undefined : showMessage(c.known ?? receive(d, c));
    case 'refill':
      return refillUnread(d, c.messages, c.moreMayWake);
    case 'delivered':
      return dropOutboxItem(d, c.outboxId, c.bytes);
    case 'undelivered':
      return returnUndelivered(d, c);
    case 'remember':
      d.agent.last_active_at = d.time;
      return remember(d, c.input, { agent: d.agent.memory_quota, full: c.full }, c);
    case 'rememberAll':
      d.agent.last_active_at = d.time;
      return rememberAll(d, c, d.agent.memory_quota);
    case 'patchMemory':
      return changeMemory(d, c.memory, c.patch, { agent: d.agent.memory_quota, full: c.full });
    case 'forget':
      return forget(d, c.memory);
    case 'vectors':
      return keepVectors(d, c.memories, c.made);
    case 'deleteSession':
      return deleteSessionPart(d, c.sessionId, c.part);
    case 'expire':
      if (c.journals) removeJournals(d, c.journals);
      return expire(d, c.memories, c.next);
    case 'mint':
      return mint(d, c);
    case 'revoke':
      revoke(d, c.token, c.by);
      return undefined;
    case 'used':
      for (const token of c.tokens) d.put('token', token.id, token, false);
      return undefined;
    case 'delete':
      checkVersion(d, c.onlyIf);
      return beginDelete(d, c.tokens, c.by);
    case 'abandon':
      if (d.agent.running !== null) failRun(d, d.agent.running, c.reason);
      return undefined;
    case 'continue':
      return continueAfterLoad(d, c.process);
    default:
      return c satisfies never;
  }
}

function noteShare(d: AgentDraft, hive: string): void {
  if (!d.agent.hives.includes(hive)) throw invalid({ path: 'agent_id', message: `must be a member of hive ${hive}` });
  if (!d.agent.sharedWith.includes(hive)) d.agent.sharedWith = [...d.agent.sharedWith, hive];
  d.agent.last_active_at = d.time;
}

function startRun(d: AgentDraft, c: Extract<AgentCommand, { type: 'run' }>): RunRecord {
  const messageId = c.direct ? d.env.ids('message', d.at) : null;
  if (c.direct) d.count({ handled: 1 });
  return createRun(d, {
    input: c.input,
    sessionId: c.sessionId,
    triggeredBy: c.triggeredBy,
    maxSteps: c.maxSteps,
    maxRuntimeSeconds: c.maxRuntimeSeconds,
    onBusy: c.onBusy,
    messageId,
    session: c.session,
    powers: c.powers,
  }).record;
}

/** A task's run as of this decision, and the first event that the message caused, which is a non-terminal status. */
export interface TaskStarted {
  record: RunRecord;
  first: RunEvent;
}

function startTask(
  d: AgentDraft,
  { message, run, push, contextId, mayDecide = false, powers, session }: Extract<AgentCommand, { type: 'task' }>,
): TaskStarted {
  if (run && contextId !== undefined && contextId !== contextOf(run.record))
    throw invalid({
      path: 'message.contextId',
      message: `must be that of task ${run.record.id} (${contextOf(run.record)}), or be left out`,
    });
  const live = run ? adoptRun(d, run) : null;
  d.count({ handled: 1 });
  if (live) {
    if (push) live.record.push = withPushConfig(live.record.push ?? [], pushConfigOf(live.record.id, push));
    resumeRun(d, live, replyOf(live.record, message), mayDecide, message);
    narrow(live.record, powers);
  }
  const { record } =
    live ??
    createRun(d, {
      input: plainText(message.parts) ?? textOf(message.parts),
      triggeredBy: 'a2a',
      contextId: contextId === d.agent.id ? undefined : contextId,
      message,
      ...(push && { push }),
      powers,
      session,
    });
  return { record, first: d.firstEvent(record.id) };
}

/** Everything up to and including the checkpoint, and nothing after it. */
function forkedAt(
  run: LiveRun,
  checkpoint: Checkpoint,
): {
  record: RunRecord;
  checkpoint: Checkpoint;
  transcript: LiveRun['transcript'];
  humanInputs: LiveRun['humanInputs'];
} {
  return {
    record: run.record,
    checkpoint,
    transcript: run.transcript.slice(0, checkpoint.step),
    humanInputs: run.humanInputs.filter((h) => h.step < checkpoint.step),
  };
}

function takeStepReport(d: AgentDraft, c: Extract<AgentCommand, { type: 'step' }>): boolean {
  if (!d.isStepping(c.runId, c.attempt)) return false;
  if (c.report.ok) markRead(d, c.runId, c.read);
  return applyStepReport(d, c.runId, c.attempt, c.report, c.usedMs);
}

function dropOutboxItem(d: AgentDraft, id: string, bytes = 0): void {
  d.grown -= bytes;
  d.deletes.push({ kind: 'outbox', id });
  d.agent.outbox--;
}

/**
 * Checks whether the agent accepts messages from this sender. The setting allows all senders (the default), members of
 * the agent's hives, or an explicit list. Throws CONFLICT if the sender is not accepted.
 */
function checkAccepted(d: AgentDraft, from: string | null, senderHives: readonly string[]): void {
  const accept: unknown = d.agent.config.mailbox?.accept ?? 'all';
  const welcome =
    accept === 'hive'
      ? from === d.agent.id || senderHives.some((hive) => d.agent.hives.includes(hive))
      : !Array.isArray(accept) || accept.includes(from);
  if (!welcome)
    throw new HivekeepError('CONFLICT', `agent ${d.agent.id} does not accept messages from ${from ?? external}`, {
      details: { accept },
    });
}

const receive = (
  d: AgentDraft,
  { message: m, id, hops, budget, powers, verified, senderHives }: Extract<AgentCommand, { type: 'receive' }>,
): StoredMessage => {
  const from = hops > 0 || verified ? (m.from ?? null) : external;
  checkAccepted(d, from, senderHives ?? []);
  return receiveMessage(d, {
    id,
    content: m.content,
    from,
    reply_to: m.reply_to ?? null,
    metadata: m.metadata ?? {},
    hops,
    budget,
    powers,
    verified: hops === 0 && verified === true,
  });
};

/** Returns an undeliverable message to its sender as a mailbox message that wakes nobody. */
function returnUndelivered(d: AgentDraft, c: Extract<AgentCommand, { type: 'undelivered' }>): void {
  dropOutboxItem(d, c.outboxId, c.bytes);
  receiveMessage(d, {
    content: `could not be delivered to ${c.to}: ${c.reason}`,
    from: null,
    reply_to: c.outboxId,
    metadata: { undelivered: { to: c.to, content: c.content.slice(0, 1000) } },
    hops: bounds.maxHops + 1,
    budget: 0,
  });
}

function mint(d: AgentDraft, c: Extract<AgentCommand, { type: 'mint' }>): AgentToken {
  if (c.held >= bounds.tokens) throw conflict(`an agent has at most ${bounds.tokens} tokens; revoke one`);
  const expires = normalizeTime(c.token.expires_at);
  if (expires !== null && Date.parse(expires) <= d.env.now)
    throw invalid({ path: 'expires_at', message: 'must be in the future' });
  const token: AgentToken = {
    id: d.env.ids('token', d.at),
    agent_id: d.agent.id,
    name: c.token.name,
    scopes: [...new Set(c.token.scopes)],
    hint: c.hint,
    expires_at: expires,
    last_used_at: null,
    created_at: d.time,
  };
  d.put('token', token.id, { ...token, hash: c.hash }, true);
  recordAudit(d, c.by, 'token.created', token);
  return token;
}

function revoke(d: AgentDraft, token: Credential, by: AuditActor): void {
  d.deletes.push({ kind: 'token', id: token.id });
  d.grown -= sizeOf(token);
  recordAudit(d, by, 'token.revoked', token);
}

/** Revokes the tokens first and then cancels the run in progress, so that its streams end with a final `canceled`. */
function beginDelete(d: AgentDraft, tokens: readonly Credential[], by: AuditActor): void {
  for (const token of tokens) revoke(d, token, by);
  d.agent.deleting = true;
  cancelRunning(d);
  d.agent.unread = 0;
  d.unread = [];
  d.moreMayWake = false;
  d.announce('agent.deleted', { agent_id: d.agent.id });
}

/** A command that was handled before this one may already have begun a step. That step is not begun again (Run.U4). */
function continueAfterLoad(d: AgentDraft, process?: string): void {
  if (d.agent.running !== null && !d.hasStep(d.agent.running)) continueRun(d, d.agent.running, process);
  if (d.agent.running === null && d.agent.pending.length > 0) d.effects.push({ type: 'fetchNext' });
  if (d.unread.length < d.agent.unread) d.effects.push({ type: 'refill' });
}
