/** The native mailbox (docs/api.md 1, 6.3). */
import { mailboxInput } from '../../src/domain/inputs.js';
import { list, read, remove, write, type Route } from './route.js';

export const mailboxRoutes: readonly Route[] = [
  write({
    operationId: 'sendMessage',
    path: '/v1/agent-constellations/:id/messages',
    scope: 'agent:spawn',
    summary: 'Send a message to the mailbox of an agent.',
    result: 'MailboxMessage',
    // a message has no page of its own: a fragment identifies it within the mailbox
    body: mailboxInput,
    status: 201,
    handle: (service, { caller, params, body }) => service.sendMessage(caller, params.id, body),
    location: (message) => `/v1/agent-constellations/${message.agent_id}/messages#${message.id}`,
  }),
  list({
    operationId: 'listMessages',
    path: '/v1/agent-constellations/:id/messages',
    scope: 'agent:read',
    summary: 'List mailbox messages: unread first, or by time if an order is given.',
    result: 'MailboxMessage',
    paging: { ownOrder: true },
    handle: (service, { caller, params, page, ordered }) => service.listMessages(caller, params.id, !ordered, page),
  }),
  read({
    operationId: 'getMailboxTraffic',
    path: '/v1/mailbox/traffic',
    scope: 'agent:read',
    summary: 'Count the messages between agents in the last hour.',
    result: 'Traffic',
    handle: (service, { caller }) => service.mailboxTraffic(caller),
  }),
  remove({
    operationId: 'deleteMessage',
    path: '/v1/agent-constellations/:id/messages/:messageId',
    scope: 'agent:manage',
    summary: 'Delete a mailbox message.',
    removes: 'messageId',
    handle: (service, { caller, params }) => service.deleteMessage(caller, params.id, params.messageId),
  }),
];
