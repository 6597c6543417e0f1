/**
 * Lists agents by name that a version before this list has stored, once: when a database of schema 1 is raised to
 * schema 2, which no process of the earlier version works beside. It reads all heads; no other start does.
 */
import type { AnyBulkWriteOperation, Db } from 'mongodb';
import { headCollection, listingOf, parseBody, type StoredHead } from './documents.js';
import { entityOfId } from './keys.js';

const batch = 1000;

export async function listAgentsByName(db: Db): Promise<void> {
  const heads = db.collection<StoredHead>(headCollection);
  let changes: AnyBulkWriteOperation<StoredHead>[] = [];
  const write = async (): Promise<void> => {
    if (changes.length > 0) await heads.bulkWrite(changes, { ordered: false });
    changes = [];
  };
  const unlisted = heads.find(
    { t: 'agent', del: { $exists: false }, 'k.names': { $exists: false } },
    { projection: { _id: 1, w: 1, e: 1, s: 1, b: 1 } },
  );
  for await (const { _id, w, e, s, b } of unlisted) {
    const names = listingOf('agent', entityOfId(_id).id, parseBody(b)).k?.['names'];
    if (names !== undefined)
      changes.push({ updateOne: { filter: { _id, w, e, s }, update: { $set: { 'k.names': names } } } });
    if (changes.length >= batch) await write();
  }
  await write();
}
