/**
 * `hivekeep cluster`: the processes of the cluster and the shards that they hold. It reads the placement table and
 * changes nothing.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { readPlacement, type PlacementTable } from '../../src/cluster/redis/read.js';
import type { Config } from '../../src/config/config.js';
import { redisUrlFor } from '../../src/redis/check.js';
import { connectRedis, type RedisClient } from '../../src/redis/connect.js';
import { failureSentence, serversOf } from '../../src/redis/failure.js';
import { clusterLines, clusterView, type ClusterView } from './cluster-view.js';
import { Failure, sentences } from './failure.js';
import type { Io } from './io.js';
import { readCluster, shardsIn, type ClusterDocument } from '../../src/store/mongo/cluster-document.js';
import { clientFor, databaseOf } from '../../src/store/mongo/connect.js';
import { processNotes } from '../../src/store/mongo/processes.js';
import { toStoreError } from '../../src/store/mongo/failures.js';

export interface ClusterOptions {
  json?: true;
  watch?: true;
}

const watchMs = 2000;
const clearScreen = '\u001b[2J\u001b[H';

/** With `watch`, repeats every 2 s until the process is ended; errors are printed and do not end it. */
export async function cluster(config: Config, io: Io, { json, watch }: ClusterOptions): Promise<void> {
  const { mongodbUrl, redisUrl } = config;
  if (mongodbUrl === null || redisUrl === null) {
    io.out(
      json
        ? JSON.stringify({ id: null, members: [], shards: 0, unowned: [] } satisfies ClusterView)
        : `There is no cluster: one process does everything, with its data in ${config.dataDir}. HIVEKEEP_MONGODB_URL and HIVEKEEP_REDIS_URL make one.`,
    );
    return;
  }
  const found = await readClusterOf(mongodbUrl);
  if (found === null)
    throw new Failure(
      'No process of a cluster has been started on the database of HIVEKEEP_MONGODB_URL yet: start one, or correct the URL',
    );
  const { id, leaseMs = config.leaseSeconds * 1000 } = found;
  const client = connectRedis(await redisUrlFor(redisUrl).catch(() => redisUrl), 'hivekeep cluster');
  const table = tableReader(client, `hk:${id}:`, redisUrl);
  try {
    const look = async (): Promise<ClusterView> => clusterView(id, await table(), shardsIn(found), leaseMs);
    if (watch) await showForEver(look, json === true, io);
    else show(await look(), json === true, io);
  } finally {
    client.disconnect();
  }
}

/**
 * Rejects with a Failure that says why Redis cannot be read; the error of a command would only say that there is no
 * connection.
 */
function tableReader(client: RedisClient, prefix: string, redisUrl: string): () => Promise<PlacementTable> {
  let reason: unknown = null;
  client.on('error', (error) => {
    reason = error;
  });
  client.on('ready', () => {
    reason = null;
  });
  return async () => {
    try {
      return await readPlacement(client, prefix);
    } catch (cause) {
      throw new Failure(failureSentence(reason ?? cause, serversOf(redisUrl)), { cause });
    }
  };
}

function show(view: ClusterView, json: boolean, io: Io): void {
  for (const line of json ? [JSON.stringify(view)] : clusterLines(view)) io.out(line);
}

async function showForEver(look: () => Promise<ClusterView>, json: boolean, io: Io): Promise<never> {
  for (;;) {
    try {
      const view = await look();
      if (!json && io.screen) io.out(clearScreen);
      show(view, json, io);
      if (!json) io.out('');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      for (const sentence of sentences(error)) io.note(`hivekeep: ${sentence}`);
    }
    await wait(watchMs);
  }
}

/**
 * With the lease by which its processes live, which all that live have the same, if any does. Null if no process has
 * been started on the database yet. Rejects with StoreError if MongoDB cannot be reached.
 */
export async function readClusterOf(url: string): Promise<(ClusterDocument & { leaseMs?: number }) | null> {
  const client = clientFor(url);
  try {
    const db = client.db(databaseOf(url));
    const found = await readCluster(db);
    const [living] = found === null ? [] : await processNotes(db).liveProcesses();
    return found && { ...found, ...(living && { leaseMs: living.leaseMs }) };
  } catch (error) {
    throw toStoreError(error, url);
  } finally {
    await client.close();
  }
}
