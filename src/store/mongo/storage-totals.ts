/**
 * How many bytes each workspace stores, as one document of its own, so that asking costs the same however many heads
 * the workspace has.
 *
 *  MongoStorageTotals.T1 Every process adds what its commits have changed, together, every `flushMs`.
 *  MongoStorageTotals.T2 What a crash, or an answer that was lost, leaves wrong is right again within a day: whoever
 *     asks when the number is older than `recountMs` has it added up from the heads once more, and is not kept waiting
 *     for it unless there is none.
 */
import type { Collection } from 'mongodb';
import type { Commit } from '../port.js';
import { storageName } from '../../domain/storage.js';
import type { Connection } from './connection.js';
import { encoded } from './keys.js';

const flushMs = 500;
const recountMs = 24 * 3600 * 1000;

interface Total {
  _id: string;
  bytes: number;
  /** When it was last added up, or somebody began to. */
  at: Date;
}

export const storageCollection = 'storage';

export class StorageTotals {
  private pending = new Map<string, number>();
  private flushing: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly addUp: (workspace: string) => Promise<number>,
  ) {}

  /** MongoStorageTotals.T1. */
  add({ entity: { workspace }, counts, previousCounts }: Commit): void {
    const by = (counts[storageName] ?? 0) - (previousCounts[storageName] ?? 0);
    if (by === 0) return;
    this.pending.set(workspace, (this.pending.get(workspace) ?? 0) + by);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.flush().catch(() => undefined); // MongoStorageTotals.T2
    }, flushMs).unref();
  }

  async read(workspace: string): Promise<number> {
    await this.flush();
    const total = await this.totals().findOne({ _id: encoded(workspace) });
    if (total === null) return this.recount(workspace);
    const now = this.connection.clocks.now();
    if (now - total.at.getTime() > recountMs) {
      // whoever moves the time first is the one who adds up
      const { modifiedCount } = await this.totals().updateOne(
        { _id: total._id, at: total.at },
        { $set: { at: new Date(now) } },
      );
      if (modifiedCount === 1) this.recount(workspace).catch(() => undefined);
    }
    return Math.max(0, total.bytes);
  }

  async close(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    await this.flush().catch(() => undefined);
  }

  private totals(): Collection<Total> {
    return this.connection.db.collection<Total>(storageCollection);
  }

  private async recount(workspace: string): Promise<number> {
    const bytes = await this.addUp(workspace);
    await this.totals().updateOne(
      { _id: encoded(workspace) },
      { $set: { bytes, at: new Date(this.connection.clocks.now()) } },
      { upsert: true },
    );
    return bytes;
  }

  /** A total that nobody has asked for yet is not begun: it is added up from the heads then. */
  private flush(): Promise<unknown> {
    this.flushing = this.flushing
      .catch(() => undefined)
      .then(async () => {
        if (this.pending.size === 0) return;
        const changes = [...this.pending];
        this.pending = new Map();
        await this.totals().bulkWrite(
          changes.map(([workspace, by]) => ({
            updateOne: { filter: { _id: encoded(workspace) }, update: { $inc: { bytes: by } } },
          })),
          { ordered: false },
        );
      });
    return this.flushing;
  }
}
