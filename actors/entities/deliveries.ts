/**
 * All deliveries of an agent: messages and shares to other entities (outbox.ts), and pushes to external receivers
 * (../push-outbox.ts), of tasks and of events. Most agents have none, so each side is created when the first delivery of its kind is sent.
 */
import type { OutboxItem } from '../../../src/domain/agent-state.js';
import { type PushOutboxItem, sameReceiver } from '../../../src/domain/push.js';
import { sizeOf } from '../../../src/domain/storage.js';
import { unpackRun } from '../../../src/domain/stored-run.js';
import type { WebhookOutboxItem } from '../../../src/domain/webhook-events.js';
import type { EntityRef } from '../../../src/store/port.js';
import type { AgentMessage } from './messages.js';
import { OutboxSender } from './outbox.js';
import type { EntityDependencies } from '../dependencies.js';
import { PushOutbox, type PushOwner } from '../push-outbox.js';
import { webhookPushes } from '../webhook-pushes.js';

/** The outcome of a delivery, as a message that the agent's actor sends to itself. */
export type DeliveryEnd = Extract<
  AgentMessage,
  { type: 'delivered' | 'undelivered' | 'pushed' | 'deadLettered' | 'eventEnded' }
>;

/** Pushes of one config are a line; one is wanted as long as its task has a config for the same receiver. */
export const taskPushes = (
  { store }: Pick<EntityDependencies, 'store'>,
  agent: EntityRef,
): Pick<PushOwner<PushOutboxItem>, 'lineOf' | 'current'> => ({
  lineOf: ({ task, config }) => `${task.id}/${config.id}`,
  async current(item) {
    const run = await store.get(agent, 'run', item.task.id);
    return (run && unpackRun(run))?.push?.some((now) => sameReceiver(now, item.config)) ? item : null;
  },
});

export class Deliveries {
  private sender: OutboxSender | null = null;
  private pushes: PushOutbox<PushOutboxItem> | null = null;
  private events: PushOutbox<WebhookOutboxItem> | null = null;

  constructor(
    private readonly deps: EntityDependencies,
    private readonly agent: EntityRef,
    private readonly tell: (end: DeliveryEnd) => void,
  ) {}

  send(item: OutboxItem | PushOutboxItem | WebhookOutboxItem): void {
    if (item.kind === 'push') (this.pushes ??= this.newPushes(false)).send(item);
    else if (item.kind === 'event') (this.events ??= this.newEvents(false)).send(item);
    else (this.sender ??= this.newSender()).send(item);
  }

  /**
   * Call this when the store contains pushes that are about to be handed over; new ones wait behind them until
   * `releasePushes`.
   */
  holdPushes(): void {
    this.pushes = this.newPushes(true);
    this.events = this.newEvents(true);
  }
  releasePushes(): void {
    this.pushes?.begun();
    this.events?.begun();
  }

  /** Takes a reported outcome: true for the first call, false after that. */
  take(end: DeliveryEnd): boolean {
    switch (end.type) {
      case 'delivered':
      case 'undelivered':
        return this.sender?.take(end.outboxId) ?? false;
      case 'pushed':
        return this.pushes?.take(end.outboxId) ?? false;
      case 'eventEnded':
        return this.events?.take(end.outboxId) ?? false;
      case 'deadLettered':
        return this.pushes?.take(end.item.id) ?? false;
      default:
        return end satisfies never;
    }
  }

  /** Call this when the document has been removed from the store. */
  forget(id: string): void {
    this.sender?.forget(id);
    this.pushes?.forget(id);
    this.events?.forget(id);
  }

  stop(): void {
    this.sender?.stop();
    this.pushes?.stop();
    this.events?.stop();
  }

  private newSender(): OutboxSender {
    return new OutboxSender(this.deps, this.agent, {
      delivered: (item) => {
        this.tell({ type: 'delivered', outboxId: item.id, bytes: sizeOf(item) });
      },
      undelivered: (item, reason) => {
        this.tell({
          type: 'undelivered',
          subject: item.subject,
          outboxId: item.id,
          bytes: sizeOf(item),
          to: item.to,
          content: item.content,
          reason,
        });
      },
    });
  }

  private newEvents(stored: boolean): PushOutbox<WebhookOutboxItem> {
    return webhookPushes(this.deps, this.agent, stored, this.tell);
  }

  private newPushes(stored: boolean): PushOutbox<PushOutboxItem> {
    return new PushOutbox(this.deps, this.agent, stored, {
      ...taskPushes(this.deps, this.agent),
      pushed: (item) => {
        this.tell({ type: 'pushed', outboxId: item.id, bytes: sizeOf(item) });
      },
      deadLettered: (item, reason, tries) => {
        this.tell({ type: 'deadLettered', item, reason, tries });
      },
    });
  }
}
