/** What a takeover in a cluster of processes takes. The MongoDB is whatever test/helpers/mongo-service.ts finds. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, type ClusterShape, leaseSeconds, startCluster } from '../test/helpers/cluster-processes.js';
import type { Bench, Row } from './harness.js';
import { api, key } from './servers.js';

const quietLimits = {
  HIVEKEEP_ROOT_KEY: key,
  HIVEKEEP_LOG_LEVEL: 'warn',
  HIVEKEEP_ENTERPRISE_REQUESTS_PER_MINUTE: '100000000',
  HIVEKEEP_ENTERPRISE_CONCURRENT: '100000',
};
const portOf = (url: string): number => Number(new URL(url).port);

async function withCluster<T>(
  shape: ClusterShape,
  use: (cluster: Cluster, port: number) => Promise<T>,
): Promise<T | null> {
  const cluster = await startCluster({ ...shape, env: { ...quietLimits, ...shape.env } });
  if (cluster === null) return null;
  try {
    return await use(cluster, portOf(cluster.gateways[0]?.url ?? ''));
  } finally {
    await cluster.stop().catch((error: unknown) => {
      process.stdout.write(`  (the cluster: ${String(error).slice(0, 300)})\n`);
    });
  }
}

const on = (port: number): { port: number } & Parameters<typeof api>[0] =>
  ({ port }) as { port: number } & Parameters<typeof api>[0];

async function agents(port: number, n: number, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let left = n; left > 0; left -= 50) {
    const some = await Promise.all(
      Array.from({ length: Math.min(50, left) }, () =>
        api<{ data: { id: string } }>(on(port), 'POST', '/v1/agents/spawn', { name: 'bench', ...more }),
      ),
    );
    ids.push(...some.map(({ data }) => data.id));
  }
  return ids;
}

/**
 * From the kill of a worker until each of its steps in progress has been begun again elsewhere. The model never
 * answers.
 */
async function takeover(runs: number): Promise<{ seconds: number; lost: number } | null> {
  const askedAt = new Map<string, number>();
  let again = 0;
  let killedAt = Infinity;
  let lastAt = 0;
  const model = createServer((req) => {
    textOf(req).then(
      (body) => {
        const what = /work (\d+)/.exec(body)?.[1] ?? '';
        const now = performance.now();
        if (askedAt.has(what) && now > killedAt) {
          again++;
          lastAt = now;
        }
        askedAt.set(what, now);
      },
      () => undefined,
    ); // the worker was killed
  });
  await new Promise<void>((resolve) => {
    model.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  try {
    return await withCluster(
      { gateways: 1, workers: 2, env: { HIVEKEEP_OPENAI_BASE_URL: url } },
      async (cluster, port) => {
        const ids = await agents(port, runs, { config: { model: 'openai/wait', memory: { learn: 'off' } } });
        for (let i = 0; i < runs; i += 50)
          await Promise.all(
            ids
              .slice(i, i + 50)
              .map((id, n) => api(on(port), 'POST', `/v1/agent-constellations/${id}/runs`, { input: `work ${i + n}` })),
          );
        while (askedAt.size < runs) await pause(50);
        const victim = cluster.workers[0];
        const held = await heldBy(cluster, 0);
        killedAt = performance.now();
        await victim?.end('SIGKILL');
        for (let last = -1; again !== last || again < Math.floor((runs * held) / 256 / 2);) {
          last = again;
          await pause(3000);
          if (performance.now() - killedAt > 120_000) break;
        }
        return { seconds: (lastAt - killedAt) / 1000, lost: again };
      },
    );
  } finally {
    model.closeAllConnections();
    model.close();
  }
}

async function heldBy(cluster: Cluster, n: number): Promise<number> {
  const text = await (await fetch(`${cluster.workers[n]?.url ?? ''}/metrics`)).text();
  return Number(/^hivekeep_cluster_shards_held (\d+)/m.exec(text)?.[1] ?? NaN);
}

export const bench: Bench = {
  name: 'cluster: processes over MongoDB and Redis on one machine, load from another process',
  async run(): Promise<Row[]> {
    const taken = await takeover(2000);
    if (taken === null) {
      process.stdout.write('  skipped: no MongoDB or no Redis here\n');
      return [];
    }
    return [
      {
        what: `kill -9 of a worker with its half of 2,000 runs in progress, until all ${taken.lost} go on`,
        figure: taken.seconds,
        unit: 's',
        target: `<= ${leaseSeconds} s lease + 2 s`,
        met: taken.seconds <= leaseSeconds + 2,
      },
    ];
  },
};
