/**
 * Closes heads whose writer has nothing more to do: what a load would have to finish is dropped, and the head counts as
 * open only while it is active. A hint, so nobody waits for it: releases are gathered for a moment and sent together; one
 * that fails costs the next load a look. It changes nothing where somebody has written since (filter on the seq).
 */
import type { AnyBulkWriteOperation } from 'mongodb';
import type { EntityRef } from '../port.js';
import { headsOf, type Connection } from './connection.js';
import type { StoredHead } from './documents.js';
import { entityField, entityId, encoded } from './keys.js';

const gatherMs = 20;
const mostAtOnce = 1000;

export class Releases {
  private waiting = new Map<string, AnyBulkWriteOperation<StoredHead>>();
  private timer: NodeJS.Timeout | null = null;
  private sending: Promise<void> = Promise.resolve();

  constructor(private readonly connection: Connection) {}

  add(entity: EntityRef, seq: number): void {
    const _id = entityId(entity);
    // a pipeline, because `open` becomes what the same document says in `active`
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

  /** Resolves when all that were added are sent and answered, or have failed. */
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
      this.connection.log?.debug({ err: error }, 'heads could not be closed; the next load of each looks again');
    }
  }
}
