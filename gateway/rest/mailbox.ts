/** The native mailbox (docs/api.md 1, 6.3). */
import { deleteMessage, getMailboxTraffic, listMessages, sendMessage } from '../../src/commands/mailbox.js';
import { get, page, post, remove, type Route } from './route.js';

export const mailboxRoutes: readonly Route[] = [
  post('/v1/agent-constellations/:id/messages', sendMessage, {
    status: 201,
    // a message has no page of its own: a fragment identifies it within the mailbox
    location: (message) => `/v1/agent-constellations/${message.agent_id}/messages#${message.id}`,
  }),
  page('/v1/agent-constellations/:id/messages', listMessages, { ownOrder: true }),
  get('/v1/mailbox/traffic', getMailboxTraffic),
  remove('/v1/agent-constellations/:id/messages/:messageId', deleteMessage, { removes: 'messageId' }),
];
