/**
 * Which webhooks the workspaces of a process's entities have, so that a decision tells them without reading anything.
 *
 *  KnownWebhooks.K1 What an entity decides on a message tells the webhooks that were there `maxAgeMs` before, or later.
 *     In one process the desk says when they have changed; a process of a cluster reads those of a workspace in which
 *     something happens again when what it knows is that old.
 */
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { mostWebhooks } from '../../src/domain/workspace/webhooks.js';
import type { WebhookListener } from '../../src/domain/task/push.js';
import type { Store } from '../../src/store/port.js';
import { deskOf } from '../quota/tenant-bounds.js';

interface Known {
  /** By the clock's `elapsed`. */
  at: number;
  webhooks: readonly WebhookListener[];
  reading: Promise<void> | null;
}

const none: readonly WebhookListener[] = [];

export class KnownWebhooks {
  private readonly known = new Map<string, Known>();
  private readonly telling = new Set<string>();

  constructor(
    private readonly store: Pick<Store, 'list'>,
    private readonly clock: Pick<MonotonicClock, 'elapsed'>,
    private readonly maxAgeMs: number,
  ) {}

  of(workspace: string): readonly WebhookListener[] {
    return this.known.get(workspace)?.webhooks ?? none;
  }

  /** Null if what is known is new enough. If it cannot be read again, what was known before stays; else it rejects. */
  refresh(workspace: string): Promise<void> | null {
    const known = this.known.get(workspace);
    if (!known) return this.read(workspace, { at: -Infinity, webhooks: none, reading: null });
    if (this.clock.elapsed() - known.at < this.maxAgeMs) return null;
    return (known.reading ??= this.read(workspace, known).catch(() => undefined));
  }

  /** Call this at the workspace's desk when its webhooks have changed. */
  changed(workspace: string): void {
    const known = this.known.get(workspace);
    if (known) this.known.set(workspace, { ...known, at: -Infinity, reading: null });
  }

  /** Does the work for a webhook unless some is in progress. It may fail: the next try of a push tells again. */
  tell(webhook: string, work: () => Promise<unknown>): void {
    if (this.telling.has(webhook)) return;
    this.telling.add(webhook);
    work()
      .catch(() => undefined)
      .finally(() => this.telling.delete(webhook));
  }

  private async read(workspace: string, before: Known): Promise<void> {
    const at = this.clock.elapsed();
    try {
      const entity = deskOf(workspace);
      const query = { workspace, entity, collection: 'webhook', list: 'created', order: 'asc' } as const;
      const { items } = await this.store.list({ ...query, limit: mostWebhooks });
      // a change that was told meanwhile is not in it
      if ((this.known.get(workspace) ?? before) !== before) return;
      const webhooks = items.map(({ body }) => body);
      this.known.set(workspace, { at, webhooks: webhooks.length > 0 ? webhooks : none, reading: null });
    } finally {
      before.reading = null;
    }
  }
}
