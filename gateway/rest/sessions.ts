/** Sessions: the conversations with agents (docs/api.md 2.15, 13.4). */
import { list, remove, type Route } from './route.js';

export const sessionRoutes: readonly Route[] = [
  list({
    operationId: 'listAllSessions',
    path: '/v1/sessions',
    scope: 'agent:read',
    summary: 'List the conversations with all agents.',
    result: 'Session',
    paging: { updates: false, offset: false },
    handle: (service, { caller, page }) => service.listSessions(caller, null, page),
  }),
  list({
    operationId: 'listSessions',
    path: '/v1/agents/:id/sessions',
    scope: 'agent:read',
    summary: 'List the conversations with an agent.',
    result: 'Session',
    paging: { updates: false, offset: false },
    handle: (service, { caller, params, page }) => service.listSessions(caller, params.id, page),
  }),
  list({
    operationId: 'listTurns',
    path: '/v1/agents/:id/sessions/:sessionId/turns',
    scope: 'agent:read',
    summary: 'List what was said in a conversation.',
    result: 'Turn',
    paging: { updates: false, offset: false },
    handle: (service, { caller, params, page }) => service.listTurns(caller, params.id, params.sessionId, page),
  }),
  remove({
    operationId: 'deleteSession',
    path: '/v1/agents/:id/sessions/:sessionId',
    scope: 'agent:manage',
    summary: 'Delete a conversation: its runs with what was said in them, and its memories.',
    removes: 'sessionId',
    handle: (service, { caller, params }) => service.deleteSession(caller, params.id, params.sessionId),
  }),
];
