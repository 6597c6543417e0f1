/** What clients may send of a workspace itself: its alerts, its budget, its webhooks (docs/api.md 6.5, 8.6). */
import { z } from 'zod';
import { listOf } from '../shared/bounded.js';
import { about, reference, text } from '../shared/input-fields.js';
import { tiers, webhookEvents } from '../shared/vocabulary.js';
import { purpose } from '../shared/inputs.js';

export const thresholds = listOf(z.int().min(1).max(100), { max: 10 });
/** PUT replaces the fields that it names. */
export const usageAlertsInput = z.strictObject({
  thresholds: thresholds
    .optional()
    .describe(
      'The percentages of the monthly quota at which an alert is sent, at most 10. An empty list turns alerts off.',
    ),
});
export type UsageAlertsInput = z.infer<typeof usageAlertsInput>;

/** PUT replaces all of it. */
export const modelBudgetInput = z.strictObject({
  tokens_per_month: z.int().min(1).max(1e12).optional().describe('Tokens of all agents in a month, input and output.'),
  cost_per_month: z.number().min(0.000001).max(1e9).optional().describe('US dollars of all agents in a month.'),
  per_subject: z
    .strictObject({
      tokens_per_month: z
        .int()
        .min(1)
        .max(1e12)
        .optional()
        .describe('Tokens of the runs of one subject in a month, input and output.'),
      cost_per_month: z
        .number()
        .min(0.000001)
        .max(1e9)
        .optional()
        .describe('US dollars of the runs of one subject in a month.'),
    })
    .optional()
    .describe('What the runs of each subject may use in a month, of all agents together.'),
});
export type ModelBudgetInput = z.infer<typeof modelBudgetInput>;

const webhookFields = {
  url: about(text(2048), 'Where events are POSTed: https, on a public host.'),
  events: listOf(z.enum(webhookEvents), { min: 1, tooFew: 'must name at least one event', max: 100 }).describe(
    'The events that it is told.',
  ),
  agent_id: reference.nullable().optional().describe('Tells it of this agent only. Null, the default, means all.'),
};
export const webhookInput = z.strictObject({ ...webhookFields, description: purpose.optional() });
export type WebhookInput = z.infer<typeof webhookInput>;

export const webhookPatch = z.strictObject({
  url: webhookFields.url.optional(),
  events: webhookFields.events.optional(),
  agent_id: webhookFields.agent_id,
  description: purpose.nullable().optional(),
  enabled: z
    .boolean()
    .optional()
    .describe('Whether it is told anything. What waits for a webhook that is disabled is dropped.'),
});
export type WebhookPatch = z.infer<typeof webhookPatch>;

export const workspaceInput = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be 1 to 63 lower-case letters, digits or -, starting with a letter'),
  tier: z.enum(tiers),
});
