/** Sessions: the conversations with agents (docs/api.md 2.15, 13.4). */
import { deleteSession, listAllSessions, listSessions, listTurns } from '../../src/commands/sessions.js';
import { deleteSubject } from '../../src/commands/subjects.js';
import { page, remove, type Route } from './route.js';

const one = '/v1/agents/:id/sessions/:sessionId';

export const sessionRoutes: readonly Route[] = [
  page('/v1/sessions', listAllSessions),
  page('/v1/agents/:id/sessions', listSessions),
  page(`${one}/turns`, listTurns),
  remove(one, deleteSession, { removes: 'sessionId' }),
  remove('/v1/agents/:id/subjects/:subject', deleteSubject, { removes: 'subject' }),
];
