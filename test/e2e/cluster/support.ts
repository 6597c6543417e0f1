/**
 * Two gateways and two workers as processes, a model that thinks for as long as a test wants and a receiver of pushes:
 * shared by the suites here.
 */
import { expect } from 'chai';
import { readClusterOf } from '../../../gateway/cli/cluster.js';
import { type PlacementTable, readPlacement } from '../../../src/cluster/redis/read.js';
import { fewestShards } from '../../../src/store/shards.js';
import { connectRedis } from '../../../src/redis/connect.js';
import {
  type Cluster,
  type ClusterProcess,
  type ClusterShape,
  leaseSeconds,
  ready,
  startCluster,
} from '../../helpers/cluster-processes.js';
import { type Receiver, startReceiver } from '../a2a/support/receiver.js';
import { type Rpc, rpcOf } from '../a2a/support/rpc.js';
import { type Api, client, type Json, until } from '../api/support/client.js';
import { startThinker, type Thinker } from '../api/support/thinker.js';

export interface World {
  cluster(): Cluster;
  thinker(): Thinker;
  receiver(): Receiver;
  /** Asks one gateway, 0 or 1, and no other. */
  at(gateway: number, key?: string): Api;
  rpc(gateway: number, agent: string, key?: string): Rpc;
  spawn(input?: Json): Promise<string>;
  /** An agent that thinks with the test's model, step by step. */
  thinking(input?: Json, config?: Json): Promise<string>;
  /** The worker that serves an entity, as Redis says; waits until there is one. */
  workerOf(agent: string): Promise<ClusterProcess>;
  /** Called in a `describe`. */
  hooks(): void;
}

interface Parts {
  cluster: Cluster;
  thinker: Thinker;
  receiver: Receiver;
}

export const skippedBecause =
  'skipped: there is no MongoDB (MONGODB_URL, mongod on PATH) or no Redis (REDIS_URL, redis-server on PATH)';
export function skip(context: Mocha.Context): never {
  process.stdout.write(`      ${skippedBecause}\n`);
  return context.skip();
}

/**
 * Within this the runs of a worker that was killed go on: the lease, and 2 s (docs/configuration.md,
 * HIVEKEEP_LEASE_SECONDS).
 */
export const takeoverMs = (leaseSeconds + 2) * 1000;

async function start(shape: ClusterShape): Promise<Parts | null> {
  const [thinker, receiver] = await Promise.all([startThinker(), startReceiver()]);
  const close = (): Promise<unknown> => Promise.all([thinker.close(), receiver.close()]);
  try {
    const cluster = await startCluster({
      ...shape,
      env: {
        HIVEKEEP_OPENAI_BASE_URL: thinker.baseUrl,
        HIVEKEEP_OPENAI_API_KEY: 'sk-test',
        HIVEKEEP_PUSH_ALLOW: receiver.host,
        HIVEKEEP_PUSH_RETRY_SECONDS: '0.2',
        HIVEKEEP_PUSH_TRIES: '6',
        HIVEKEEP_HEARTBEAT_SECONDS: '1',
        HIVEKEEP_SHUTDOWN_SECONDS: '5',
        ...shape.env,
      },
    });
    if (cluster !== null) return { cluster, thinker, receiver };
    await close();
    return null;
  } catch (error) {
    await close();
    throw error;
  }
}

let shared: Promise<Parts | null> | undefined;
after(async function stop() {
  this.timeout(60_000);
  const parts = await shared;
  if (parts) await Promise.all([parts.cluster.stop(), parts.thinker.close(), parts.receiver.close()]);
});

/** The cluster of all suites; every suite leaves it with all its processes running. */
export function clusterWorld(): World {
  let parts: Parts | null = null;
  const of = (): Parts => parts ?? expect.fail('the cluster has not started');
  const cluster = (): Cluster => of().cluster;
  const gateway = (n: number): ClusterProcess => cluster().gateways[n] ?? expect.fail(`there is no gateway ${n}`);
  const at = (n: number, key = cluster().key): Api => client(() => gateway(n).url, key);
  const spawn = async (input: Json = {}): Promise<string> =>
    String((await at(0).one('POST', '/v1/agents/spawn', { name: 'Ada', ...input }, 201))['id']);
  return {
    cluster,
    at,
    spawn,
    thinker: () => of().thinker,
    receiver: () => of().receiver,
    rpc: (n, agent, key = cluster().key) => rpcOf(() => gateway(n).url, agent, key),
    thinking: (input = {}, config = {}) =>
      spawn({ config: { model: 'openai/slow', multi_step: true, ...config }, ...input }),
    async workerOf(agent) {
      const shard = fewestShards.of({ workspace: 'default', kind: 'agent', id: agent });
      const pid = await until(
        () => ownerOf(cluster(), shard),
        (found) => found !== null,
      );
      return (
        cluster().workers.find((w) => w.pid === pid) ??
        expect.fail(`shard ${shard} is with process ${pid}, which is no worker of this cluster`)
      );
    },
    hooks() {
      before(async function begin() {
        this.timeout(180_000); // it may have to be built first
        parts = await (shared ??= start({ gateways: 2, workers: 2 }));
        if (parts === null) skip(this);
      });
      // a test that fails leaves the next one no step, and all processes
      afterEach(async function tidy() {
        this.timeout(120_000);
        if (parts === null) return;
        const { thinker } = parts;
        if (this.currentTest?.state === 'failed') tellLogs(parts.cluster);
        for (const p of parts.cluster.processes)
          if (!p.running) {
            await p.start();
            await ready(p);
          }
        await until(
          async () => {
            for (let n = thinker.waiting; n > 0; n--) thinker.release({ text: 'enough' });
            return thinker.waiting;
          },
          (n) => n === 0,
        );
      });
    },
  };
}

/** What the processes have said last, but for requests: a test that failed cannot be understood without it. */
function tellLogs({ processes }: Cluster): void {
  for (const { name, stderr } of processes.map((p) => ({ name: p.name, stderr: p.stderr() }))) {
    const lines = stderr.split('\n').filter((line) => line !== '' && !line.includes('"msg":"request"'));
    process.stderr.write(
      `--- ${name}\n${lines
        .slice(-25)
        .map((l) => l.slice(0, 600))
        .join('\n')}\n`,
    );
  }
}

/** Who lives and who holds which shard, as Redis says. */
export async function placementOf({ settings }: Cluster): Promise<PlacementTable> {
  const redis = connectRedis(settings['HIVEKEEP_REDIS_URL'] ?? '', 'test');
  try {
    return await readPlacement(redis, await prefixOf(settings));
  } finally {
    redis.disconnect();
  }
}

/** What all keys of a cluster begin with. */
export const prefixOf = async (settings: Cluster['settings']): Promise<string> =>
  `hk:${(await readClusterOf(settings['HIVEKEEP_MONGODB_URL'] ?? ''))?.id ?? ''}:`;

/** The process that holds a shard, by its id; null where none does. */
async function ownerOf(cluster: Cluster, shard: number): Promise<number | null> {
  const { members, leases } = await placementOf(cluster);
  const owner = leases.find((l) => l.shard === shard)?.owner ?? null;
  return owner === null ? null : Number(members.find(({ member }) => member.instance === owner)?.member.about['pid']);
}
