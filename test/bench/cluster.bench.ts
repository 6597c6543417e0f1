/**
 * A cluster as processes: what the way over Redis and MongoDB costs, how runs spread over workers, and what a takeover
 * and a hand-over take. The MongoDB is whatever test/helpers/mongo-service.ts finds; with its stand-in for tests, all
 * that commits is bound by that, so only ratios and times of takeovers mean anything.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { startModelServer } from '../chaos/model-server.js';
import { type Cluster, type ClusterShape, leaseSeconds, startCluster } from '../helpers/cluster-processes.js';
import { type Bench, percentile, type Row } from './harness.js';
import { load, type LoadResult, messageSend, post } from './load.js';
import { api, key, startHivekeep } from './servers.js';

let count = 0;
const sending = (): object => messageSend(++count, `m-${count}`, 'When does the harbour office open?');
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

async function sends(port: number): Promise<LoadResult> {
  const ids = await agents(port, 50);
  let turn = 0;
  return load({
    port,
    connections: 50,
    warmMs: 2000,
    measureMs: 5000,
    request: () => post(`/api/v1/a2a/agents/${ids[turn++ % ids.length] ?? ''}`, key, sending()),
    status: 200,
    check: (body) => body.includes('"completed"'),
  });
}

/** Time until `runs` runs, each of one step of 50 ms, have ended on so many workers. */
async function spread(workers: number, runs: number, url: string): Promise<number | null> {
  return withCluster({ gateways: 1, workers, env: { HIVEKEEP_OPENAI_BASE_URL: url } }, async (_, port) => {
    const ids = await agents(port, 200, { config: { model: 'openai/wait', memory: { learn: 'off' } } });
    const began = performance.now();
    const answers = Array.from({ length: 50 }, async (_, lane) => {
      for (let i = lane; i < runs; i += 50)
        await api(on(port), 'POST', `/v1/agents/${ids[i % ids.length] ?? ''}/message`, { content: `question ${i}` });
    });
    await Promise.all(answers);
    return (performance.now() - began) / 1000;
  });
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

/**
 * The longest wait of a command while one of two workers is ended with SIGTERM under load, and the longest without
 * that.
 */
async function handover(): Promise<{ worst: number; usual: number; median: number; failed: number } | null> {
  return withCluster({ gateways: 1, workers: 2 }, async (cluster, port) => {
    const ids = await agents(port, 64);
    const took: { at: number; ms: number }[] = [];
    let over = false;
    let failed = 0;
    const clients = Array.from({ length: 8 }, async (_, lane) => {
      for (let i = lane; !over; i += 8) {
        const began = performance.now();
        try {
          await api(on(port), 'POST', '/v1/memories', {
            type: 'fact',
            content: `note ${i}`,
            agent_id: ids[i % ids.length] ?? '',
          });
        } catch {
          failed++;
        }
        took.push({ at: began, ms: performance.now() - began });
      }
    });
    await pause(4000);
    const termAt = performance.now();
    await cluster.workers[1]?.end('SIGTERM');
    await pause(3000);
    over = true;
    await Promise.all(clients);
    const quiet = took.filter(({ at, ms }) => at + ms < termAt).map(({ ms }) => ms);
    const moving = took.filter(({ at, ms }) => at + ms >= termAt).map(({ ms }) => ms);
    return { worst: Math.max(...moving), usual: Math.max(...quiet), median: percentile(quiet, 0.5), failed };
  });
}

export const bench: Bench = {
  name: 'cluster: processes over MongoDB and Redis on one machine, load from another process',
  async run(): Promise<Row[]> {
    const rows: Row[] = [];
    const embedded = await startHivekeep();
    const alone = await sends(embedded.port).finally(() => embedded.stop());
    const far = await withCluster({ gateways: 1, workers: 1 }, (_, port) => sends(port));
    if (far === null) {
      process.stdout.write('  skipped: no MongoDB or no Redis here\n');
      return [];
    }
    rows.push({
      what: 'message/send through gateway, Redis, worker and MongoDB, 50 connections',
      figure: far.perSecond,
      unit: 'requests/s',
      baseline: { what: 'embedded', figure: alone.perSecond },
      note: `p50 ${far.p50.toFixed(1)} ms, p99 ${far.p99.toFixed(1)} ms`,
    });
    const model = await startModelServer(() => 50);
    const runs = 2000;
    const seconds: number[] = [];
    try {
      for (const workers of [1, 2, 4]) seconds.push((await spread(workers, runs, model.url)) ?? NaN);
    } finally {
      await model.close();
    }
    seconds.forEach((s, i) =>
      rows.push({
        what: `${runs} runs of one 50 ms step on ${2 ** i} worker${i ? 's' : ''}`,
        figure: s,
        unit: 's',
        ...(i > 0 && { baseline: { what: '1 worker', figure: seconds[0] ?? NaN } }),
      }),
    );
    const taken = await takeover(2000);
    if (taken)
      rows.push({
        what: `kill -9 of a worker with its half of 2,000 runs in progress, until all ${taken.lost} go on`,
        figure: taken.seconds,
        unit: 's',
        target: `<= ${leaseSeconds} s lease + 2 s`,
        met: taken.seconds <= leaseSeconds + 2,
      });
    const moved = await handover();
    if (moved)
      rows.push({
        what: 'SIGTERM of one of two workers under load, longest wait of a command',
        figure: moved.worst,
        unit: 'ms',
        baseline: { what: 'longest before', figure: moved.usual },
        target: '<= 300 ms',
        met: moved.worst <= 300,
        note: `median ${moved.median.toFixed(1)} ms; ${moved.failed} requests failed`,
      });
    return rows;
  },
};
