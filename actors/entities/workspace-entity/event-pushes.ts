/**
 * Delivers the events of a hive or a desk to the webhooks of the workspace. Few have any, so the outbox is created when
 * the first event is sent.
 */
import type { Decision } from '../../../src/domain/draft.js';
import type { WorkspaceEntityState } from '../../../src/domain/workspace-entity.js';
import type { WebhookOutboxItem } from '../../../src/domain/webhook-events.js';
import type { EntityRef, Position } from '../../../src/store/port.js';
import type { EntityDependencies } from '../dependencies.js';
import { OutboxCount } from '../entity-metrics.js';
import type { PushOutbox } from '../push-outbox.js';
import { type EventEnd, webhookPushes } from '../webhook-pushes.js';

export class EventPushes {
  private outbox: PushOutbox<WebhookOutboxItem> | null = null;
  private readonly count: OutboxCount;
  private over = false;

  constructor(
    private readonly deps: EntityDependencies,
    private readonly entity: EntityRef,
    private readonly tell: (end: EventEnd) => void,
  ) {
    this.count = new OutboxCount(deps.metrics);
  }

  /** Call this when the entity is loaded, with the number of stored events; new ones wait behind these until `resume`. */
  loaded(stored: number): void {
    if (stored > 0) this.outbox = this.newOutbox(true);
    this.count.set(0, stored);
  }

  /** Sends what is stored. Documents whose deletion is still being committed must not be read, so it waits for that. */
  async resume(settled: Promise<void>): Promise<void> {
    await settled;
    let after: Position | undefined;
    do {
      const page = await this.deps.store.list({
        workspace: this.entity.workspace,
        entity: this.entity,
        collection: 'outbox',
        list: 'created',
        order: 'asc',
        limit: 100,
        ...(after && { after }),
      });
      for (const { body } of page.items) this.outbox?.send(body as unknown as WebhookOutboxItem);
      after = page.next ?? undefined;
    } while (after);
    this.outbox?.begun();
  }

  committed({ puts, deletes, effects }: Decision<WorkspaceEntityState>, waiting: number): void {
    if (this.over) return;
    this.count.set(0, waiting);
    for (const { kind, id } of deletes) if (kind === 'outbox') this.outbox?.forget(id);
    for (const effect of effects) {
      if (effect.type !== 'send') continue;
      const item = puts.find(({ kind, id }) => kind === 'outbox' && id === effect.id)?.body;
      if (item) (this.outbox ??= this.newOutbox(false)).send(item as unknown as WebhookOutboxItem);
    }
  }

  /** Takes the reported outcome of a push: true for the first call, false after that. */
  take(id: string): boolean {
    return this.outbox?.take(id) ?? false;
  }

  stop(): void {
    this.over = true;
    this.count.set(0, 0);
    this.outbox?.stop();
  }

  private newOutbox(stored: boolean): PushOutbox<WebhookOutboxItem> {
    return webhookPushes(this.deps, this.entity, stored, (end) => {
      if (!this.over) this.tell(end);
    });
  }
}
