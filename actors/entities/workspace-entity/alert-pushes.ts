/**
 * Delivers the usage alerts of a workspace to its webhook (docs/api.md 6.5). Few workspaces have one, so the outbox is
 * created when the first alert is sent.
 */
import type { Decision } from '../../../src/domain/draft.js';
import type { WorkspaceEntityState } from '../../../src/domain/workspace-entity.js';
import type { Receiver } from '../../../src/domain/task.js';
import type { AlertOutboxItem, AlertOutcome } from '../../../src/domain/usage-alerts.js';
import type { EntityRef, Position } from '../../../src/store/port.js';
import type { EntityDependencies } from '../dependencies.js';
import { OutboxCount } from '../entity-metrics.js';
import { PushOutbox } from '../push-outbox.js';

/** What became of the push of an alert, as a message that the desk's actor sends to itself. */
export type AlertEnd = { type: 'alertPushed'; item: AlertOutboxItem } & AlertOutcome;

export class AlertPushes {
  private outbox: PushOutbox<AlertOutboxItem> | null = null;
  private readonly count: OutboxCount;
  private over = false;

  constructor(
    private readonly deps: EntityDependencies,
    private readonly desk: EntityRef,
    private readonly webhook: () => Promise<Receiver | null>,
    private readonly tell: (end: AlertEnd) => void,
  ) {
    this.count = new OutboxCount(deps.metrics);
  }

  /** Call this when the desk is loaded, with the number of stored alerts; new ones wait behind these until `resume`. */
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
        workspace: this.desk.workspace,
        entity: this.desk,
        collection: 'outbox',
        list: 'created',
        order: 'asc',
        limit: 100,
        ...(after && { after }),
      });
      for (const { body } of page.items) this.outbox?.send(body as unknown as AlertOutboxItem);
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
      if (item) (this.outbox ??= this.newOutbox(false)).send(item as unknown as AlertOutboxItem);
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

  private newOutbox(stored: boolean): PushOutbox<AlertOutboxItem> {
    return new PushOutbox<AlertOutboxItem>(this.deps, this.desk, stored, {
      lineOf: () => 'alerts',
      current: async (item) => {
        const config = await this.webhook();
        return config && { id: item.id, config, alert: item.alert };
      },
      pushed: (item, sent) => {
        this.end({ type: 'alertPushed', item, webhook: sent ? 'delivered' : 'none', reason: null });
      },
      deadLettered: (item, reason, tries) => {
        this.deps.log.warn(
          { event: 'usage_alert.undelivered', workspace: this.desk.workspace, push: item.id, tries, reason },
          'a usage alert was given up: the webhook did not take it',
        );
        this.end({ type: 'alertPushed', item, webhook: 'failed', reason });
      },
    });
  }

  private end(end: AlertEnd): void {
    if (!this.over) this.tell(end);
  }
}
