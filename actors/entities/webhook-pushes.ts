/**
 * Pushes of the events of an entity to the webhooks of its workspace (docs/webhooks.md). Those of one webhook are a
 * line; each is tried for about a day.
 */
import type { StoredWebhook } from '../../src/domain/shared/documents.js';
import { commandMessage } from '../../src/commands/command.js';
import { noteWebhookTry } from '../../src/commands/webhooks.js';
import { isNews, secretsAt } from '../../src/domain/workspace/webhooks.js';
import type { WebhookOutboxItem } from '../../src/domain/task/push.js';
import { sizeOf } from '../../src/domain/workspace/usage.js';
import type { EntityRef } from '../../src/store/port.js';
import { deskOf } from '../quota/tenant-bounds.js';
import type { EntityDeps } from './deps.js';
import { PushOutbox } from './push-outbox.js';

/** What became of an event, as a message that the entity's actor sends to itself. */
export interface EventEnd {
  type: 'eventEnded';
  outboxId: string;
  bytes: number;
}

export function webhookPushes(
  deps: EntityDeps,
  entity: EntityRef,
  stored: boolean,
  tell: (end: EventEnd) => void,
): PushOutbox<WebhookOutboxItem> {
  const { workspace } = entity;
  const desk = deskOf(workspace);
  const { tries, firstPauseMs } = deps.pushRetry;
  /** What was found of each before its last try. */
  const found = new Map<string, StoredWebhook>();
  const ended = (item: WebhookOutboxItem): void => {
    tell({ type: 'eventEnded', outboxId: item.id, bytes: sizeOf(item) });
  };
  const logDisabled = (webhook: string, reason: string | null): void => {
    deps.log.warn(
      { event: 'webhook.disabled', workspace, webhook, reason },
      'a webhook was disabled: it has taken nothing for three days',
    );
  };
  return new PushOutbox<WebhookOutboxItem>(deps, entity, stored, {
    // 24 tries over about a day, the later ones two hours apart
    retry: { tries: tries * 3, firstPauseMs, longestPauseMs: firstPauseMs * 1440 },
    lineOf: ({ webhook }) => webhook,
    async current({ id, webhook, event }) {
      const doc = await deps.store.get(desk, 'webhook', webhook);
      if (!doc) return null;
      const now = doc.body;
      found.set(webhook, now);
      const secrets = secretsAt(now, deps.clock.now());
      return now.enabled ? { id, workspace, webhook, config: { url: now.url }, secrets, event } : null;
    },
    tried({ webhook: id }, reason) {
      const webhook = found.get(id);
      if (webhook && isNews(webhook, reason, deps.clock.now()))
        deps.webhooks.tell(id, async () => {
          const isDisabled = await deps.ask(desk, commandMessage(noteWebhookTry, null, { id }, { reason }));
          if (isDisabled) logDisabled(id, reason);
        });
    },
    pushed: ended,
    deadLettered(item, reason, made) {
      deps.log.warn(
        { event: 'webhook.undelivered', workspace, webhook: item.webhook, push: item.id, tries: made, reason },
        'an event was given up: its webhook did not take it',
      );
      ended(item);
    },
  });
}
