/** A Redis Cluster of three masters for tests, of redis-server on PATH; null where there is none. */
import { Redis } from 'ioredis';
import { freePort, redisService, type RedisService } from './redis-service.js';

export interface RedisCluster {
  /** Its servers, separated by commas. */
  readonly url: string;
  readonly servers: readonly RedisService[];
  stop(): Promise<void>;
}

const slots = 16_384;
const masters = 3;

/** `args` are redis-server's own, for each server. */
export async function redisCluster(args: () => Promise<string[]> = async () => []): Promise<RedisCluster | null> {
  const servers: RedisService[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  for (let i = 0; i < masters; i++) {
    const server = await redisService([
      '--cluster-enabled',
      'yes',
      '--cluster-node-timeout',
      '2000',
      '--cluster-require-full-coverage',
      'no',
      '--cluster-port',
      String(await freePort()),
      ...(await args()),
    ]);
    if (server === null) return null;
    servers.push(server);
  }
  const clients = servers.map((server) => new Redis(server.url));
  try {
    await introduce(servers, clients);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    for (const client of clients) client.disconnect();
  }
  return { url: servers.map((server) => server.url).join(','), servers, stop };
}

/** Deals out the slots, and waits until every server knows of all. */
async function introduce(servers: readonly RedisService[], clients: readonly Redis[]): Promise<void> {
  const [first] = clients;
  for (const [i, client] of clients.entries()) {
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1));
    await client.call(
      'CLUSTER',
      'ADDSLOTSRANGE',
      String(Math.floor((slots * i) / masters)),
      String(Math.floor((slots * (i + 1)) / masters) - 1),
    );
    const bus = await client.config('GET', 'cluster-port');
    if (i > 0) await first?.call('CLUSTER', 'MEET', '127.0.0.1', String(servers[i]?.own?.port), bus[1] ?? '');
  }
  for (const until = Date.now() + 10_000; ;) {
    const infos = await Promise.all(clients.map((client) => client.cluster('INFO')));
    if (infos.every((info) => info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${slots}`))) return;
    if (Date.now() > until) throw new Error(`the cluster does not come together: ${infos.join('\n')}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}
