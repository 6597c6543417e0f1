/**
 * What a workspace's webhooks are told (docs/webhooks.md): which events they listen to, and the notices that wait for
 * them in the outbox of the entity in which it happened.
 */
import type { Webhook, WorkspaceEvent } from './model.js';
import { type RunStatus, type WebhookEvent, webhookEvents } from './vocabulary.js';

/** Events that wait in one entity; further ones are not told. */
export const mostWebhookEvents = 10_000;

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

const ofStatus: Readonly<Partial<Record<RunStatus, WebhookEvent>>> = {
  completed: 'run.completed',
  failed: 'run.failed',
  timeout: 'run.timed_out',
  cancelled: 'run.cancelled',
  paused: 'run.input_required',
};
const told: ReadonlySet<string> = new Set(webhookEvents);

function eventOf(type: WorkspaceEvent['type'], data: Record<string, unknown>): WebhookEvent | undefined {
  // a run that waits for other agents needs nobody's input
  if (type === 'run.status') return data['waitsFor'] === 'agent' ? undefined : ofStatus[data['status'] as RunStatus];
  return told.has(type) ? (type as WebhookEvent) : undefined;
}

/** The webhooks that listen to this, and the name by which they are told of it. */
export function webhooksFor(
  listeners: readonly WebhookListener[],
  type: WorkspaceEvent['type'],
  data: Record<string, unknown>,
): { webhook: string; name: WebhookEvent }[] {
  const name = eventOf(type, data);
  if (name === undefined) return [];
  return listeners.flatMap(({ id: webhook, events, agent_id, enabled }) =>
    enabled && events.includes(name) && (agent_id === null || agent_id === data['agent_id']) ? [{ webhook, name }] : [],
  );
}
