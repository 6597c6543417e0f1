/**
 * Webhooks of a workspace (docs/webhooks.md): which events each is told, and what becomes of one that takes nothing.
 * They are documents of the workspace's desk. What they are told is put into the outbox of the entity in which it
 * happened, by the commit that it is told of, and costs nothing where nobody listens.
 *
 *  - An event is in the outbox of its entity until the webhook has taken it or it is given up; `webhookEvents` counts
 *    these.
 *  - A webhook that has taken nothing for `patienceMs`, although it was tried, is disabled and says so.
 *  - After a rotation both secrets sign for `overlapMs`, so that a receiver can change in between.
 */
import type { Draft } from './draft.js';
import { conflict, type HivekeepError } from './errors.js';
import type { WebhookInput, WebhookPatch } from './inputs.js';
import type { Webhook, WorkspaceEvent } from './model.js';
import { iso } from './clock.js';
import { sizeOf } from './storage.js';
import type { RunStatus, WebhookEvent } from './vocabulary.js';

export const mostWebhooks = 100;
/** Events that wait in one entity; further ones are not told. */
export const mostWebhookEvents = 10_000;
const patienceMs = 3 * 24 * 3600 * 1000;
const overlapMs = 24 * 3600 * 1000;

/** Its secrets are sealed (push/credentials.ts). */
export interface StoredWebhook extends Webhook {
  /** Null after an import, which brings none. */
  secret: string | null;
  /** The secret before the last rotation, until when it signs, too. */
  previous?: { secret: string; until: string };
}

/** It is told nothing until it has a secret: another service may still be telling the same receiver. */
export const importedWebhook: Pick<StoredWebhook, 'enabled' | 'failing' | 'disabled_reason' | 'secret'> = {
  enabled: false,
  failing: null,
  disabled_reason: 'it was imported, without its secret: rotate the secret, then enable it',
  secret: null,
};

/** What decisions need to know of a webhook. */
export type WebhookListener = Pick<Webhook, 'id' | 'events' | 'agent_id' | 'enabled'>;

/** What a webhook is sent. `id` stays the same however often it is tried. */
export interface WebhookNotice {
  id: string;
  type: WebhookEvent | 'webhook.test';
  timestamp: string;
  data: Record<string, unknown>;
}

/** An event in the outbox. Where it goes is looked up when it is sent. */
export interface WebhookOutboxItem {
  id: string;
  kind: 'event';
  webhook: string;
  event: WebhookNotice;
  created_at: string;
}

export const showWebhook = ({ secret: _secret, previous: _previous, ...webhook }: StoredWebhook): Webhook => webhook;

/** The secrets that sign at this time, the newest first. */
export const secretsAt = ({ secret, previous }: StoredWebhook, now: number): string[] => [
  ...(secret === null ? [] : [secret]),
  ...(previous && Date.parse(previous.until) > now ? [previous.secret] : []),
];

const ofStatus: Readonly<Partial<Record<RunStatus, WebhookEvent>>> = {
  completed: 'run.completed',
  failed: 'run.failed',
  timeout: 'run.timed_out',
  cancelled: 'run.cancelled',
  paused: 'run.input_required',
};
const told: ReadonlySet<string> = new Set<WebhookEvent>([
  ...(['message.received', 'memory.created', 'memory.updated', 'memory.deleted'] as const),
  ...(['agent.created', 'agent.updated', 'usage.alert'] as const),
]);

function eventOf(type: WorkspaceEvent['type'], data: Record<string, unknown>): WebhookEvent | undefined {
  if (type === 'run.status') return ofStatus[data['status'] as RunStatus];
  return told.has(type) ? (type as WebhookEvent) : undefined;
}

/** Puts the event into the outbox for each webhook that listens. */
export function tellWebhooks(
  d: Draft,
  listeners: readonly WebhookListener[],
  type: WorkspaceEvent['type'],
  data: Record<string, unknown>,
): void {
  const name = eventOf(type, data);
  if (name === undefined) return;
  for (const { id: webhook, events, agent_id, enabled } of listeners) {
    if (!enabled || !events.includes(name) || (agent_id !== null && agent_id !== data['agent_id'])) continue;
    if (d.webhookEvents >= mostWebhookEvents) continue;
    const id = d.env.ids('outbox', d.at);
    const event: WebhookNotice = { id, type: name, timestamp: d.time, data };
    const item: WebhookOutboxItem = { id, kind: 'event', webhook, event, created_at: d.time };
    d.put('outbox', id, item, true);
    d.effects.push({ type: 'send', id });
    d.webhookEvents++;
  }
}

/** The event was taken, given up, or is no longer wanted. */
export function eventEnded(d: Draft, { outboxId, bytes }: { outboxId: string; bytes: number }): void {
  d.grown -= bytes;
  d.deletes.push({ kind: 'outbox', id: outboxId });
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

export function patchWebhook(d: Draft, before: StoredWebhook, patch: WebhookPatch): Webhook {
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

export const rotateWebhook = (d: Draft, before: StoredWebhook, secret: string): Webhook =>
  replace(d, before, {
    secret,
    ...(before.secret !== null && { previous: { secret: before.secret, until: iso(d.timeMs + overlapMs) } }),
    updated_at: d.time,
  });

export function deleteWebhook(d: Draft, webhook: StoredWebhook): void {
  d.deletes.push({ kind: 'webhook', id: webhook.id });
  d.grown -= sizeOf(webhook);
}

/** Whether the desk has to hear of this outcome of a try; a null reason is a success. */
export const isNews = ({ enabled, failing }: Webhook, reason: string | null, now: number): boolean =>
  enabled && (reason === null ? failing !== null : failing === null || now - Date.parse(failing.since) >= patienceMs);

/** Takes in what became of a try. Results in whether the webhook was disabled by it. */
export function webhookTried(d: Draft, webhook: StoredWebhook | null, reason: string | null): boolean {
  if (!webhook || !isNews(webhook, reason, d.timeMs)) return false;
  const { failing } = webhook;
  const over = reason !== null && failing !== null;
  replace(d, webhook, {
    failing: reason === null ? null : (failing ?? { since: d.time, reason }),
    ...(over && { enabled: false, disabled_reason: `it has taken nothing since ${failing.since}: ${reason}` }),
  });
  return over;
}
