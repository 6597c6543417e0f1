/** Webhooks of a workspace (docs/webhooks.md). */
import { z } from 'zod';
import { webhookEvents } from '../vocabulary.js';
import { changed, created, id, time } from './fields.js';

export const webhook = z.object({
  id: id('wh').describe('The id of the webhook.'),
  url: z.string().describe('Where events are POSTed.'),
  events: z.array(z.enum(webhookEvents)).describe('The events that it is told.'),
  agent_id: id('agent').nullable().describe('The agent whose events alone it is told. Null means all.'),
  description: z.string().describe('What it is for.'),
  enabled: z.boolean().describe('Whether it is told anything.'),
  failing: z
    .object({
      since: time.describe('Since when every try has failed.'),
      reason: z.string().describe('Why the first of these tries failed.'),
    })
    .nullable()
    .describe('Set while deliveries fail. Null once one has succeeded.'),
  disabled_reason: z
    .string()
    .nullable()
    .describe('Why the service has disabled it: it took nothing for three days, or was imported. Null otherwise.'),
  created_at: created,
  updated_at: changed,
});
export type Webhook = z.infer<typeof webhook>;

export const webhookTest = z.object({
  id: z.string().describe('The id of the event that was sent, its `webhook-id`.'),
  delivered: z.boolean().describe('Whether the receiver answered with 2xx.'),
  reason: z.string().nullable().describe('Why not. Null if it was delivered.'),
});
export type WebhookTest = z.infer<typeof webhookTest>;
