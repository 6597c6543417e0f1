/** Checks a running cluster: whether its processes share this Redis, and whether every shard has an owner. */
import { setTimeout as wait } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { clusterProblem } from '../../../src/cluster/identity.js';
import { readPlacement } from '../../../src/cluster/redis/read.js';
import type { Config } from '../../../src/config/config.js';
import { redisUrlFor } from '../../../src/redis/check.js';
import { connectRedis, type RedisClient } from '../../../src/redis/connect.js';
import { readCluster, shardsIn } from '../../../src/store/mongo/cluster-document.js';
import { clientFor, databaseOf } from '../../../src/store/mongo/connect.js';
import { processNotes } from '../../../src/store/mongo/processes.js';
import { clusterView } from '../cluster-view.js';
import { findingsAbout, type Finding } from './finding.js';

const { ok, warn, fail } = findingsAbout('cluster');

/* Rejects if MongoDB or Redis cannot be reached. */
export async function checkCluster({ mongodbUrl, redisUrl, leaseSeconds }: Config): Promise<Finding[]> {
  if (mongodbUrl === null || redisUrl === null) return [];
  const mongo = clientFor(mongodbUrl);
  const redis = connectRedis(await redisUrlFor(redisUrl), 'hivekeep doctor');
  try {
    return await look({ mongo, redis, mongodbUrl, leaseMs: leaseSeconds * 1000 });
  } finally {
    redis.disconnect();
    await mongo.close();
  }
}

interface Servers {
  mongo: MongoClient;
  redis: RedisClient;
  mongodbUrl: string;
  leaseMs: number;
}

async function look({ mongo, redis, mongodbUrl, leaseMs }: Servers): Promise<Finding[]> {
  const db = mongo.db(databaseOf(mongodbUrl));
  const cluster = await readCluster(db);
  if (cluster === null) return [];
  const prefix = `hk:${cluster.id}:`;
  const notes = processNotes(db);
  const mistake = async (): Promise<string | null> =>
    clusterProblem((await readPlacement(redis, prefix)).born ?? '', leaseMs, await notes.liveProcesses());
  // A Redis that was just flushed shows an incomplete table until every process has renewed its entry.
  if ((await mistake()) !== null) await wait(leaseMs / 2);
  const text = await mistake();
  if (text !== null) return [fail(text)];
  const { members, shards, unowned } = clusterView(
    cluster.id,
    await readPlacement(redis, prefix),
    shardsIn(cluster),
    leaseMs,
  );
  if (members.length === 0) return [ok('no process of it lives.')];
  const held = `${members.length} of its processes live and ${shards - unowned.length} of ${shards} shards are held`;
  return [
    unowned.length === 0
      ? ok(`${held}.`)
      : warn(`${held}: start a worker, or see "hivekeep cluster" whether one takes the others within a lease.`),
  ];
}
