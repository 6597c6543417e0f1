/**
 * What an agent owes to others, as one thing: messages and shares to other entities (outbox.ts), pushes to receivers
 * outside (push-outbox.ts). Most agents owe nothing, so each side is made when the first of its kind is sent.
 */
import type { OutboxItem } from '../../../src/domain/agent-state.js';
import type { PushOutboxItem } from '../../../src/domain/push.js';
import { sizeOf } from '../../../src/domain/storage.js';
import type { EntityRef } from '../../../src/store/port.js';
import type { AgentRequest } from './requests.js';
import { OutboxSender } from './outbox.js';
import { PushOutbox } from './push-outbox.js';
import type { EntityDependencies } from '../dependencies.js';

/** How a delivery came to its end, as the agent's actor tells itself. */
export type DeliveryEnd = Extract<AgentRequest, { type: 'delivered' | 'undelivered' | 'pushed' | 'deadLettered' }>;

export class Deliveries {
  private sender: OutboxSender | null = null;
  private pushes: PushOutbox | null = null;

  constructor(
    private readonly deps: EntityDependencies,
    private readonly agent: EntityRef,
    private readonly tell: (end: DeliveryEnd) => void,
  ) {}

  send(item: OutboxItem | PushOutboxItem): void {
    if (item.kind === 'push') (this.pushes ??= this.newPushes(false)).send(item);
    else (this.sender ??= this.newSender()).send(item);
  }

  /** Stored pushes are there and will be handed over; new ones wait behind them until `releasePushes`. */
  holdPushes(): void {
    this.pushes = this.newPushes(true);
  }
  releasePushes(): void {
    this.pushes?.begun();
  }

  /** True for the first who takes up this end. */
  take(end: DeliveryEnd): boolean {
    switch (end.type) {
      case 'delivered':
      case 'undelivered':
        return this.sender?.take(end.outboxId) ?? false;
      case 'pushed':
        return this.pushes?.take(end.outboxId) ?? false;
      case 'deadLettered':
        return this.pushes?.take(end.item.id) ?? false;
      default:
        return end satisfies never;
    }
  }

  /** It has been removed from the store. */
  forget(id: string): void {
    this.sender?.forget(id);
    this.pushes?.forget(id);
  }

  stop(): void {
    this.sender?.stop();
    this.pushes?.stop();
  }

  private newSender(): OutboxSender {
    return new OutboxSender(this.deps, this.agent, {
      delivered: (item) => {
        this.tell({ type: 'delivered', outboxId: item.id, bytes: sizeOf(item) });
      },
      undelivered: (item, reason) => {
        this.tell({
          type: 'undelivered',
          outboxId: item.id,
          bytes: sizeOf(item),
          to: item.to,
          content: item.content,
          reason,
        });
      },
    });
  }

  private newPushes(stored: boolean): PushOutbox {
    return new PushOutbox(this.deps, this.agent, stored, {
      pushed: (item) => {
        this.tell({ type: 'pushed', outboxId: item.id, bytes: sizeOf(item) });
      },
      deadLettered: (item, reason, tries) => {
        this.tell({ type: 'deadLettered', item, reason, tries });
      },
    });
  }
}
