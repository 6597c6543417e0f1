/**
 * Webhooks of a workspace (docs/webhooks.md): which events each is told, and what becomes of one that takes nothing.
 * They are documents of the workspace's desk. An event is put into the outbox of the entity in which it happened, by
 * the commit that makes it happen, and costs nothing where nobody listens.
 *
 *  - An event is in the outbox of its entity until the webhook has taken it or it is given up; `webhookEvents` counts
 *    these.
 *  - A webhook that has taken nothing for `patienceMs`, although it was tried, is disabled and says so.
 *  - After a rotation both secrets sign for `overlapMs`, so that a receiver can change in between.
 */
import type { StoredWebhook } from '../shared/documents.js';
import type { Draft } from '../shared/draft.js';
import { conflict, type HivekeepError } from '../shared/errors.js';
import type { WebhookInput, WebhookPatch } from './workspace-inputs.js';
import type { Webhook } from '../model/model.js';
import { iso } from '../shared/clock.js';
import { sizeOf } from './usage.js';

export const mostWebhooks = 100;
const patienceMs = 3 * 24 * 3600 * 1000;
const overlapMs = 24 * 3600 * 1000;

/** It is told nothing until it has a secret: another service may still be telling the same receiver. */
export const importedWebhook: Pick<StoredWebhook, 'enabled' | 'failing' | 'disabled_reason' | 'secret'> = {
  enabled: false,
  failing: null,
  disabled_reason: 'it was imported, without its secret: rotate the secret, then enable it',
  secret: null,
};

export const showWebhook = ({ secret: _secret, previous: _previous, ...webhook }: StoredWebhook): Webhook => webhook;

/** The secrets that sign at this time, the newest first. */
export const secretsAt = ({ secret, previous }: StoredWebhook, now: number): string[] => [
  ...(secret === null ? [] : [secret]),
  ...(previous && Date.parse(previous.until) > now ? [previous.secret] : []),
];

/** The event was taken, given up, or is no longer wanted. */
export function eventEnded(d: Draft, { outboxId, bytes }: { outboxId: string; bytes: number }): void {
  d.remove('outbox', outboxId, bytes);
  d.webhookEvents = Math.max(0, d.webhookEvents - 1);
}

/** `secret` is sealed; `held`: how many webhooks the workspace has. */
export interface AddWebhook {
  input: WebhookInput;
  secret: string;
  held: number;
}

export const webhooksFull = (): HivekeepError =>
  conflict(`a workspace has at most ${mostWebhooks} webhooks; delete one`);

export function addWebhook(d: Draft, { input, secret, held }: AddWebhook): Webhook {
  if (held >= mostWebhooks) throw webhooksFull();
  const webhook: StoredWebhook = {
    id: d.env.ids('webhook', d.at),
    url: input.url,
    events: [...new Set(input.events)],
    agent_id: input.agent_id ?? null,
    description: input.description ?? '',
    enabled: true,
    failing: null,
    disabled_reason: null,
    created_at: d.time,
    updated_at: d.time,
    secret,
  };
  d.put('webhook', webhook.id, webhook, true);
  return showWebhook(webhook);
}

function replace(d: Draft, before: StoredWebhook, change: Partial<StoredWebhook>): Webhook {
  const after = { ...before, ...change };
  d.put('webhook', before.id, after, false, before);
  return showWebhook(after);
}

export function patchWebhook(
  d: Draft,
  { webhook: before, patch }: { webhook: StoredWebhook; patch: WebhookPatch },
): Webhook {
  const { url, events, agent_id, description, enabled } = patch;
  if (enabled && before.secret === null)
    throw conflict('the webhook was imported, without its secret; rotate the secret first');
  return replace(d, before, {
    ...(url !== undefined && { url }),
    ...(events && { events: [...new Set(events)] }),
    ...(agent_id !== undefined && { agent_id }),
    ...(description !== undefined && { description: description ?? '' }),
    ...(enabled !== undefined && { enabled, disabled_reason: null }),
    ...((enabled || url !== undefined) && { failing: null }),
    updated_at: d.time,
  });
}

export const rotateWebhook = (
  d: Draft,
  { webhook: before, secret }: { webhook: StoredWebhook; secret: string },
): Webhook =>
  replace(d, before, {
    secret,
    ...(before.secret !== null && { previous: { secret: before.secret, until: iso(d.timeMs + overlapMs) } }),
    updated_at: d.time,
  });

export function removeWebhook(d: Draft, { webhook }: { webhook: StoredWebhook }): void {
  d.remove('webhook', webhook.id, sizeOf(webhook));
}

/** Whether the desk has to hear of this outcome of a try; a null reason is a success. */
export const isNews = ({ enabled, failing }: Webhook, reason: string | null, now: number): boolean =>
  enabled && (reason === null ? failing !== null : failing === null || now - Date.parse(failing.since) >= patienceMs);

/** Takes in what became of a try, and returns whether that disabled the webhook. */
export function webhookTried(
  d: Draft,
  { webhook, reason }: { webhook: StoredWebhook | null; reason: string | null },
): boolean {
  if (!webhook || !isNews(webhook, reason, d.timeMs)) return false;
  const { failing } = webhook;
  const over = reason !== null && failing !== null;
  replace(d, webhook, {
    failing: reason === null ? null : (failing ?? { since: d.time, reason }),
    ...(over && { enabled: false, disabled_reason: `it has taken nothing since ${failing.since}: ${reason}` }),
  });
  return over;
}
