/** The commands of an agent, which `decideAgent` applies to a draft of its state. */
import { isHandedOver } from '../run/hand-off.js';
import type { AgentDraft } from './agent-draft.js';
import { checkActive, checkVersion, type Versions } from './agent-settings.js';
import { bounds, type LiveRun, type RunRecord, type StepReport } from './agent-state.js';
import { type Credential, recordAudit } from '../workspace/audit.js';
import type { CommandOf, Decided, AuditActor } from '../shared/draft.js';
import type { PeerItem } from '../mailbox/peer-item.js';
import { HivekeepError, invalid } from '../shared/errors.js';
import type { GivenFiles } from '../run/conversation.js';
import type { ResumeInput } from '../shared/inputs.js';
import { learnFrom, queueLearning } from './learning.js';
import { markRead, receiveMessage, refillUnread } from '../mailbox/mailbox.js';
import { memoryCommands } from '../memory/memory-commands.js';
import { type AuditRecord, type Checkpoint, isTerminal, type RunEvent } from '../model/model.js';
import { waitingRun } from '../run/conversation.js';
import { checkSubject, createRun, type NewRun } from '../run/new-run.js';
import { bytesOfPeerCall, notePeerTask, type PeerOutcome } from '../mailbox/peers.js';
import { narrow, type Powers } from '../shared/caller.js';
import { deadLetterPush, pushConfigOf, pushDelivered, withPushConfig } from '../task/push-commands.js';
import { resumeRun } from '../run/resume-run.js';
import { noteAsked, takeOutcome } from '../mailbox/question-commands.js';
import { noteFork, type OldJournals, removeJournals } from '../run/retention.js';
import { adoptRun, applyStepReport, cancelLiveRun, continueRun, deadline, failRun } from '../run/run.js';
import { nextToBegin, nextToCancel } from '../run/run-queue.js';
import { type BusyRun, interruptRun, isGoingOn, steerRun } from '../run/steering.js';
import { removeToken } from './tokens.js';
import { type DueSchedule, startDue } from './schedules.js';
import { isSameSubject } from '../shared/caller.js';
import type { StoredMemory } from '../memory/stored-memory.js';
import {
  contextOf,
  conversationOf,
  plainText,
  type PushConfigInput,
  saidIn,
  type TaskMessage,
  textOf,
} from '../task/task.js';
import { replyOf } from '../task/run-as-task.js';
import type { OnBusy } from '../shared/vocabulary.js';
import type { SpawnedAgent } from '../mailbox/question-messages.js';
import { endChildren, noteChildGone, spawnedAs } from './spawning.js';

/** A run that a client asks for. */
type StartedRun = Omit<
  NewRun,
  'messageId' | 'hops' | 'budget' | 'message' | 'push' | 'contextId' | 'ownContext' | 'from'
> &
  Required<Pick<NewRun, 'direct'>> & {
    /** The run of its session that waits for a human, which the input answers (Conversation.V5). */
    waiting?: LiveRun | undefined;
    /** Who has said the input, for the run that it answers. */
    by?: AuditActor | undefined;
    /** The run of its session after which it is said. */
    after?: string | undefined;
    /** What is going on in its session, where that is to be interrupted or steered. */
    busy?: BusyRun | undefined;
  };

/** `mayDecide`: whether the caller may approve or reject what the run is about to do. */
export interface ResumeStart {
  run: LiveRun;
  input: Omit<ResumeInput, 'files'>;
  /** What of the input was said, if files came with it. */
  said?: string | undefined;
  files?: GivenFiles | undefined;
  mayDecide?: boolean;
  /** Who resumes it. */
  by?: AuditActor | undefined;
  powers?: Powers;
}

/**
 * An A2A message. It starts a new run, or resumes the run that it names; what it says of files, overrides, the session
 * and whom the run is for is of a new run.
 */
export interface TaskStart extends Pick<
  NewRun,
  'files' | 'contextId' | 'overrides' | 'trusted' | 'powers' | 'begunBy' | 'subject' | 'session'
> {
  /** It names its files (fileUri). */
  message: TaskMessage;
  run: LiveRun | null;
  /** The one run of its context that waits, where it names no task. */
  waiting?: LiveRun | undefined;
  push: PushConfigInput | null;
  /** Whether the caller may approve or reject what the run is about to do (agent:manage). */
  mayDecide?: boolean;
  /** Who has sent it. */
  by?: AuditActor | undefined;
  onBusy?: OnBusy | undefined;
  /** Through how many agents it has gone. */
  hops?: number | undefined;
  /** What is going on in its context, where that is to be interrupted or steered. */
  busy?: BusyRun | undefined;
}

export interface ReportedStep {
  runId: string;
  attempt: number;
  report: StepReport;
  usedMs: number;
}

/** The call of a question that has left the outbox, with the run that asks; the run that was begun for it, if one was. */
export interface AskedFor {
  run: LiveRun | null;
  call: string | null;
  by?: string | null;
  /** The agent that it was to spawn. */
  spawned?: SpawnedAgent | null;
}

export interface PeerCallEnd {
  item: PeerItem;
  run: LiveRun | null;
  came: (PeerOutcome & { files?: GivenFiles }) | null;
}

/** The size of an outbox document that is removed (usage.ts) is `bytes`. */
export interface Undelivered {
  outboxId: string;
  bytes?: number;
  /** Of a question, or of what else is sent because of one (questions.ts). */
  asked?: AskedFor;
  to: string;
  content: string;
  reason: string;
  subject?: string | undefined;
}

/** The commands of an agent; some are requests of clients, the others follow from work of its own. */
export const agentCommands = {
  ...memoryCommands,
  /**
   * A client shares a memory in the agent's name. The hive is recorded first, so that deleting the agent finds what was
   * shared.
   */
  sharing(d: AgentDraft, { hive }: { hive: string }): void {
    checkActive(d);
    if (!d.agent.hives.includes(hive)) throw invalid({ path: 'agent_id', message: `must be a member of hive ${hive}` });
    if (!d.agent.sharedWith.includes(hive)) d.agent.sharedWith = [...d.agent.sharedWith, hive];
    d.noteUse();
  },
  run(d: AgentDraft, c: StartedRun): RunRecord {
    checkActive(d);
    if (c.direct) d.count({ handled: 1 });
    checkGoesOn(d, c);
    if (c.waiting && waitingRun(c.waiting.record)?.kind === 'human') return answerRun(d, c.waiting, c);
    const busy = goingOn(c);
    if (busy && c.onBusy === 'steer') return steer(d, busy.run, c);
    return createRun(d, { ...c, inPlace: busy && interruptRun(d, busy, c.session) }).record;
  },
  resume(d: AgentDraft, c: ResumeStart): RunRecord {
    checkActive(d);
    checkLasts(d, c.run);
    const live = adoptRun(d, c.run);
    resumeRun(d, live, c.input, { mayDecide: c.mayDecide ?? false, said: c.said, files: c.files, by: c.by });
    narrow(live.record, c.powers);
    return live.record;
  },
  /**
   * Cancels a run that had not ended when its agent did. Each such run gets its own decision, because all of them
   * together may exceed what one commit can hold.
   */
  cancelLeft(d: AgentDraft, c: { run: LiveRun }): void {
    const live = adoptRun(d, c.run);
    if (!isTerminal(live.record.status)) cancelLiveRun(d, live);
  },
  /** None of the runs that had paused when the agent was terminated is left. */
  pausedEnded(d: AgentDraft): true {
    delete d.agent.endsPaused;
    return true;
  },
  task(d: AgentDraft, c: TaskStart): TaskStarted {
    checkActive(d);
    return startTask(d, c);
  },
  pushed: pushDelivered,
  deadLettered: deadLetterPush,
  step: takeStepReport,
  /** The run whose turn it is has been read; like all runs whose turn it is, it begins now (RunQueue.L2). */
  startNext(d: AgentDraft, { run }: { run: LiveRun }): void {
    if (nextToBegin(d.agent)?.id === run.record.id) adoptRun(d, run);
  },
  learn: learnFrom,
  queueLearning,
  deadline,
  refill: refillUnread,
  delivered(d: AgentDraft, c: { outboxId: string; bytes?: number; asked?: AskedFor }): void {
    dropOutboxItem(d, c);
    const { run = null, call = null, by, spawned } = c.asked ?? {};
    if (call !== null && spawned) takeOutcome(d, run, { call, ...spawnedAs(spawned) }, false);
    else if (call !== null && by) noteAsked(d, run, call, by);
  },
  undelivered: returnUndelivered,
  peerBegan: notePeerTask,
  /** Takes in what came of the call of a peer; `came` is null where nobody waits for it any more. */
  peerEnded(d: AgentDraft, { item, run, came }: PeerCallEnd): void {
    dropOutboxItem(d, { outboxId: item.id, bytes: bytesOfPeerCall(item) });
    if (came) takeOutcome(d, run, { call: item.id, ...came }, false);
  },
  expire(
    d: AgentDraft,
    c: {
      memories: readonly StoredMemory[];
      next: number | null;
      journals?: OldJournals;
      schedules?: { due: readonly DueSchedule[]; refusal: HivekeepError | null };
    },
  ): void {
    if (c.journals) removeJournals(d, c.journals);
    endChildren(d);
    if (c.schedules) startDue(d, c.schedules.due, c.schedules.refusal);
    memoryCommands.expire(d, c);
  },
  /** Somebody is about to call the tool. */
  noteToolCall: (d: AgentDraft, { name, by }: { name: string; by: AuditActor }): AuditRecord =>
    recordAudit(d, by, 'tool.called', { id: null, name, scopes: [], agent_id: d.agent.id }),
  /** The first commit of a delete. It fences off all other commands. */
  delete(d: AgentDraft, c: { tokens: readonly Credential[]; by: AuditActor; onlyIf?: Versions | undefined }): void {
    checkVersion(d, c.onlyIf);
    beginDelete(d, c.tokens, c.by);
  },
  /** Gives up these runs as far as they are running, or all, so that the agent stays reachable. */
  abandon(
    d: AgentDraft,
    { reason, runs }: { reason: { code: string; message: string }; runs?: readonly string[] },
  ): void {
    for (const { id } of d.agent.running) if (runs?.includes(id) ?? true) failRun(d, id, reason);
  },
  continue: continueAfterLoad,
};

/** Begins another run from a checkpoint of this one. */
export function startFork(d: AgentDraft, { run, checkpoint }: { run: LiveRun; checkpoint: Checkpoint }): RunRecord {
  checkActive(d);
  const { record } = run;
  if (run.historyRemoved)
    throw new HivekeepError(
      'RUN_NOT_RESUMABLE',
      `run ${record.id} cannot be forked: its journal was removed some time after it had ended`,
      { details: { status: record.status, stopReason: record.stopReason } },
    );
  noteFork(d, record);
  return createRun(d, {
    input: record.input,
    said: record.said,
    sessionId: record.sessionId,
    contextId: record.contextId,
    triggeredBy: 'fork',
    hops: record.hops,
    powers: record.powers,
    from: forkedAt(run, checkpoint),
  }).record;
}

export type AgentCommands = typeof agentCommands;
/** A command of the table, or one that brings its decision along (`decide`). */
export type AgentCommand<N extends keyof AgentCommands | 'decide' = keyof AgentCommands | 'decide'> =
  CommandOf<AgentCommands, Exclude<N, 'decide'>> | ('decide' extends N ? Decided<AgentDraft> : never);

/**
 * Refuses what is said after a run that is not the newest of its session any more: it belongs to another branch of the
 * conversation.
 */
function checkGoesOn(d: AgentDraft, { after, sessionId = '', session }: StartedRun): void {
  const { newest } = d.sessions.get(sessionId) ?? session ?? {};
  if (after === undefined || newest === undefined || newest === after) return;
  throw new HivekeepError('CONFLICT', `session ${sessionId} has gone on after run ${after}`, { details: { newest } });
}

/**
 * What is going on, if what is said goes into it. What is said to a run that has handed its conversation over is the
 * next message of that, and steers nothing.
 */
function goingOn({ busy, onBusy }: Pick<StartedRun, 'busy' | 'onBusy'>): BusyRun | undefined {
  if (!busy || !isGoingOn(busy.run.record)) return undefined;
  return onBusy === 'steer' && isHandedOver(busy.run.record) ? undefined : busy;
}

/** What is said in a session answers its run that waits: what else came with it is of a new run, and has no effect. */
function answerRun(d: AgentDraft, waiting: LiveRun, c: StartedRun): RunRecord {
  checkSubject(d, c, { subject: c.subject });
  const live = adoptRun(d, waiting);
  resumeRun(d, live, { input: c.input }, { mayDecide: false, said: c.said, files: c.files, by: c.by });
  narrow(live.record, c.powers);
  if (c.chain !== undefined) live.record.chain = c.chain;
  if (c.direct && live.record.triggeredBy !== 'message') live.record.messageId = d.env.ids('message', d.at);
  return live.record;
}

/** What comes with what is said to a run that goes on is of a new run, and has no effect, as with an answer. */
function steer(d: AgentDraft, run: LiveRun, c: StartedRun): RunRecord {
  checkSubject(d, c, { subject: c.subject });
  const record = steerRun(d, run, { input: c.input, said: c.said, files: c.files, by: c.by });
  narrow(record, c.powers);
  if (c.chain !== undefined) record.chain = c.chain;
  if (c.direct && record.triggeredBy !== 'message') record.messageId = d.env.ids('message', d.at);
  return record;
}

/** A run that had paused when its agent was terminated ends, whatever the agent is by now. */
function checkLasts({ agent }: AgentDraft, { record: { id, status } }: LiveRun): void {
  if (agent.endsPaused && status === 'paused')
    throw new HivekeepError('RUN_NOT_RESUMABLE', `run ${id} is being cancelled: its agent was terminated`, {
      details: { status, stopReason: null },
    });
}

/** A task's run as of this decision, and the first event that the message caused, which is a non-terminal status. */
export interface TaskStarted {
  record: RunRecord;
  first: RunEvent;
  /** The message names no task, and has answered the one of its context that waited. */
  answered: boolean;
}

/** Whether a message that names no task is for the one that waits in its context. */
function answers({ record }: LiveRun, message: TaskMessage, mayDecide: boolean): boolean {
  switch (waitingRun(record)?.kind) {
    case 'human':
      return true;
    case 'approval':
      return mayDecide;
    case 'tools':
      return message.parts.some(({ kind }) => kind === 'data');
    default:
      return false;
  }
}

const inputOf = ({ parts }: TaskMessage): string => plainText(parts) ?? textOf(parts);

function startTask(d: AgentDraft, c: TaskStart): TaskStarted {
  const { message, files, run: named, waiting, push, contextId, mayDecide = false, powers, subject } = c;
  const going = goingOn(c);
  const steered = going && c.onBusy === 'steer' ? going.run : null;
  const run = named ?? (waiting && answers(waiting, message, mayDecide) ? waiting : steered);
  if (run && contextId !== undefined && ![contextOf(run.record), conversationOf(run.record)].includes(contextId))
    throw invalid({
      path: 'message.contextId',
      message: `must be the contextId of task ${run.record.id}, or be left out`,
    });
  if (run && subject !== undefined && !isSameSubject(run.record, { subject }))
    throw invalid({ path: 'message.metadata', message: `task ${run.record.id} is for another subject` });
  if (run) checkLasts(d, run);
  const live = run ? adoptRun(d, run) : null;
  d.count({ handled: 1 });
  if (live) {
    if (push) live.record.push = withPushConfig(live.record.push ?? [], pushConfigOf(live.record.id, push));
    const said = { said: saidIn(message.parts), message, files, by: c.by };
    if (steered && run === steered) steerRun(d, live, { input: inputOf(message), ...said });
    else resumeRun(d, live, replyOf(live.record, message), { mayDecide, ...said });
    narrow(live.record, powers);
  }
  const inPlace = !live && going && interruptRun(d, going, c.session);
  const { record } =
    live ??
    createRun(d, {
      input: inputOf(message),
      said: saidIn(message.parts),
      triggeredBy: 'a2a',
      onBusy: c.onBusy,
      inPlace: inPlace || undefined,
      contextId: contextId === d.agent.id ? undefined : contextId,
      ownContext: contextId === undefined && d.env.defaults.contextOfTask === 'session',
      overrides: c.overrides,
      trusted: c.trusted,
      begunBy: c.begunBy,
      subject,
      message,
      files,
      push: push ?? undefined,
      hops: c.hops,
      powers,
      session: c.session,
    });
  return { record, first: d.firstEvent(record.id), answered: run !== null && named === null };
}

/** Everything up to and including the checkpoint, and nothing after it. */
const forkedAt = (run: LiveRun, checkpoint: Checkpoint): NonNullable<NewRun['from']> => ({
  record: run.record,
  checkpoint,
  transcript: run.transcript.slice(0, checkpoint.step),
  asides: run.asides?.slice(0, checkpoint.step),
  kept: run.kept?.slice(0, checkpoint.step),
  humanInputs: run.humanInputs.filter((h) => h.step < checkpoint.step),
});

function takeStepReport(d: AgentDraft, c: ReportedStep): boolean {
  if (!d.isStepping(c.runId, c.attempt)) return false;
  if (c.report.ok) markRead(d, c.runId);
  return applyStepReport(d, c.runId, c.attempt, c.report, c.usedMs);
}

function dropOutboxItem(d: AgentDraft, { outboxId, bytes = 0 }: { outboxId: string; bytes?: number }): void {
  d.remove('outbox', outboxId, bytes);
  d.agent.outbox--;
}

/** Returns an undeliverable message to its sender as a mailbox message that wakes nobody. */
function returnUndelivered(d: AgentDraft, c: Undelivered): void {
  dropOutboxItem(d, c);
  if (c.asked) {
    const { run, call, spawned } = c.asked;
    if (spawned) noteChildGone(d, spawned.id);
    const what = spawned ? 'spawned' : 'asked';
    if (call !== null) takeOutcome(d, run, { call, ok: false, result: `not ${what}: ${c.reason}` }, false);
    return;
  }
  receiveMessage(d, {
    content: `could not be delivered to ${c.to}: ${c.reason}`,
    from: null,
    reply_to: c.outboxId,
    subject: c.subject,
    metadata: { undelivered: { to: c.to, content: c.content.slice(0, 1000) } },
    hops: bounds.maxHops + 1,
    budget: 0,
  });
}

/** Revokes the tokens. The decisions that follow cancel the runs, so that their streams end with a final `canceled`. */
function beginDelete(d: AgentDraft, tokens: readonly Credential[], by: AuditActor): void {
  for (const token of tokens) removeToken(d, token, by);
  d.agent.deleting = true;
  delete d.agent.schedules;
  delete d.agent.scheduleNames;
  d.agent.unread = 0;
  d.unread = [];
  d.moreMayWake = false;
  d.announce('agent.deleted', { agent_id: d.agent.id });
}

/**
 * The first command of a new activation: it continues what was in progress. A command that was handled before it may
 * already have begun a step, which is not begun again (Run.U4). `unsent`: the runs whose calls have not gone out.
 */
function continueAfterLoad(
  d: AgentDraft,
  { process, unsent = [] }: { process?: string; unsent?: readonly string[] },
): void {
  if (!nextToCancel(d.agent))
    for (const { id } of d.agent.running) if (!d.hasStep(id)) continueRun(d, id, process, unsent.includes(id));
  if (d.unread.length < d.agent.unread) d.effects.push({ type: 'refill' });
}
