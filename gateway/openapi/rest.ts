/** Generates the operations of the REST API from the route table that also serves them (gateway/rest/routes.ts). */
import { agentRoutes } from '../rest/agents.js';
import { hiveRoutes } from '../rest/hives.js';
import { mailboxRoutes } from '../rest/mailbox.js';
import { memoryRoutes } from '../rest/memories.js';
import { pushRoutes } from '../rest/push.js';
import type { Route } from '../rest/route.js';
import { runRoutes } from '../rest/runs.js';
import { scheduleRoutes } from '../rest/schedules.js';
import { sessionRoutes } from '../rest/sessions.js';
import { tokenRoutes } from '../rest/tokens.js';
import { transferRoutes } from '../rest/transfer.js';
import { webhookRoutes } from '../rest/webhooks.js';
import { workspaceRoutes } from '../rest/workspace.js';
import { linksOf } from './links.js';
import { parametersOf } from './parameters.js';
import { results } from '../../src/domain/model.js';
import { linesType } from '../http/lines.js';
import { linesOf, responsesOf } from './responses.js';
import type { Schemas } from './schemas.js';
import type { Operation, Paths } from './types.js';

interface Chapter {
  name: string;
  description: string;
  routes: readonly Route[];
}

/** In the order in which a newcomer meets them. */
export const chapters: readonly Chapter[] = [
  { name: 'Agents', description: 'Each agent has its own memory, mailbox and runs.', routes: agentRoutes },
  {
    name: 'Runs',
    description:
      'The work of an agent on an input, step by step. Runs are durable and can be resumed from their checkpoints.',
    routes: runRoutes,
  },
  {
    name: 'Sessions',
    description:
      'A session is a conversation with an agent. It consists of turns (what is said to the agent in messages, runs and A2A tasks, and its answers) and of the memories with the same `sessionId`. A message or run without a `sessionId` starts a new session.',
    routes: sessionRoutes,
  },
  {
    name: 'Schedules',
    description: 'Times at which runs of an agent are started: by a cron expression, at intervals, or once.',
    routes: scheduleRoutes,
  },
  { name: 'Mailbox', description: 'Messages between agents, and from clients to agents.', routes: mailboxRoutes },
  { name: 'Memories', description: 'The memories of agents, hives and the workspace.', routes: memoryRoutes },
  { name: 'Hives', description: 'Groups of agents that share memories.', routes: hiveRoutes },
  {
    name: 'Tokens',
    description: 'Credentials that give others access to the A2A endpoint of an agent.',
    routes: tokenRoutes,
  },
  { name: 'Push', description: 'Push notifications of A2A tasks that could not be delivered.', routes: pushRoutes },
  {
    name: 'Webhooks',
    description: 'URLs that are told what happens in the workspace, signed as Standard Webhooks has it.',
    routes: webhookRoutes,
  },
  {
    name: 'Workspace',
    description: 'Usage, API keys, live events, export and import.',
    routes: [...workspaceRoutes, ...transferRoutes],
  },
];

const table = chapters.flatMap(({ routes }) => routes);

export const templateOf = (path: string): string => path.replace(/(?<=\/):(\w+)/g, '{$1}');

export function restPaths(schemas: Schemas): Paths {
  const paths: Paths = {};
  for (const { name, routes } of chapters) {
    for (const route of routes)
      (paths[templateOf(route.path)] ??= {})[route.method.toLowerCase()] = operation(route, name, schemas);
  }
  return paths;
}

function operation(route: Route, tag: string, schemas: Schemas): Operation {
  const parameters = parametersOf(route, schemas);
  return {
    operationId: route.operationId,
    tags: [tag],
    summary: route.summary,
    description: described(route),
    security: [{ bearer: route.scope === null ? [] : [route.scope] }],
    ...(route.scope !== null && { 'x-required-scope': route.scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.kind === 'upload' && {
      requestBody: { required: true, content: { [linesType]: { schema: linesOf(schemas.of(results.ExportLine)) } } },
    }),
    ...(route.kind === 'write' && {
      requestBody: {
        required: !route.bodyOptional,
        content: { 'application/json': { schema: schemas.of(route.body) } },
      },
    }),
    responses: responsesOf(route, schemas, linksOf(route, table)),
  };
}

function described(route: Route): string {
  const scope = route.scope === null ? 'Any API key may do this.' : `Needs the scope \`${route.scope}\`.`;
  if (route.kind === 'download' || route.kind === 'upload')
    return `${scope}\n\nThe body consists of lines of JSON, as docs/export.md of the service describes them.`;
  if (route.kind !== 'stream') return scope;
  const format = `Server-sent events: \`data\` is a ${route.result} as JSON, \`event\` its type${route.resumable ? ', `id` its `seq`; a `delta` has none' : ''}. Comments keep idle connections open.`;
  return `${scope}\n\n${format} ${route.resumable ? 'The stream ends with the run, or after 10 minutes; a client that comes back with Last-Event-ID misses nothing.' : 'Live only: what happened before is not told. The same events come over a WebSocket at this path.'}`;
}
