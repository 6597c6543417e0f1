/** Resources of the workspace itself: usage and its alerts, API keys, live events (docs/api.md 6.5, 8.4). */
import { createKey, listAudit, listKeys, revokeKey } from '../../src/commands/keys.js';
import { getUsageDays } from '../../src/commands/usage-days.js';
import {
  getMe,
  getModelBudget,
  getUsage,
  getUsageAlerts,
  setModelBudget,
  setUsageAlerts,
} from '../../src/commands/workspace.js';
import { eventQuery, workspaceFrame } from '../streams/events.js';
import { get, page, post, put, remove, stream, type Route } from './route.js';

const alerts = '/v1/usage/alerts';
const budget = '/v1/usage/budget';

export const workspaceRoutes: readonly Route[] = [
  get('/v1/me', getMe),
  get('/v1/usage', getUsage),
  get('/v1/usage/days', getUsageDays),
  get(alerts, getUsageAlerts),
  put(alerts, setUsageAlerts),
  get(budget, getModelBudget),
  put(budget, setModelBudget),
  post('/v1/keys', createKey, { status: 201, location: (key) => `/v1/keys/${key.id}` }),
  page('/v1/keys', listKeys),
  remove('/v1/keys/:id', revokeKey, { removes: 'id', revokes: true }),
  page('/v1/audit', listAudit),
  stream({
    operationId: 'followWorkspace',
    path: '/v1/events',
    scope: 'agent:read',
    summary: 'Stream the live events of the workspace as server-sent events.',
    result: 'WorkspaceEvent',
    resumable: false,
    filter: eventQuery,
    open: (service, { caller, gone }) => service.workspaceEvents(caller, gone),
    frame: workspaceFrame,
  }),
];
