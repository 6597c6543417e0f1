/**
 * Records that are added without a commit of their entity (`claim` of the store port). Of several inserts under one
 * `_id` one succeeds, on a sharded cluster too; whoever comes later reads what was inserted. A record that has expired
 * and was not removed yet is replaced, as long as it is still the expired one.
 *
 *  - Claims that come while an insert is in flight wait for it, and are then inserted together: what follows them is
 *    committed together, too.
 *
 * A claim has the number 0, which is that of no commit, so that a commit's own record of this id is written over it.
 */
import { recordText, readRecord } from '../keys.js';
import { backoffMs } from '../../domain/shared/clock.js';
import { type EntityRef, type IdempotencyRecord, StoreError } from '../port.js';
import { reconnect, recordsOf, type MongoConnection } from './connection.js';
import { duplicateKey, writeErrors } from './failures.js';
import { documentId, encoded, entityField, entityId } from './keys.js';
import type { StoredRecord } from './documents.js';

/** These take some five seconds, with the pauses between them. */
const mostAttempts = 10;
const mostInsertedAtOnce = 256;

interface Waiting {
  document: StoredRecord;
  /** Whether it was inserted; false if there was one of its id. */
  resolve: (isNew: boolean) => void;
  reject: (error: unknown) => void;
}

export class Claims {
  private waiting: Waiting[] = [];
  private inserting = false;

  constructor(private readonly connection: MongoConnection) {}

  async claim(entity: EntityRef, record: IdempotencyRecord, now: number): Promise<IdempotencyRecord | null> {
    const { connection } = this;
    const records = recordsOf(connection);
    const place = {
      _id: documentId(entityId(entity), record.id),
      w: encoded(entity.workspace),
      e: entityField(entity),
    };
    const document: StoredRecord = { ...place, s: 0, b: recordText(record), expires: new Date(record.expiresAt) };
    for (let attempt = 1; ; attempt++) {
      if (await this.isInserted(document)) return null;
      const found = await records.findOne<StoredRecord>(place);
      if (!found) {
        // it has just been removed, or a majority does not have it yet
        if (attempt === mostAttempts)
          throw new StoreError('io', 'MongoDB has a record that its majority does not have: is a member away?');
        await connection.pause(backoffMs(reconnect, attempt));
        continue;
      }
      const kept = readRecord(record.id, found.b);
      if (kept.expiresAt > now) return kept;
      const { s, b, expires } = document;
      const replaced = await records.updateOne({ ...place, b: found.b }, { $set: { s, b, expires } });
      if (replaced.modifiedCount > 0) return null;
    }
  }

  private isInserted(document: StoredRecord): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ document, resolve, reject });
      if (this.inserting) return;
      this.inserting = true;
      setImmediate(() => void this.insert());
    });
  }

  /** Never rejects. */
  private async insert(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, mostInsertedAtOnce);
      try {
        const documents = batch.map(({ document }) => document);
        await recordsOf(this.connection).insertMany(documents, { ordered: false });
        for (const { resolve } of batch) resolve(true);
      } catch (error) {
        const failed = writeErrors(error);
        if (failed?.every(({ code }) => code === duplicateKey)) {
          const there = new Set(failed.map(({ index }) => index));
          for (const [i, { resolve }] of batch.entries()) resolve(!there.has(i));
        } else for (const { reject } of batch) reject(error);
      }
    }
    this.inserting = false;
  }
}
