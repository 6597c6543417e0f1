/** The table of all REST routes under /v1, by the chapters of their documentation. */
import { agentRoutes } from './agents.js';
import { blockRoutes } from './blocks.js';
import { hiveRoutes } from './hives.js';
import { mailboxRoutes } from './mailbox.js';
import { memoryRoutes } from './memories.js';
import { pushRoutes } from './push.js';
import type { Route } from './route.js';
import { runRoutes } from './runs.js';
import { scheduleRoutes } from './schedules.js';
import { sessionRoutes } from './sessions.js';
import { tokenRoutes } from './tokens.js';
import { transferRoutes } from './transfer.js';
import { webhookRoutes } from './webhooks.js';
import { workspaceRoutes } from './workspace.js';

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
  {
    name: 'Blocks',
    description:
      'Texts that an agent is told at each step, for one subject or whoever it works for: what it is to keep in mind, which clients and its model write.',
    routes: blockRoutes,
  },
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

const parameters = (route: Route): number => route.path.split(':').length;

/** Paths without parameters come first, so that `spawn` and `search` are not taken for ids. */
export const routes: readonly Route[] = chapters
  .flatMap((chapter) => chapter.routes)
  .sort((a, b) => parameters(a) - parameters(b));
