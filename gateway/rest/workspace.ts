/** Resources of the workspace itself: usage and its alerts, API keys, live events (docs/api.md 6.5, 8.4). */
import { z } from 'zod';
import { keyInput, thoughtFilter, usageAlertsInput } from '../../src/domain/inputs.js';
import { eventQuery, workspaceFrame } from '../streams/events.js';
import { list, read, remove, stream, write, type Route } from './route.js';

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
  write({
    operationId: 'createKey',
    path: '/v1/keys',
    scope: 'workspace:admin',
    summary: 'Create an API key. Its secret is shown only once.',
    result: 'MintedKey',
    audited: true,
    body: keyInput,
    status: 201,
    handle: async (service, { caller, body }) => {
      const { key, secret } = await service.mintKey(caller, body);
      return { ...key, key: secret };
    },
    location: (key) => `/v1/keys/${key.id}`,
  }),
  list({
    operationId: 'listKeys',
    path: '/v1/keys',
    scope: 'workspace:admin',
    summary: 'List API keys, without their secrets.',
    result: 'ApiKey',
    handle: (service, { caller, page }) => service.listKeys(caller, page),
  }),
  remove({
    operationId: 'revokeKey',
    path: '/v1/keys/:id',
    scope: 'workspace:admin',
    summary: 'Revoke an API key, and with `cascade=true` every credential created with it.',
    removes: 'id',
    revokes: true,
    audited: true,
    filter: { cascade: z.enum(['true', 'false']) },
    handle: (service, { caller, params, filter }) => service.revokeKey(caller, params.id, filter.cascade === 'true'),
  }),
  list({
    operationId: 'listAudit',
    path: '/v1/audit',
    scope: 'workspace:admin',
    summary: 'List the audit log of keys and tokens.',
    result: 'AuditRecord',
    handle: (service, { caller, page }) => service.listAudit(caller, page),
  }),
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
