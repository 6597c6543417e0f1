/**
 * How many bytes each workspace stores. The total is a document of its own, so that reading it costs the same however
 * many heads the workspace has.
 *
 *  - Every process adds up what its commits have changed and writes the sum every `flushMs`.
 *  - An error left by a crash or by a lost answer is corrected within a day: a reader that finds the total older than
 *    `recountMs` starts a recount from the heads. It waits for the recount only if there is no total yet.
 */
import type { Collection } from 'mongodb';
import type { Commit } from '../port.js';
import { storageName } from '../../domain/workspace/usage.js';
import type { MongoConnection } from './connection.js';
import { encoded } from './keys.js';

const flushMs = 500;
const recountMs = 24 * 3600 * 1000;

interface Total {
  _id: string;
  bytes: number;
  /** When the total was last recounted, or a recount was started. */
  at: Date;
}

export const storageCollection = 'storage';

export class StorageTotals {
  private pending = new Map<string, number>();
  private flushing: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly connection: MongoConnection,
    private readonly addUp: (workspace: string) => Promise<number>,
  ) {}

  add({ entity: { workspace }, counts, previousCounts }: Commit): void {
    const by = (counts[storageName] ?? 0) - (previousCounts[storageName] ?? 0);
    if (by === 0) return;
    this.pending.set(workspace, (this.pending.get(workspace) ?? 0) + by);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.flush().catch(() => undefined);
    }, flushMs).unref();
  }

  async read(workspace: string): Promise<number> {
    await this.flush();
    const total = await this.totals().findOne({ _id: encoded(workspace) });
    if (total === null) return this.recount(workspace);
    const now = this.connection.clocks.now();
    if (now - total.at.getTime() > recountMs) {
      // Whichever process advances the time first does the recount.
      const { modifiedCount } = await this.totals().updateOne(
        { _id: total._id, at: total.at },
        { $set: { at: new Date(now) } },
      );
      if (modifiedCount === 1)
        this.recount(workspace).catch((error: unknown) => {
          this.connection.log?.debug(
            { event: 'store.bytes_not_recounted', err: error, workspace },
            'stored bytes were not recounted; in a day they are',
          );
        });
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

  /** Does not create totals: one that nobody has asked for yet is added up from the heads when it is first read. */
  private flush(): Promise<unknown> {
    this.flushing = this.flushing
      .catch(() => undefined) // whoever asked for that one has its error
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
