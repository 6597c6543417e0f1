/**
 * Releases heads whose writer has nothing more to do: the changes that a load would have to finish are dropped, and the
 * head counts as open only while the entity is active. A release is a hint that nobody waits for. Releases are
 * collected for a moment and sent together; one that fails costs the next load an extra look. A release changes nothing
 * if somebody has written the head since (it filters by seq).
 */
import type { AnyBulkWriteOperation } from 'mongodb';
import type { EntityRef } from '../port.js';
import { headsOf, type MongoConnection } from './connection.js';
import type { StoredHead } from './documents.js';
import { entityField, entityId, encoded } from './keys.js';

const gatherMs = 20;
const mostAtOnce = 1000;

export class Releases {
  private waiting = new Map<string, AnyBulkWriteOperation<StoredHead>>();
  private timer: NodeJS.Timeout | null = null;
  private sending: Promise<void> = Promise.resolve();

  constructor(private readonly connection: MongoConnection) {}

  add(entity: EntityRef, seq: number): void {
    const _id = entityId(entity);
    // A pipeline update, because `o` takes the value that the same document has in `a`.
    this.waiting.set(_id, {
      updateOne: {
        filter: { _id, w: encoded(entity.workspace), e: entityField(entity), s: seq },
        update: [{ $set: { o: '$a' } }, { $unset: ['ops', 'recs'] }],
      },
    });
    this.timer ??= setTimeout(() => {
      void this.flush();
    }, gatherMs).unref();
  }

  /** Resolves when every release added so far has been answered or has failed. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const all = [...this.waiting.values()];
    this.waiting = new Map();
    this.sending = this.sending.then(() => this.send(all));
    return this.sending;
  }

  private async send(all: readonly AnyBulkWriteOperation<StoredHead>[]): Promise<void> {
    try {
      for (let n = 0; n < all.length; n += mostAtOnce) {
        await headsOf(this.connection).bulkWrite(all.slice(n, n + mostAtOnce), {
          ordered: false,
          writeConcern: { w: 1 },
        });
      }
    } catch (error) {
      this.connection.log?.debug(
        { event: 'store.heads_not_closed', err: error },
        'heads could not be closed; the next load of each looks again',
      );
    }
  }
}
