/**
 * Lists agents by name that a version before this list has stored. A start of any process does so, because processes of
 * the earlier version may still be writing while a cluster is upgraded one by one.
 *
 * The fields that lists are built from are derived from the body, so adding one changes nothing that an entity's
 * writer relies on; it is conditional on the seq that was read, and a commit in between has added it itself.
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
