/** Resources of the workspace itself: usage and its alerts, API keys, live events (docs/api.md 6.5, 8.4). */
import { createKey, listAudit, listKeys, revokeKey } from '../../src/commands/keys.js';
import { thoughtFilter, usageAlertsInput } from '../../src/domain/inputs.js';
import { eventQuery, workspaceFrame } from '../streams/events.js';
import { page, post, read, remove, stream, write, type Route } from './route.js';

export const workspaceRoutes: readonly Route[] = [
  read({
    operationId: 'getMe',
    path: '/v1/me',
    scope: null,
    summary: 'Get the workspace, mode, tier, scopes and limits of this API key.',
    result: 'Me',
    handle: (service, { caller }) => service.me(caller),
  }),
  read({
    operationId: 'getUsage',
    path: '/v1/usage',
    scope: 'usage:read',
    summary: 'Get the usage of the billing cycle.',
    result: 'Usage',
    filter: { agent_id: thoughtFilter.sessionId },
    handle: (service, { caller, filter }) => service.usage(caller, filter),
  }),
  read({
    operationId: 'getUsageAlerts',
    path: '/v1/usage/alerts',
    scope: 'usage:read',
    summary: 'Get the usage alerts: thresholds, and the alerts sent in this cycle.',
    result: 'UsageAlerts',
    handle: (service, { caller }) => service.usageAlerts(caller),
  }),
  write({
    operationId: 'setUsageAlerts',
    method: 'PUT',
    path: '/v1/usage/alerts',
    scope: 'workspace:admin',
    summary: 'Set the thresholds of usage alerts.',
    result: 'UsageAlerts',
    body: usageAlertsInput,
    handle: (service, { caller, body }) => service.setUsageAlerts(caller, body),
  }),
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
