/** Dead-lettered pushes: listing them, and sending them again. */
import { listDeadLetters, replayDeadLetter } from '../../src/commands/dead-letters.js';
import { page, post, type Route } from './route.js';

const all = '/v1/push/dead-letters';

export const pushRoutes: readonly Route[] = [
  page(all, listDeadLetters),
  post(`${all}/:id/replay`, replayDeadLetter, { bodyOptional: true, status: 202 }),
];
