/**
 * Push notifications: what is sent, and as what they are stored while they wait for delivery or once they are given up.
 */
import type { DeadLetter } from './model.js';
import type { PushConfig, Receiver, TaskPush } from './task.js';
import type { WebhookNotice } from './webhook-events.js';

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
