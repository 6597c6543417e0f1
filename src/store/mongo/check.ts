/**
 * Checks whether a hivekeep cluster can work with this MongoDB. Used by `doctor` and, sentence by sentence, at startup.
 * Each finding is one sentence that states a fact, or states a problem and its remedy. None contains a password.
 */
import type { Db, MongoClient } from 'mongodb';
import { compareClocks } from '../../base/clock-skew.js';
import {
  foreignCollections,
  foreignSentence,
  otherSchemaSentence,
  readCluster,
  schemaVersion,
} from './cluster-document.js';
import { clientFor, databaseOf, serverFacts, versionSentence } from './connect.js';
import { serversOfUrl, sentence } from './failures.js';
import { missingIndexes } from './indexes.js';

export interface MongoFinding {
  level: 'ok' | 'warn' | 'fail';
  text: string;
}

export interface CheckMongo {
  /** Our wall clock, in milliseconds since the epoch. */
  now?: () => number;
  /** How long a server may take to answer, in milliseconds. */
  patienceMs?: number;
}

const ok = (text: string): MongoFinding => ({ level: 'ok', text });
const warn = (text: string): MongoFinding => ({ level: 'warn', text });
const fail = (text: string): MongoFinding => ({ level: 'fail', text });

/** Never rejects and changes nothing in the database. */
export async function checkMongo(
  url: string,
  { now = Date.now, patienceMs = 3000 }: CheckMongo = {},
): Promise<MongoFinding[]> {
  let client: MongoClient | null = null;
  try {
    client = clientFor(url, patienceMs);
    const db = client.db(databaseOf(url));
    const facts = await serverFacts(db);
    return [
      facts.isNewEnough
        ? ok(`MongoDB ${facts.version} at ${serversOfUrl(url)} answers.`)
        : fail(versionSentence(facts.version, url)),
      await compareClocks(`MongoDB at ${serversOfUrl(url)}`, async () => (await serverFacts(db)).localTime, now),
      ...(await leftReplicaSet(client, url)),
      ...(await contents(db, url)),
    ];
  } catch (error) {
    return [fail(sentence(error, url))];
  } finally {
    await client?.close();
  }
}

/**
 * A member of a replica set writes its changes to the journal by the oplog alone. Started by itself on a snapshot of
 * its disk, it shows what its last checkpoint had, and says nothing of the rest.
 */
async function leftReplicaSet(client: MongoClient, url: string): Promise<MongoFinding[]> {
  const { setName, msg } = (await client.db('admin').command({ hello: 1 })) as { setName?: string; msg?: string };
  if (setName !== undefined || msg === 'isdbgrid') return [];
  const sets = client.db('local').collection<{ _id: string }>('system.replset');
  // whoever may not read it hears nothing of it
  const set = await sets.findOne({}, { projection: { _id: 1 } }).catch(() => null);
  if (set === null) return [];
  return [
    warn(
      `MongoDB at ${serversOfUrl(url)} was a member of the replica set ${set._id} and runs by itself now: if its folder is a snapshot of a disk, all that came after the last checkpoint is missing. Stop it and start it as docs/operations.md says ("From a snapshot of a disk"), or drop its database "local" if it lacks nothing and stays alone.`,
    ),
  ];
}

async function contents(db: Db, url: string): Promise<MongoFinding[]> {
  const cluster = await readCluster(db);
  if (!cluster) {
    const foreign = await foreignCollections(db);
    return [
      foreign.length > 0
        ? fail(foreignSentence(foreign, url))
        : ok(`The database ${db.databaseName} is empty; the first start makes what it needs.`),
    ];
  }
  if (cluster.schema !== schemaVersion) return [fail(otherSchemaSentence(cluster.schema, url))];
  const missing = await missingIndexes(db);
  return [
    ok(`The database ${db.databaseName} belongs to the cluster ${cluster.id}.`),
    missing.length > 0
      ? warn(
          `Indexes are missing in the database ${db.databaseName} (${missing.join(', ')}), so that reads are slow: start a worker or a gateway, which makes them.`,
        )
      : ok('All indexes exist.'),
  ];
}
