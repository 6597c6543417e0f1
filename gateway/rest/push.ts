/** Dead-lettered pushes: listing them, and sending them again. */
import { z } from 'zod';
import { list, write, type Route } from './route.js';

export const pushRoutes: readonly Route[] = [
  list({
    operationId: 'listDeadLetters',
    path: '/v1/push/dead-letters',
    scope: 'agent:read',
    summary: 'List push notifications that could not be delivered.',
    result: 'DeadLetter',
    handle: (service, { caller, page }) => service.listDeadLetters(caller, page),
  }),
  write({
    operationId: 'replayDeadLetter',
    path: '/v1/push/dead-letters/:id/replay',
    scope: 'agent:manage',
    summary: 'Retry a push notification, starting from its first attempt.',
    audited: true,
    result: 'DeadLetter',
    body: z.strictObject({}),
    bodyOptional: true,
    status: 202,
    handle: (service, { caller, params }) => service.replayDeadLetter(caller, params.id),
  }),
];
