/**
 * The native mailbox and the wake rule (docs/api.md 3.2, 6.3; model: Model.O1, Model.W1, Model.W2).
 *
 *  Mailbox.B1 A message is accepted once, however often it is delivered: its stored document is the record of that, or
 *     the record of its deletion, which is kept for longer than a message is delivered.
 *  - While an active agent with wake_on_message has an unread message that may wake it, a run is pending or running.
 *    The rule is applied at the end of every decision, whatever caused it. If only messages that are not in memory may
 *    wake the agent, they are read next, and until then the agent has work to do (`hasWork`), for which the next
 *    process loads it if this one ends.
 *  Mailbox.B5 A message that arrives while a run is pending or running makes none. The commit that ends a run makes one
 *     for the oldest unread message that may wake, unless a run that a message triggered is pending or running: so a
 *     message does not wait for an agent that is never idle, and one run at a time is woken.
 *  - A message wakes its agent three times at most, and never if it has passed more than 16 agents.
 *  - A run that a message woke reads that message in its first step (StepMessages.M2).
 */
import { checkActive } from '../agent/agent-settings.js';
import { checkSpawnedFor } from '../agent/spawning.js';
import { type AgentState, bounds, external, senderOf, type StoredMessage } from '../agent/agent-state.js';
import type { AgentDraft } from '../agent/agent-draft.js';
import { budgetOf } from './causal-budget.js';
import type { MailboxBounds } from '../shared/draft.js';
import { HivekeepError } from '../shared/errors.js';
import { narrow, type Powers } from '../shared/caller.js';
import { sizeOf } from '../workspace/usage.js';
import { createRun } from '../run/new-run.js';
import { withSubject } from '../shared/caller.js';
import { isBusy, triggersOf } from '../run/run-queue.js';
import { messagesInUse } from '../run/run-queue.js';

export interface IncomingMessage {
  id?: string | undefined;
  content: string;
  from: string | null;
  reply_to: string | null;
  subject?: string | undefined;
  metadata: Record<string, unknown>;
  hops: number;
  budget?: number | undefined;
  powers?: Powers;
  verified?: boolean;
}

/** Whether the message, if it is unread, may wake its agent. */
export const mayWakeWithin =
  ({ maxWakes }: MailboxBounds) =>
  (m: StoredMessage): boolean =>
    m.hops <= bounds.maxHops && m.wakes < maxWakes;

export const mayWake = mayWakeWithin(bounds);

const boundsOf = (d: AgentDraft): MailboxBounds => d.env.mailbox ?? bounds;

/** A message as it comes in, from a client (no hops) or from another agent. */
export interface Received {
  id?: string | undefined;
  content: string;
  from?: string | undefined;
  reply_to?: string | undefined;
  subject?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  hops: number;
  budget?: number | undefined;
  powers?: Powers;
  /** Whether the client may say which agent the message is from, and that agent exists. */
  verified: boolean;
  /** The hives of the sending agent, if the receiver's settings depend on them. */
  senderHives: readonly string[];
}

/** Takes a message in, if the agent is active and accepts messages from its sender. */
export function receive(d: AgentDraft, m: Received): StoredMessage {
  checkActive(d);
  const from = m.hops > 0 || m.verified ? (m.from ?? null) : external;
  checkAccepted(d, from, m.senderHives);
  checkSpawnedFor(d, m);
  return receiveMessage(d, {
    id: m.id,
    content: m.content,
    from,
    reply_to: m.reply_to ?? null,
    subject: m.subject,
    metadata: m.metadata ?? {},
    hops: m.hops,
    budget: m.budget,
    powers: m.powers,
    verified: m.hops === 0 && m.verified,
  });
}

/**
 * Checks whether the agent accepts messages from this sender. The setting allows all senders (the default), members of
 * the agent's hives, or an explicit list. Throws CONFLICT if the sender is not accepted.
 */
export function checkAccepted(d: AgentDraft, from: string | null, senderHives: readonly string[]): void {
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

export function receiveMessage(d: AgentDraft, m: IncomingMessage): StoredMessage {
  const message: StoredMessage = {
    id: m.id ?? d.env.ids('message', d.at),
    agent_id: d.agent.id,
    from: m.from,
    content: m.content,
    reply_to: m.reply_to,
    ...withSubject(m),
    metadata: m.metadata,
    hops: m.hops,
    budget: budgetOf(m, d.env.defaults.messageBudget),
    ...(m.powers && { powers: m.powers }),
    ...(d.env.trace !== undefined && { trace: d.env.trace }),
    ...(m.verified && { verified: true }),
    wakes: 0,
    read_at: null,
    created_at: d.time,
  };
  d.put('message', message.id, message, true);
  d.count({ messages: 1 });
  keepUnread(d, message);
  d.agent.last_active_at = d.time;
  d.index('message', message);
  d.announce('message.received', { message_id: message.id, agent_id: d.agent.id, from: senderOf(message) });
  return message;
}

/**
 * Keeps the oldest unread messages in memory. A later one is kept only if it may wake the agent and none of those in
 * memory may; it then replaces one of them. Otherwise 64 messages that may no longer wake the agent would prevent all
 * others from waking it. What a run is to read is never replaced before the run has read it.
 */
function keepUnread(d: AgentDraft, message: StoredMessage): void {
  const complete = d.unread.length === d.agent.unread;
  const { unreadInMemory } = boundsOf(d);
  const mayWake = mayWakeWithin(boundsOf(d));
  d.agent.unread++;
  if (complete && d.unread.length < unreadInMemory) d.unread = [...d.unread, message];
  else if (mayWake(message) && !d.unread.some(mayWake)) {
    const inUse = messagesInUse(d);
    const leaves = d.unread.findLast(({ id }) => !inUse.has(id));
    d.unread = [...d.unread.filter((m) => m !== leaves), message];
  } else if (mayWake(message)) d.moreMayWake = true;
}

/**
 * Adds unread messages read from the store. `moreMayWake` says whether any that remain in the store may wake the agent.
 */
export function refillUnread(
  d: AgentDraft,
  { messages, moreMayWake }: { messages: readonly StoredMessage[]; moreMayWake: boolean },
): void {
  d.moreMayWake = moreMayWake;
  const here = new Set(d.unread.map((m) => m.id));
  d.unread = [...d.unread, ...messages.filter((m) => !here.has(m.id))].sort((a, b) =>
    a.created_at < b.created_at ? -1 : 1,
  );
}

/**
 * Marks the messages that a step took in as read. The run takes over their budgets, hop counts and powers, which apply
 * to what it sends.
 */
export function markRead(d: AgentDraft, runId: string): void {
  const live = d.editRun(runId);
  if (live.reads.length === 0) return;
  const read = new Set(live.reads);
  const run = live.record;
  const origin = d.env.defaults.messageBudget;
  d.unread = d.unread.filter((m) => {
    if (!read.has(m.id)) return true;
    putMessage(d, { ...m, read_at: d.time }, m);
    d.agent.unread--;
    d.count({ handled: 1 });
    run.budget = budgetOf(run, origin) + budgetOf(m, origin);
    run.hops = Math.max(run.hops, m.hops);
    narrow(run, m.powers);
    return false;
  });
  if (d.unread.length < d.agent.unread) d.effects.push({ type: 'refill' });
}

/** Deletes a message, also an unread one. A run that it has woken goes on. */
export function removeMessage(d: AgentDraft, m: StoredMessage): void {
  d.remove('message', m.id, sizeOf(m));
  d.count({ messages: -1 });
  d.agent.mailDeletedAt = d.time;
  d.effects.push({ type: 'unindex', kind: 'message', id: m.id });
  d.announce('message.deleted', { message_id: m.id, agent_id: d.agent.id });
  if (m.read_at !== null) return;
  d.agent.unread--;
  d.unread = d.unread.filter(({ id }) => id !== m.id);
  if (d.unread.length < d.agent.unread) d.effects.push({ type: 'refill' });
}

const putMessage = (d: AgentDraft, m: StoredMessage, before: StoredMessage): void => {
  const at = d.puts.findIndex((p) => p.kind === 'message' && p.id === m.id);
  if (at >= 0) d.grown += sizeOf(m) - sizeOf(before);
  if (at >= 0) d.puts.splice(at, 1, { kind: 'message', id: m.id, body: { ...m }, isNew: d.puts[at]?.isNew ?? false });
  else d.put('message', m.id, m, false, before);
};

/** Whether a message that is only in the store may have to wake the agent, so that the mailbox is to be read. */
export const hasToReadOn = (state: Pick<AgentState, 'agent' | 'moreMayWake' | 'mailDue'>): boolean =>
  state.moreMayWake && wakesForMessages(state);

/** Whether a message that may wake the agent makes a run now. */
const wakesForMessages = ({ agent, mailDue }: Pick<AgentState, 'agent' | 'mailDue'>): boolean =>
  agent.wake_on_message &&
  agent.status === 'active' &&
  !agent.deleting &&
  (mailDue ? triggersOf(agent).length === 0 : !isBusy(agent));

/** Makes a run for an unread message that may wake the agent, if it is time for that. */
export function applyWakeRule(d: AgentDraft): void {
  const wakes = wakesForMessages(d);
  const waking = wakes ? d.unread.find(mayWakeWithin(boundsOf(d))) : undefined;
  // the mailbox is looked at again when it has been read
  d.mailDue &&= wakes && !waking && d.moreMayWake;
  if (!waking) {
    if (wakes && d.moreMayWake) d.effects.push({ type: 'refill' });
    return;
  }
  const woken: StoredMessage = { ...waking, wakes: waking.wakes + 1 };
  d.unread = d.unread.map((m) => (m.id === woken.id ? woken : m));
  putMessage(d, woken, waking);
  createRun(d, {
    input: woken.content,
    triggeredBy: 'message',
    messageId: woken.id,
    hops: woken.hops,
    budget: 0, // the run takes over the message's budget when it reads it
    powers: woken.powers,
    trace: woken.trace,
    subject: woken.subject,
  });
}
