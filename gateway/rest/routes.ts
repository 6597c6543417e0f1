/**
 * The table of all REST routes under /v1. Paths without parameters come first, so that `spawn` and `search` are not
 * taken for ids.
 */
import { agentRoutes } from './agents.js';
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

const parameters = (route: Route): number => route.path.split(':').length;

export const routes: readonly Route[] = [
  ...memoryRoutes,
  ...agentRoutes,
  ...runRoutes,
  ...sessionRoutes,
  ...scheduleRoutes,
  ...mailboxRoutes,
  ...tokenRoutes,
  ...hiveRoutes,
  ...pushRoutes,
  ...workspaceRoutes,
  ...webhookRoutes,
  ...transferRoutes,
].sort((a, b) => parameters(a) - parameters(b));

/** Routes by path, in the order of the table. */
export function byPath<R extends { readonly path: string }>(table: readonly R[]): Map<string, R[]> {
  const paths = new Map<string, R[]>();
  for (const route of table) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return paths;
}
