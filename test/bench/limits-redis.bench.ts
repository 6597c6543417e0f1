/**
 * What counting in Redis costs a gateway, against counting in its memory (src/limits/redis). The server is a
 * redis-server of its own on this machine; a network comes on top.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInMemoryLimits } from '../../src/limits/in-memory.js';
import type { Limits } from '../../src/limits/port.js';
import { createRedisLimits } from '../../src/limits/redis/limits.js';
import { policyOf } from '../../src/limits/tiers.js';
import { connectRedis } from '../../src/redis/connect.js';
import { type Bench, percentile, type Row } from './harness.js';

const callers = 50;
const measureMs = 2000;
const rounds = 3;
const holdMs = 30_000;
const vast = policyOf(1_000_000_000);
const one = policyOf(1);

interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMicros: number;
}

/** `callers` at a time, each waiting for its answer. */
async function measure(call: (i: number) => unknown): Promise<Measured> {
  const times: number[] = [];
  let calls = 0;
  const loop = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      await call(calls++);
      times.push(performance.now() - began);
    }
  };
  const round = (ms: number): Promise<unknown> => {
    const until = performance.now() + ms;
    return Promise.all(Array.from({ length: callers }, () => loop(until)));
  };
  await round(500);
  times.length = calls = 0;
  const began = performance.now();
  const before = process.cpuUsage();
  await round(measureMs);
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: (calls / (performance.now() - began)) * 1000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpuMicros: (user + system) / calls,
  };
}

const best = async (call: (i: number) => unknown): Promise<Measured> => {
  const all: Measured[] = [];
  for (let i = 0; i < rounds; i++) all.push(await measure(call));
  return all.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
};

const admission =
  (limits: Limits) =>
  async (i: number): Promise<void> => {
    const key = `key_${i % 100}`;
    const id = `req_${i}`;
    await limits.take(key, vast, Date.now());
    await limits.enter(key, 10_000, id, Date.now());
    await limits.leave(key, id);
  };

async function onRedis(work: (limits: Limits) => Promise<Row[]>): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-limits-redis-'));
  const port = await new Promise<number>((resolve) => {
    const s = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = s.address() as AddressInfo;
      s.close(() => {
        resolve(free);
      });
    });
  });
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  );
  const client = connectRedis(`redis://127.0.0.1:${port}`, 'limits-bench');
  try {
    while (
      await client.ping().then(
        () => false,
        () => true,
      )
    )
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    return await work(createRedisLimits({ client, prefix: 'hk:bench:', holdMs }));
  } finally {
    client.disconnect();
    server.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
}

const latency = (m: Measured): string =>
  `p50 ${m.p50.toFixed(3)} ms, p99 ${m.p99.toFixed(3)} ms, CPU of this process ${m.cpuMicros.toFixed(1)} us a call`;

export const bench: Bench = {
  name: `limits in Redis, ${callers} callers at a time, against the same in memory`,
  run: () =>
    onRedis(async (redis) => {
      const memory = createInMemoryLimits({ holdMs });
      const rows: Row[] = [];
      for (const [what, call] of [
        ['take, one key', (limits: Limits) => (): unknown => limits.take('key', vast, Date.now())],
        [
          'take, 10,000 keys in turn',
          (limits: Limits) =>
            (i: number): unknown =>
              limits.take(`key_${i % 10_000}`, vast, Date.now()),
        ],
        ['a request: counted, a place taken and given back, 100 keys', admission],
        ['a request refused for its rate', (limits: Limits) => (): unknown => limits.take('refused', one, Date.now())],
      ] as const) {
        const here = await best(call(memory));
        const there = await best(call(redis));
        rows.push({
          what,
          figure: there.perSecond,
          unit: '/s',
          baseline: { what: 'in memory', figure: here.perSecond },
          note: `${latency(there)}; in memory ${latency(here)}`,
        });
      }
      return rows;
    }),
};
