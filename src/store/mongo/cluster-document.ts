/**
 * The document by which a database is known as a cluster's: its id (all of Redis is kept under it) and the schema. Made
 * once, by whichever process opens first; and the count of epochs, which never goes back.
 */
import { randomUUID } from 'node:crypto';
import { MongoServerError, type Db, type OptionalUnlessRequiredId } from 'mongodb';
import { StoreError } from '../port.js';
import { headCollection, metaCollection, docKinds, commandCollection } from './documents.js';
import { duplicateKey, serverOf } from './failures.js';

/** Of documents and heads, see open.ts. */
export const schemaVersion = 1;

export interface ClusterDocument {
  _id: 'cluster';
  id: string;
  schema: number;
}
interface EpochDocument {
  _id: 'epoch';
  n: number;
}

export const readCluster = (db: Db): Promise<ClusterDocument | null> =>
  db.collection<ClusterDocument>(metaCollection).findOne({ _id: 'cluster' });

/** Names of collections that are called as ours but hold something, in a database that has no cluster document. */
export async function foreignCollections(db: Db): Promise<string[]> {
  const ours = new Set([headCollection, commandCollection, ...docKinds]);
  const there = (await db.listCollections({}, { nameOnly: true }).toArray())
    .map((c) => c.name)
    .filter((name) => ours.has(name));
  const used = await Promise.all(
    there.map(async (name) =>
      (await db.collection(name).findOne({}, { projection: { _id: 1 } })) === null ? [] : [name],
    ),
  );
  return used.flat().sort();
}

export const foreignSentence = (names: readonly string[], url: string): string =>
  `The database at ${serverOf(url)} holds collections of somebody else (${names.join(', ')}): name another database in the path of HIVEKEEP_MONGODB_URL.`;
export const newerSentence = (schema: number, url: string): string =>
  `The database at ${serverOf(url)} was written by a newer version of hivekeep (its schema is ${schema}, this version knows ${schemaVersion}): start that version, or name another database in HIVEKEEP_MONGODB_URL.`;

/** Reads the cluster document, or makes it in an empty database. Rejects with StoreError 'foreign' or 'newer-schema'. */
export async function claimCluster(db: Db, url: string): Promise<ClusterDocument> {
  const found = (await readCluster(db)) ?? (await makeCluster(db, url));
  if (found.schema > schemaVersion) throw new StoreError('newer-schema', newerSentence(found.schema, url));
  return found;
}

async function makeCluster(db: Db, url: string): Promise<ClusterDocument> {
  const foreign = await foreignCollections(db);
  const made: ClusterDocument = { _id: 'cluster', id: randomUUID(), schema: schemaVersion };
  if (foreign.length > 0) {
    // another process may have made it, and written, since we looked
    const late = await readCluster(db);
    if (!late) throw new StoreError('foreign', foreignSentence(foreign, url));
    return late;
  }
  return (await insertOnce<ClusterDocument>(db, made)) ? made : ((await readCluster(db)) ?? made);
}

/** One more than it ever answered. The count is made beforehand, because servers differ in what two upserts at a time answer. */
export async function countEpoch(db: Db): Promise<number> {
  const count = (): Promise<EpochDocument | null> =>
    db
      .collection<EpochDocument>(metaCollection)
      .findOneAndUpdate({ _id: 'epoch' }, { $inc: { n: 1 } }, { returnDocument: 'after' });
  const counted = await count();
  if (counted) return counted.n;
  await insertOnce<EpochDocument>(db, { _id: 'epoch', n: 0 });
  const again = await count();
  if (!again) throw new Error('the count of epochs in the collection meta is gone');
  return again.n;
}

/** False where it is there already. */
async function insertOnce<T extends { _id: string }>(db: Db, document: OptionalUnlessRequiredId<T>): Promise<boolean> {
  try {
    await db.collection<T>(metaCollection).insertOne(document);
    return true;
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error;
    return false;
  }
}
