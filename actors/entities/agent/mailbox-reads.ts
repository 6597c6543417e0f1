/** The mailbox and the outbox from the store. */
import type { OutboxItem, StoredMessage } from '../../../src/domain/agent-state.js';
import { notFound } from '../../../src/domain/errors.js';
import type { PushOutboxItem, StoredDeadLetter } from '../../../src/domain/push.js';
import type { EntityRef, Page, Position, Store } from '../../../src/store/port.js';

/** The oldest unread messages, oldest first. The inbox list holds [0 unread | 1 read, -time], so they come last to first below 0.5. */
export async function unreadMessages(store: Store, agent: EntityRef, limit: number): Promise<StoredMessage[]> {
  const page = await store.list({
    workspace: agent.workspace,
    entity: agent,
    collection: 'message',
    list: 'inbox',
    order: 'desc',
    limit,
    after: [0.5, 0, ''],
  });
  return page.items.map((i) => i.body as unknown as StoredMessage);
}

export async function* outboxItems(store: Store, agent: EntityRef): AsyncIterable<(OutboxItem | PushOutboxItem)[]> {
  let after: Position | undefined;
  do {
    const page: Page = await store.list({
      workspace: agent.workspace,
      entity: agent,
      collection: 'outbox',
      list: 'created',
      order: 'asc',
      limit: 100,
      ...(after && { after }),
    });
    yield page.items.map((i) => i.body as unknown as OutboxItem | PushOutboxItem);
    after = page.next ?? undefined;
  } while (after);
}

export async function deadLetter(store: Store, agent: EntityRef, id: string): Promise<StoredDeadLetter> {
  const doc = await store.get(agent, 'deadLetter', id);
  if (!doc) throw notFound('dead letter', id);
  return doc.body as unknown as StoredDeadLetter;
}
