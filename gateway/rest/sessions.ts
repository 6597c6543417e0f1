/** Sessions: the conversations with agents (docs/api.md 2.15, 13.4). */
import { list, removal, type Route } from './route.js';

export const sessionRoutes: readonly Route[] = [
  list({
    operationId: 'listAllSessions',
    path: '/v1/sessions',
    scope: 'agent:read',
    summary: 'List the conversations of all agents.',
    result: 'Session',
    handle: (service, { caller, page }) => service.listSessions(caller, null, page),
  }),
  list({
    operationId: 'listSessions',
    path: '/v1/agents/:id/sessions',
    scope: 'agent:read',
    summary: 'List the conversations of an agent.',
    result: 'Session',
    handle: (service, { caller, params, page }) => service.listSessions(caller, params.id, page),
  }),
  list({
    operationId: 'listTurns',
    path: '/v1/agents/:id/sessions/:sessionId/turns',
    scope: 'agent:read',
    summary: 'List the turns of a conversation.',
    result: 'Turn',
    handle: (service, { caller, params, page }) => service.listTurns(caller, params.id, params.sessionId, page),
  }),
  removal({
    operationId: 'deleteSession',
    path: '/v1/agents/:id/sessions/:sessionId',
    scope: 'agent:manage',
    summary: 'Delete a conversation with its runs, turns and memories.',
    removes: 'sessionId',
    handle: (service, { caller, params }) => service.deleteSession(caller, params.id, params.sessionId),
  }),
  removal({
    operationId: 'deleteSubject',
    path: '/v1/agents/:id/subjects/:subject',
    scope: 'agent:manage',
    summary: 'Delete everything that an agent has of a subject: memories, runs, messages and schedules.',
    removes: 'subject',
    handle: (service, { caller, params }) => service.deleteSubject(caller, params.id, params.subject),
  }),
];
