/** Reads the mailbox, and what could not be delivered, from the store. */
import type { StoredMessage } from '../../../src/domain/agent-state.js';
import { mayWake } from '../../../src/domain/mailbox.js';
import { notFound } from '../../../src/domain/errors.js';
import type { StoredDeadLetter } from '../../../src/domain/push.js';
import type { EntityRef, Store } from '../../../src/store/port.js';
import { pagesOf } from '../../../src/store/pages.js';

/** The unread messages that an agent's actor keeps in memory (AgentState.unread, AgentState.moreMayWake). */
export interface UnreadMessages {
  messages: StoredMessage[];
  moreMayWake: boolean;
}

/**
 * Reads the oldest unread messages, oldest first. If none of them may wake the agent, the oldest one that may wake it
 * follows. The messages that woke the runs in progress are added as well.
 */
export async function unreadMessages(
  store: Store,
  agent: EntityRef,
  { limit, wokeRuns }: { limit: number; wokeRuns: readonly string[] },
): Promise<UnreadMessages> {
  const messages: StoredMessage[] = [];
  let moreMayWake = false;
  for await (const page of unreadPages(store, agent, limit)) {
    const waking = page.items.filter(mayWake);
    moreMayWake = page.more || (messages.length > 0 && waking.length > 1);
    if (messages.length === 0) messages.push(...page.items);
    else messages.push(...waking.slice(0, 1));
    if (messages.some(mayWake)) break;
  }
  const missing = wokeRuns.filter((id) => !messages.some((m) => m.id === id));
  for (const doc of await store.getMany(agent, 'message', missing)) {
    const message = doc?.body;
    if (message?.read_at === null) messages.push(message);
  }
  return { messages, moreMayWake };
}

/**
 * Yields pages of unread messages, oldest first. The inbox list is ordered by [0 unread | 1 read, -time], so the unread
 * messages are those before 0.5, in reverse order.
 */
async function* unreadPages(
  store: Store,
  agent: EntityRef,
  limit: number,
): AsyncIterable<{ items: StoredMessage[]; more: boolean }> {
  for await (const { items, next } of pagesOf(store, {
    workspace: agent.workspace,
    entity: agent,
    collection: 'message',
    list: 'inbox',
    order: 'desc',
    limit,
    after: [0.5, 0, ''],
  }))
    yield { items: items.map((i) => i.body), more: next !== null };
}

export async function deadLetter(store: Store, agent: EntityRef, id: string): Promise<StoredDeadLetter> {
  const doc = await store.get(agent, 'deadLetter', id);
  if (!doc) throw notFound('dead letter', id);
  return doc.body;
}
