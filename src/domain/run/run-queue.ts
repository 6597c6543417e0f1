/**
 * Which of an agent's runs are running, and which wait. The head of the agent says so, with what decides whose turn it
 * is, so that no run has to be read for that.
 *
 *  - Of one session at most one run is running, and of the agent at most `config.max_parallel`.
 *  RunQueue.L2 Whenever there is room, the run begins that has waited longest of those whose session is free.
 */
import type { ActiveRun, AgentSnapshot } from '../shared/snapshots.js';
import { type LiveRun, type RunRecord, type StoredMessage, bounds } from '../agent/agent-state.js';
import type { AgentDraft } from '../agent/agent-draft.js';
import type { MailboxBounds } from '../shared/draft.js';
import { allows, isSameSubject } from '../shared/caller.js';

/** How many runs of an agent may be running, unless its settings say otherwise. */
export const defaultParallel = 8;

export const activeRun = ({ id, sessionId, triggeredBy, messageId }: RunRecord): ActiveRun =>
  triggeredBy === 'message' && messageId !== null
    ? { id, session: sessionId, message: messageId }
    : { id, session: sessionId };

type Runs = Pick<AgentSnapshot, 'running' | 'pending'>;

export const activeRuns = ({ running, pending }: Runs): readonly ActiveRun[] =>
  pending.length === 0 ? running : [...running, ...pending];

export const isBusy = ({ running, pending }: Runs): boolean => running.length > 0 || pending.length > 0;

/** The mailbox messages that triggered a pending or running run. */
export const triggersOf = (agent: Runs): readonly string[] => activeRuns(agent).flatMap(({ message }) => message ?? []);

/** The agent's runs are to be cancelled, in order: those that were pending or running when it ended (`ending`). */
export const nextToCancel = (agent: AgentSnapshot): ActiveRun | undefined => {
  const { deleting, status, ending = 0 } = agent;
  return deleting || status === 'terminated' || ending > 0 ? activeRuns(agent)[0] : undefined;
};

/** RunQueue.L2; `pending` are the runs that wait. */
export function nextToBegin(
  agent: AgentSnapshot,
  pending: readonly ActiveRun[] = agent.pending,
): ActiveRun | undefined {
  const { running, config } = agent;
  if (pending.length === 0 || running.length >= (config.max_parallel ?? defaultParallel)) return undefined;
  if (nextToCancel(agent)) return undefined;
  return pending.find(({ session }) => !running.some((run) => run.session === session));
}

/** Whether the run would begin at once if it came now. */
export const beginsAtOnce = (agent: AgentSnapshot, run: Pick<ActiveRun, 'id' | 'session'>): boolean =>
  nextToBegin(agent, [...agent.pending, run])?.id === run.id;

/*
 * Which mailbox messages a step reads. The decision that has the step begun says so, and the step's report marks them
 * as read.
 *
 *  - A message is read by one step at a time, of a run of its own subject.
 *  StepMessages.M2 A run that a message triggered reads that message in its first step, however many older ones are
 *     unread, unless another step is reading it.
 *  - Runs that messages triggered read the mailbox. Others read it only where the agent does not wake on messages, so
 *    that nobody's conversation carries what others have sent.
 */

/**
 * The messages that the step of this run which begins now takes in, oldest first: the one that triggered the run, and
 * others unless the run may not read memory.
 */
export function messagesForStep(d: AgentDraft, { record }: LiveRun): StoredMessage[] {
  const woken = record.triggeredBy === 'message';
  if (d.unread.length === 0 || (!woken && d.agent.wake_on_message)) return [];
  const mine = d.unread.filter((m) => isSameSubject(m, record)); // Subjects.T1
  const inUse = new Set(d.liveRuns().flatMap((run) => (run.record.id === record.id ? [] : run.reads)));
  const own = mine.filter(({ id }) => woken && id === record.messageId && !inUse.has(id));
  if (!allows(record.powers, 'memory:read')) return own;
  for (const id of triggersOf(d.agent)) inUse.add(id);
  if (woken && record.messageId !== null) inUse.add(record.messageId);
  const { unreadPerStep } = d.env.mailbox ?? bounds;
  const taken = new Set(firstMessages([...own, ...mine.filter(({ id }) => !inUse.has(id))], { unreadPerStep }));
  return d.unread.filter((m) => taken.has(m));
}

/** As many messages as one step takes in, and always at least one. */
function firstMessages(
  unread: readonly StoredMessage[],
  { unreadPerStep }: Pick<MailboxBounds, 'unreadPerStep'>,
): StoredMessage[] {
  const out: StoredMessage[] = [];
  for (let i = 0, bytes = 0; i < unread.length && out.length < unreadPerStep; i++) {
    const m = unread[i];
    if (!m) break;
    bytes += m.content.length;
    if (out.length > 0 && bytes > bounds.unreadBytes) break;
    out.push(m);
  }
  return out;
}

/** What must stay in memory until it has been read: what steps are reading, and what triggered runs. */
export const messagesInUse = (d: AgentDraft): ReadonlySet<string> =>
  new Set([...triggersOf(d.agent), ...d.liveRuns().flatMap(({ reads }) => reads)]);
