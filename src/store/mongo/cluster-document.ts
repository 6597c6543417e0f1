/**
 * The document that identifies a database as belonging to a cluster. It holds the cluster's id, under which all of its
 * data in Redis is kept, and the schema version. Whichever process opens the database first creates it, once. This
 * module also keeps the epoch counter, which never goes back.
 */
import { randomUUID } from 'node:crypto';
import { MongoServerError, type Db, type OptionalUnlessRequiredId } from 'mongodb';
import { StoreError, type Shards } from '../port.js';
import { shardsOf, type ShardCount } from '../shards.js';
import { docKinds } from '../list-query.js';
import { headCollection, metaCollection, recordCollection } from './documents.js';
import { duplicateKey, serversOfUrl } from './failures.js';
import { imageCollection } from './kept-images.js';

/** Version of the layout of documents and heads; see open.ts. */
export const schemaVersion = 1;

/** How many shards a new database gets. */
const usualShards: ShardCount = 256;

export interface ClusterDocument {
  _id: 'cluster';
  id: string;
  schema: number;
  /** How many shards there are. */
  shards: ShardCount;
  /** A migration into or out of the database (migration.ts); the latter ends by itself some time after `at`. */
  migration?: { as: 'source' | 'target'; at: Date };
}
interface EpochDocument {
  _id: 'epoch';
  n: number;
}

export const readCluster = (db: Db): Promise<ClusterDocument | null> =>
  db.collection<ClusterDocument>(metaCollection).findOne({ _id: 'cluster' });

/** Names of collections that are named like ours and not empty, in a database that has no cluster document. */
export async function foreignCollections(db: Db): Promise<string[]> {
  const ours = new Set([headCollection, recordCollection, imageCollection, ...docKinds]);
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
  `The database at ${serversOfUrl(url)} holds collections of somebody else (${names.join(', ')}): name another database in the path of HIVEKEEP_MONGODB_URL.`;
export const otherSchemaSentence = (schema: number, url: string): string =>
  `The database at ${serversOfUrl(url)} was written by ${schema > schemaVersion ? 'a newer' : 'another'} version of hivekeep (its schema is ${schema}, this version knows ${schemaVersion}): start that version, or name another database in HIVEKEEP_MONGODB_URL.`;

export const shardsIn = ({ shards }: Pick<ClusterDocument, 'shards'>): Shards => shardsOf(shards);

/**
 * Reads the cluster document, or creates it in an empty database. Rejects with 'foreign' or 'other-schema', the latter
 * also for a database that has another number of shards than `shards`, if that is not null.
 */
export async function claimCluster(db: Db, url: string, shards: ShardCount | null): Promise<ClusterDocument> {
  const found = (await readCluster(db)) ?? (await makeCluster(db, url, shards ?? usualShards));
  if (found.schema !== schemaVersion) throw new StoreError('other-schema', otherSchemaSentence(found.schema, url));
  const { count } = shardsIn(found);
  if (shards !== null && shards !== count)
    throw new StoreError(
      'other-schema',
      `The data in the database at ${serversOfUrl(url)} is divided into ${count} shards, which never changes: unset HIVEKEEP_SHARDS, or name another database in HIVEKEEP_MONGODB_URL.`,
    );
  return found;
}

async function makeCluster(db: Db, url: string, shards: ShardCount): Promise<ClusterDocument> {
  const foreign = await foreignCollections(db);
  const made: ClusterDocument = { _id: 'cluster', id: randomUUID(), schema: schemaVersion, shards };
  if (foreign.length > 0) {
    // Another process may have created the document, and written data, since we looked.
    const late = await readCluster(db);
    if (!late) throw new StoreError('foreign', foreignSentence(foreign, url));
    return late;
  }
  return (await insertOnce<ClusterDocument>(db, made)) ? made : ((await readCluster(db)) ?? made);
}

/**
 * Returns more than it ever returned before, and more than `above`. The counter is inserted first if it is missing,
 * because servers differ in what they answer to two concurrent upserts.
 */
export async function countEpoch(db: Db, above = 0): Promise<number> {
  const count = (): Promise<EpochDocument | null> =>
    db
      .collection<EpochDocument>(metaCollection)
      .findOneAndUpdate({ _id: 'epoch' }, [{ $set: { n: { $add: [{ $max: ['$n', above] }, 1] } } }], {
        returnDocument: 'after',
      });
  const counted = await count();
  if (counted) return counted.n;
  await insertOnce<EpochDocument>(db, { _id: 'epoch', n: 0 });
  const again = await count();
  if (!again) throw new Error('the count of epochs in the collection meta is gone');
  return again.n;
}

/** Returns false if the document already exists. */
async function insertOnce<T extends { _id: string }>(db: Db, document: OptionalUnlessRequiredId<T>): Promise<boolean> {
  try {
    await db.collection<T>(metaCollection).insertOne(document);
    return true;
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error;
    return false;
  }
}
