/** What can be asked of mailboxes (docs/api.md 1, 6.3; domain/mailbox/mailbox.ts). */
import type { AgentSnapshot } from '../domain/shared/snapshots.js';
import { showMessage } from '../domain/agent/agent-state.js';
import type { Caller, Powers } from '../domain/shared/caller.js';
import { notFound } from '../domain/shared/errors.js';
import { mailboxInput } from '../domain/shared/inputs.js';
import { removeMessage, receive } from '../domain/mailbox/mailbox.js';
import { change, internalChange, query, type Reading, takes } from './command.js';
import { agentRef, headOf } from './entities.js';
import { deliveryRecordMs, goneKey, resentRecordMs } from './idempotency.js';
import { pageOf, type PageRequest } from './lists.js';
import { countTraffic } from './traffic.js';

export const sendMessage = change({
  name: 'sendMessage',
  summary: 'Send a message to the mailbox of an agent.',
  scope: 'agent:spawn',
  result: 'MailboxMessage',
  audit: null,
  of: 'agent',
  target: ['id'],
  input: mailboxInput,
  adds: true,
  read: ({ deps: { store }, state }, { caller, input: { from } }) =>
    from === undefined ? strangers : senderOf(store, caller, from, acceptsByHive(state.agent)),
  decide: (d, { caller, input }, { verified, hives }) =>
    showMessage(
      receive(d, {
        content: input.content,
        from: input.from,
        reply_to: input.reply_to,
        subject: input.subject,
        metadata: input.metadata,
        hops: 0,
        powers: caller.powers,
        verified,
        senderHives: hives,
      }),
    ),
});

/** A message as an agent's outbox delivers it. */
export interface Delivery {
  id: string;
  content: string;
  from: string;
  reply_to?: string | undefined;
  subject?: string | undefined;
  hops: number;
  budget?: number | undefined;
  powers?: Powers;
}

/** An outbox may deliver a message more than once: it is taken in once, whatever the agent is by then (Mailbox.B1). */
export const deliverMessage = internalChange({
  name: 'deliverMessage',
  of: 'agent',
  target: ['id'],
  takes: takes<Delivery>(),
  adds: true,
  repeatable: true,
  read: (reading, { input }) =>
    reading.settled(async () => ({
      isKnown: await isKnown(reading, input.id),
      hives: acceptsByHive(reading.state.agent) ? await hivesOf(reading, input.from) : [],
    })),
  decide(d, { input }, { isKnown: known, hives }): void {
    if (known) return;
    receive(d, {
      id: input.id,
      content: input.content,
      from: input.from,
      reply_to: input.reply_to,
      subject: input.subject,
      hops: input.hops,
      budget: input.budget,
      powers: input.powers,
      verified: false,
      senderHives: hives,
    });
  },
});

/** The record of a deletion says that a message is not to be taken in again, if it is still delivered (Mailbox.B1). */
export const deleteMessage = change({
  name: 'deleteMessage',
  summary: 'Delete a mailbox message.',
  scope: 'agent:manage',
  result: 'Deleted',
  audit: 'message.deleted',
  of: 'agent',
  target: ['id', 'messageId'],
  async prepare({ store }, { caller, target: { id, messageId } }) {
    const agent = agentRef(caller, id);
    await headOf({ store }, agent);
    const message = await store.get(agent, 'message', messageId);
    if (!message) throw notFound('message', messageId);
    return { wasDelivered: message.body.hops > 0 };
  },
  key: ({ target, input: { wasDelivered } }) =>
    goneKey(target.messageId, wasDelivered ? deliveryRecordMs : resentRecordMs),
  read: (reading, { target }) =>
    reading.settled(async () => {
      const message = await reading.deps.store.get(reading.entity, 'message', target.messageId);
      if (!message) throw notFound('message', target.messageId);
      return message.body;
    }),
  decide(d, _call, message): void {
    removeMessage(d, message);
  },
});

/** Unread messages come first, then read ones, the newest first in each group, unless the caller names an order. */
export const listMessages = query({
  name: 'listMessages',
  summary: 'List mailbox messages: unread first, or by time if an order is given.',
  scope: 'agent:read',
  result: 'MailboxMessage',
  target: ['id'],
  async run({ store }, { caller, target, input: { page } }: { caller: Caller; target: { id: string }; input: Paged }) {
    const entity = agentRef(caller, target.id);
    const { counts } = await headOf({ store }, entity);
    return pageOf(
      { store },
      {
        workspace: caller.workspace,
        entity,
        collection: 'message',
        list: page.ordered ? 'created' : 'inbox',
      },
      page.ordered ? page : { ...page, order: 'asc' },
      counts['messages'] ?? 0,
      ({ body }) => showMessage(body),
    );
  },
});

interface Paged {
  page: PageRequest;
}

/** Who has written to whom in the last hour. */
export const getMailboxTraffic = query({
  name: 'getMailboxTraffic',
  summary: 'Count the messages between agents in the last hour.',
  scope: 'agent:read',
  result: 'Traffic',
  target: [],
  run: (services, { caller }) => countTraffic(services, caller.workspace),
});

/** Whom a client names as the sender. */
interface Sender {
  /** It is an agent, and the caller may send as it. */
  verified: boolean;
  /** Its hives, if the receiver asks for them. */
  hives: readonly string[];
}
const strangers: Sender = { verified: false, hives: [] };

/** Whether accepting a message depends on the hives of its sender (config.mailbox.accept). */
export const acceptsByHive = ({ config }: AgentSnapshot): boolean => config.mailbox?.accept === 'hive';

/** Only a caller with the scope `agent:manage` may send as an agent, and a token that opens MCP as its own. */
async function senderOf(
  store: Reading<'agent'>['deps']['store'],
  caller: Caller,
  from: string,
  asksHives: boolean,
): Promise<Sender> {
  const asItself = caller.agent === from && caller.scopes.includes('agent:mcp');
  if (!asItself && !caller.scopes.includes('agent:manage')) return strangers;
  const head = await store.head(agentRef(caller, from));
  if (head === null || head.deleted) return strangers;
  return { verified: true, hives: asksHives ? head.snapshot.hives : [] };
}

export async function hivesOf({ deps: { store }, entity }: Reading<'agent'>, id: string): Promise<readonly string[]> {
  const head = await store.head(agentRef(entity, id));
  return head && !head.deleted ? head.snapshot.hives : [];
}

/** Mailbox.B1. */
async function isKnown({ deps: { store, clock }, entity, state }: Reading<'agent'>, id: string): Promise<boolean> {
  if (await store.get(entity, 'message', id)) return true;
  return state.agent.mailDeletedAt !== undefined && (await store.record(entity, goneKey(id).id, clock.now())) !== null;
}
