/**
 * Push notifications and notices of webhooks: what is sent, and as what they are stored while they wait for delivery or
 * once they are given up.
 */
import type { DeadLetter, Webhook, WorkspaceEvent } from '../model/model.js';
import { type RunStatus, type WebhookEvent, webhookEvents } from '../shared/vocabulary.js';
import type { PushConfig, Receiver, TaskPush } from './task.js';

/*
 * What a workspace's webhooks are told (docs/webhooks.md): which events they listen to, and the notices that wait for
 * them in the outbox of the entity in which it happened.
 */

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
  trace?: string;
}

const ofStatus: Readonly<Partial<Record<RunStatus, WebhookEvent>>> = {
  completed: 'run.completed',
  failed: 'run.failed',
  timeout: 'run.timed_out',
  cancelled: 'run.cancelled',
  paused: 'run.input_required',
};
const told: ReadonlySet<string> = new Set(webhookEvents);

type Event = WorkspaceEvent['type'] | 'audit.recorded';

function eventOf(type: Event, data: Record<string, unknown>): WebhookEvent | undefined {
  // a run that waits for other agents needs nobody's input
  if (type === 'run.status') return data['waitsFor'] === 'agent' ? undefined : ofStatus[data['status'] as RunStatus];
  return told.has(type) ? (type as WebhookEvent) : undefined;
}

/** The webhooks that listen to this, and the name by which they are told of it. */
export function webhooksFor(
  listeners: readonly WebhookListener[],
  type: Event,
  data: Record<string, unknown>,
): { webhook: string; name: WebhookEvent }[] {
  const name = eventOf(type, data);
  if (name === undefined) return [];
  return listeners.flatMap(({ id: webhook, events, agent_id, enabled }) =>
    enabled && events.includes(name) && (agent_id === null || agent_id === data['agent_id']) ? [{ webhook, name }] : [],
  );
}

/** The push of an event to a webhook. */
export interface WebhookPush {
  id: string;
  workspace: string;
  webhook: string;
  config: Receiver;
  /** The secrets that sign it, as whsec_... */
  secrets: readonly string[];
  event: WebhookNotice;
}

/** What a push carries, and its destination. */
export type PushItem = TaskPush | WebhookPush;

/**
 * A document of the outbox, written by the commit that changed the task's status. Its config and task are as of that
 * commit.
 */
export interface PushOutboxItem extends TaskPush {
  kind: 'push';
  created_at: string;
  /** The trace that it belongs to, as a traceparent, as of all that is in an outbox. */
  trace?: string;
}

/** A push that was given up: the document that was in the outbox, and why it was removed from there. */
export interface StoredDeadLetter extends PushOutboxItem {
  reason: string;
  tries: number;
  updated_at: string;
}

export function showDeadLetter(agent: string, d: StoredDeadLetter): DeadLetter {
  return {
    id: d.id,
    agent_id: agent,
    task_id: d.task.id,
    config_id: d.config.id,
    url: withoutQuery(d.config.url),
    status: d.task.status,
    reason: d.reason,
    tries: d.tries,
    created_at: d.created_at,
    updated_at: d.updated_at,
  };
}

/** Removes the query and the fragment, because a query may contain a secret of the receiver. */
function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Whether a config still has the same id and URL; otherwise it was replaced by one for another receiver. */
export const sameReceiver = (a: PushConfig, b: PushConfig): boolean => a.id === b.id && a.url === b.url;
