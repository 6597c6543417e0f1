/**
 * Records that are added without a commit of their entity (`claim` of the store port). Of several inserts under one
 * `_id` one succeeds, on a sharded cluster too; whoever comes later reads what was inserted. A record that has expired
 * and was not removed yet is replaced, as long as it is still the expired one.
 *
 * A claim has the number 0, which is that of no commit, so that a commit's own record of this id is written over it.
 */
import { recordText, readRecord } from '../idempotency-record.js';
import { backoffMs } from '../../domain/backoff.js';
import { type EntityRef, type IdempotencyRecord, StoreError } from '../port.js';
import { reconnect, recordsOf, type Connection } from './connection.js';
import { duplicateKey } from './failures.js';
import { documentId, encoded, entityField, entityId } from './keys.js';
import type { StoredRecord } from './documents.js';

/** These take some five seconds, with the pauses between them. */
const mostAttempts = 10;

export async function claim(
  connection: Connection,
  entity: EntityRef,
  record: IdempotencyRecord,
  now: number,
): Promise<IdempotencyRecord | null> {
  const records = recordsOf(connection);
  const place = {
    _id: documentId(entityId(entity), record.id),
    w: encoded(entity.workspace),
    e: entityField(entity),
  };
  const document: StoredRecord = { ...place, s: 0, b: recordText(record), expires: new Date(record.expiresAt) };
  for (let attempt = 1; ; attempt++) {
    try {
      await records.insertOne(document);
      return null;
    } catch (error) {
      if ((error as { code?: unknown }).code !== duplicateKey) throw error;
    }
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
    if ((await records.updateOne({ ...place, b: found.b }, { $set: { s, b, expires } })).modifiedCount > 0) return null;
  }
}
