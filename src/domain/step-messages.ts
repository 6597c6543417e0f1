/**
 * Which mailbox messages a step reads. The decision that has the step begun says so, and the step's report marks them
 * as read.
 *
 *  - A message is read by one step at a time, of a run of its own subject.
 *  StepMessages.M2 A run that a message triggered reads that message in its first step, however many older ones are
 *     unread, unless another step is reading it.
 *  - Runs that messages triggered read the mailbox. Others read it only where the agent does not wake on messages, so
 *    that nobody's conversation carries what others have sent.
 */
import type { AgentDraft } from './agent-draft.js';
import { bounds, type LiveRun, type StoredMessage } from './agent-state.js';
import type { MailboxBounds } from './change.js';
import { allows } from './powers.js';
import { isSameSubject } from './subjects.js';
import { triggersOf } from './run-queue.js';

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
