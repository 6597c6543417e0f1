/** Webhooks of the workspace (docs/webhooks.md). */
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '../../src/commands/webhooks.js';
import { get, page, patch, post, remove, type Route } from './route.js';

const one = '/v1/webhooks/:id';

export const webhookRoutes: readonly Route[] = [
  post('/v1/webhooks', createWebhook, { status: 201, location: (webhook) => `/v1/webhooks/${webhook.id}` }),
  page('/v1/webhooks', listWebhooks),
  get(one, getWebhook),
  patch(one, updateWebhook),
  remove(one, deleteWebhook, { removes: 'id' }),
  post(`${one}/rotate`, rotateWebhookSecret, { bodyOptional: true }),
  post(`${one}/test`, testWebhook, { bodyOptional: true }),
];
