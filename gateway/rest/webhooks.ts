/** Webhooks of the workspace (docs/webhooks.md). */
import { z } from 'zod';
import { webhookInput, webhookPatch } from '../../src/domain/inputs.js';
import { list, read, remove, write, type Route } from './route.js';

const one = '/v1/webhooks/:id';

export const webhookRoutes: readonly Route[] = [
  write({
    operationId: 'createWebhook',
    path: '/v1/webhooks',
    scope: 'workspace:admin',
    summary: 'Have events of the workspace POSTed to a URL. The secret that signs them is shown only once.',
    result: 'MintedWebhook',
    body: webhookInput,
    status: 201,
    handle: async (service, { caller, body }) => {
      const { webhook, secret } = await service.addWebhook(caller, body);
      return { ...webhook, secret };
    },
    location: (webhook) => `/v1/webhooks/${webhook.id}`,
  }),
  list({
    operationId: 'listWebhooks',
    path: '/v1/webhooks',
    scope: 'workspace:admin',
    summary: 'List webhooks, without their secrets.',
    result: 'Webhook',
    handle: (service, { caller, page }) => service.listWebhooks(caller, page),
  }),
  read({
    operationId: 'getWebhook',
    path: one,
    scope: 'workspace:admin',
    summary: 'Get a webhook: what it is told, and whether deliveries fail.',
    result: 'Webhook',
    handle: (service, { caller, params }) => service.getWebhook(caller, params.id),
  }),
  write({
    operationId: 'updateWebhook',
    method: 'PATCH',
    path: one,
    scope: 'workspace:admin',
    summary: 'Change a webhook, disable it, or enable it again.',
    result: 'Webhook',
    body: webhookPatch,
    handle: (service, { caller, params, body }) => service.updateWebhook(caller, params.id, body),
  }),
  remove({
    operationId: 'deleteWebhook',
    path: one,
    scope: 'workspace:admin',
    summary: 'Delete a webhook. What waits for it is dropped.',
    removes: 'id',
    handle: (service, { caller, params }) => service.deleteWebhook(caller, params.id),
  }),
  write({
    operationId: 'rotateWebhookSecret',
    path: `${one}/rotate`,
    scope: 'workspace:admin',
    summary: 'Give a webhook a new secret, shown only once. For a day the one before signs, too.',
    result: 'MintedWebhook',
    body: z.strictObject({}),
    bodyOptional: true,
    handle: async (service, { caller, params }) => {
      const { webhook, secret } = await service.rotateWebhookSecret(caller, params.id);
      return { ...webhook, secret };
    },
  }),
  write({
    operationId: 'testWebhook',
    path: `${one}/test`,
    scope: 'workspace:admin',
    summary: 'Send a webhook the event `webhook.test` once, and tell what became of it.',
    result: 'WebhookTest',
    body: z.strictObject({}),
    bodyOptional: true,
    handle: (service, { caller, params }) => service.testWebhook(caller, params.id),
  }),
];
