/** New runs: started by a client, a message or a task, or forked from another run. */
import type { AgentDraft } from '../agent/agent-draft.js';
import {
  type ConversationMessage,
  type HumanInput,
  type LiveRun,
  type RetoldTurn,
  type RunRecord,
  type SessionState,
  checkOverrides,
  configOf,
  metadataOf,
} from '../agent/agent-state.js';
import { monthUsedUp, treeOf } from '../agent/budgets.js';
import {
  type GivenFiles,
  earlierSaidTurns,
  filesUntil,
  isConversation,
  lastTurns,
  noteNewest,
  takeFiles,
  withSession,
} from './conversation.js';
import { conflict } from '../shared/errors.js';
import { isIdOf, ownSessionId } from '../shared/ids.js';
import type { RunOverrides } from '../shared/inputs.js';
import { type Owned, type Powers, isSameSubject, sessionFor } from '../shared/caller.js';
import type { Checkpoint } from '../model/model.js';
import { pushConfigOf } from '../task/push-commands.js';
import { enqueue, refuseIfBusy } from './run.js';
import { plainText, type PushConfigInput, type TaskMessage } from '../task/task.js';
import type { OnBusy, TriggeredBy } from '../shared/vocabulary.js';
import type { TreeShare } from './records.js';
import { checkSpawnedFor } from '../agent/spawning.js';

export interface NewRun {
  input: string;
  /** What of it was said, if data came with it. */
  said?: string | undefined;
  sessionId?: string | undefined;
  triggeredBy: TriggeredBy;
  maxSteps?: number | undefined;
  maxRuntimeSeconds?: number | undefined;
  onBusy?: OnBusy | undefined;
  /** It takes the place of a run of its session that has just been interrupted. */
  inPlace?: boolean | undefined;
  overrides?: RunOverrides | undefined;
  /** The overrides are of somebody who manages the agent (Gate.A3). */
  trusted?: boolean | undefined;
  metadata?: Record<string, unknown> | undefined;
  messageId?: string | null;
  /** It is a direct message, which gets an id of its own. */
  direct?: boolean;
  hops?: number | undefined;
  /** Omitted for an origin, which gets the service's default budget. */
  budget?: number;
  powers?: Powers;
  /** The trace that its message belongs to. */
  trace?: string | undefined;
  /** The A2A message that started the run, and where changes of its status are pushed. */
  message?: TaskMessage;
  files?: GivenFiles | undefined;
  push?: PushConfigInput | undefined;
  /** The A2A context that the client named; it also becomes the run's session. */
  contextId?: string | undefined;
  /** The token that began it, if that reaches only what it began. */
  begunBy?: string | undefined;
  /** Whom it is for (subjects.ts). */
  subject?: string | undefined;
  /** Its session is its A2A context. */
  ownContext?: boolean;
  /** What was said before it, where its client tells that and it opens its session. */
  earlier?: readonly RetoldTurn[] | undefined;
  /** The hash of the history that its client tells. */
  chain?: string | undefined;
  /** It is no part of any conversation. */
  passing?: boolean | undefined;
  /** The session that it names; null or omitted if that is new or already in memory. */
  session?: SessionState | null | undefined;
  /** The run of another agent that asks for it, and what it owes that (questions.ts). */
  parent?: RunRecord['parent'];
  owes?: RunRecord['owes'];
  /** What it may use of the budget of the tree that it belongs to (budgets.ts). */
  share?: TreeShare | undefined;
  /** For a fork: the checkpoint that it continues from, with the history up to there. */
  from?: {
    record: RunRecord;
    checkpoint: Checkpoint;
    transcript: LiveRun['transcript'];
    asides?: LiveRun['asides'];
    kept?: LiveRun['kept'];
    humanInputs: readonly HumanInput[];
  };
}

/**
 * Creates a run and starts it, or queues it as pending. Budgets in the request override those of the agent, which
 * override the service's defaults. Throws AGENT_BUSY if too many runs are pending, or if the agent is busy and the
 * request says to reject in that case.
 */
export function createRun(d: AgentDraft, n: NewRun): LiveRun {
  const messageId = n.direct ? d.env.ids('message', d.at) : (n.messageId ?? null);
  const id = d.env.ids('run', d.at);
  const begunBy = n.begunBy ?? n.from?.record.begunBy;
  const sessionId = n.sessionId ?? sessionFor(begunBy, n.contextId ?? sessionOf(d, id));
  const subject = n.from ? n.from.record.subject : n.subject;
  if (n.triggeredBy !== 'message') checkSpawnedFor(d, { subject });
  checkSubject(d, n, { subject });
  // what wakes an agent is not refused, and is one run at a time
  if (n.triggeredBy !== 'message' && !n.inPlace) refuseIfBusy(d, { id, session: sessionId }, n.onBusy);
  // a run that mail has triggered is there anyway, and fails (Budgets.C2)
  const refusal = n.triggeredBy === 'message' ? null : monthUsedUp(d);
  if (refusal) throw refusal;
  const config = d.agent.config;
  const from = n.from;
  const overrides = n.overrides ?? from?.record.overrides;
  const trusted = n.overrides ? n.trusted : from?.record.trusted;
  const metadata = n.metadata ?? (from && metadataOf(from.record));
  checkOverrides(config, overrides);
  const maxSteps = n.maxSteps ?? from?.record.maxSteps ?? config.max_steps ?? d.env.defaults.maxSteps;
  const steps = from?.checkpoint.step ?? 0;
  const record: RunRecord = {
    id,
    agent_id: d.agent.id,
    status: 'pending',
    stopReason: null,
    triggeredBy: n.triggeredBy,
    sessionId,
    input: n.input,
    output: null,
    error: null,
    waitingFor: null,
    maxSteps,
    maxRuntimeSeconds:
      n.maxRuntimeSeconds ??
      from?.record.maxRuntimeSeconds ??
      d.agent.maxRuntimeSeconds ??
      d.env.defaults.maxRuntimeSeconds,
    steps,
    forkedFrom: from ? { runId: from.record.id, checkpointId: from.checkpoint.id, step: steps } : null,
    created_at: d.time,
    updated_at: d.time,
    started_at: null,
    ended_at: null,
    nextSeq: 1,
    runtimeMs: 0,
    budgetFromStep: steps >= maxSteps ? steps : 0,
    budgetFromMs: 0,
    held: [],
    done: [],
    approved: false,
    partial: from?.checkpoint.output ?? null,
    messageId,
    hops: n.hops ?? 0,
    budget: n.budget ?? d.env.defaults.messageBudget,
    consulted: from?.record.consulted ?? [],
    entryId: null,
    statusAt: d.time,
    statusSeq: 0,
  };
  if (n.powers) record.powers = n.powers;
  const trace = n.triggeredBy === 'message' ? n.trace : d.env.trace;
  if (trace !== undefined) record.trace = trace;
  if (n.said !== undefined) record.said = n.said;
  if (overrides) record.overrides = overrides;
  if (overrides && trusted) record.trusted = true;
  if (metadata) record.metadata = metadata;
  const files = from && filesUntil(from.record, steps);
  if (files) record.files = files;
  takeFiles(d, record, configOf(config, record), n.files);
  if (n.earlier && n.earlier.length > 0) record.earlier = n.earlier;
  if (n.chain !== undefined) record.chain = n.chain;
  if (n.passing) {
    record.passing = true;
    record.powers = onlyReads;
  }
  if (subject !== undefined) record.subject = subject;
  if (opensSession(d, n, record)) record.opens = true;
  if (isConversation(record)) d.sessions = noteNewest(d.sessions, record);
  const contextId = n.ownContext === true ? record.sessionId : n.contextId;
  if (contextId !== undefined) record.contextId = contextId;
  if (begunBy !== undefined) record.begunBy = begunBy;
  const { progress } = d.agent.config.a2a ?? {};
  if (n.message && progress !== undefined) record.progress = progress;
  const tree = treeOf(config, n.share);
  if (tree) record.tree = tree;
  if (n.parent) record.parent = n.parent;
  if (n.owes) record.owes = n.owes;
  if (n.message) record.messages = [asInput(n.message, n.input)];
  if (n.push) record.push = [pushConfigOf(id, n.push)];
  const live = d.addRun({
    record,
    entry: null,
    recordIsNew: true,
    entryIsNew: true,
    transcript: from?.transcript ?? [],
    humanInputs: from?.humanInputs ?? [],
    nextHuman: null,
    attempt: 0,
    stepping: false,
    reads: [],
    ...(from?.asides && { asides: from.asides }),
    ...(from?.kept && { kept: from.kept }),
  });
  d.count({ runs: 1 });
  d.agent.last_active_at = d.time;
  enqueue(d, live, undefined, n.inPlace);
  return live;
}

/** What a run may do that is no part of any conversation: nothing that lasts. */
const onlyReads: Powers = ['memory:read'];

const sessionOf = (d: AgentDraft, run: string): string =>
  isIdOf('run', run) ? ownSessionId(run) : d.env.ids('session', d.at);

/** Subjects.T4. */
export function checkSubject(d: AgentDraft, { sessionId, contextId, session, from }: NewRun, of: Owned): void {
  const named = sessionId ?? contextId;
  if (named === undefined || from) return;
  const known = d.sessions.get(named) ?? session;
  if (known && !isSameSubject(known, of))
    throw conflict(
      `session ${named} was begun for ${known.subject === null ? 'nobody in particular' : 'another subject'}: name another session, or its subject`,
    );
}

/** Whether the run is the first of its session, which is kept in mind from then on if the client has named it. */
function opensSession(d: AgentDraft, { sessionId, contextId, session, from }: NewRun, record: RunRecord): boolean {
  const { subject = null } = record;
  const named = sessionId ?? contextId;
  if (named === undefined) return isConversation(record);
  if (from || d.sessions.has(named)) return false;
  d.sessions = withSession(
    d.sessions,
    named,
    session ?? {
      subject,
      newest: record.id,
      turns: lastTurns(earlierSaidTurns(record), d.agent.config),
      waiting: [],
    },
  );
  return !session;
}

/** Omits the message's parts if they repeat the run's input. */
function asInput(message: TaskMessage, input: string): ConversationMessage {
  if (plainText(message.parts) !== input) return message;
  const { parts: _said, ...rest } = message;
  return rest;
}
