/**
 * What the lease table of a cluster of many processes costs Redis: at rest, and when a worker joins, leaves or dies. All
 * of them are placements in this process, each with two connections of its own to a redis-server on this machine, so
 * that notices are sent to as many as in a real cluster. Most are gateways, which cost Redis as much as workers do, and
 * this process less. Figures are the CPU time of Redis; those of events are beyond what it takes at rest.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLeasedPlacement, type RunningPlacement } from '../src/cluster/leased-placement.js';
import type { ShardHost } from '../src/cluster/placement.js';
import { redisLeases } from '../src/cluster/redis/leases.js';
import { connectRedis, type RedisClient } from '../src/redis/connect.js';
import type { Bench, Row } from './harness.js';

const members = Number(process.env['MEMBERS'] ?? 1000);
const workers = Math.ceil(members / 20);
const shards = Number(process.env['SHARDS'] ?? 1024);
const leaseMs = 10_000;
const port = 28_300;
const url = `redis://127.0.0.1:${port}`;

const clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms: number, work: () => void) {
    const timer = setTimeout(work, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

const host: ShardHost = {
  acquired: () => undefined,
  handOver: () => Promise.resolve(),
  busy: () => false,
  lost: () => undefined,
};

let epoch = 0;

class Process {
  readonly placement: RunningPlacement;
  private readonly connections: RedisClient[];

  constructor(n: number, role: 'worker' | 'gateway') {
    const self = `hivekeep-${role}-7d9f8b6c5-abcde-${1000 + n}-0123456789ab`;
    const stats = { actors: 1234, queued: 0, steps: 12, takeovers: 3, handovers: 0, lost: 0, unanswered: 12, lagMs: 2 };
    const about = { host: `hivekeep-worker-7d9f8b6c5-${n}`, pid: 1, version: '0.1.0', started: '2026-01-01T00:00:00Z' };
    const [client, subscriber] = [connectRedis(url, self), connectRedis(url, `${self}-notices`)];
    this.connections = [client, subscriber];
    const leases = redisLeases(client, subscriber, 'hk:8c0cbe52-0000-0000-0000-000000000000:');
    this.placement = createLeasedPlacement(leases, {
      self,
      role,
      shards,
      about,
      stats: () => stats,
      host: role === 'worker' ? host : null,
      nextEpoch: (above) => Promise.resolve((epoch = Math.max(epoch, above) + 1)),
      upToDate: () => Promise.resolve(),
      mayBeHeld: () => Promise.resolve(false),
      leaseMs,
      clock,
      monotonic: () => performance.now(),
      log: { info: () => undefined, warn: () => undefined },
    });
  }

  async end(): Promise<void> {
    await this.placement.stop();
    for (const connection of this.connections) connection.disconnect();
  }
}

/** Until every shard is held and nothing has moved for a while. */
async function settled(all: readonly Process[]): Promise<void> {
  for (let before = '', still = 0; still < 15; await pause(100)) {
    const held = all.map(({ placement }) => placement.held().join());
    const isWhole = held.join().split(',').filter(Boolean).length === shards;
    still = isWhole && held.join(';') === before ? still + 1 : 0;
    before = held.join(';');
  }
}

/** CPU time of the server so far, ms. */
async function cpu(client: RedisClient): Promise<number> {
  const info = await client.info('cpu');
  const of = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return (of('used_cpu_user') + of('used_cpu_sys')) * 1000;
}

async function run(): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-bench-'));
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''], {
    stdio: 'ignore',
  });
  const probe = connectRedis(url, 'probe');
  const all: Process[] = [];
  const add = (role: 'worker' | 'gateway'): Promise<void> => {
    const added = new Process(all.length, role);
    all.push(added);
    return added.placement.start();
  };
  try {
    await pause(500);
    const during = async (work: () => Promise<unknown>): Promise<{ cpuMs: number; ms: number }> => {
      await probe.config('RESETSTAT');
      const [began, before] = [performance.now(), await cpu(probe)];
      await work();
      return { cpuMs: (await cpu(probe)) - before, ms: performance.now() - began };
    };
    const calls = async (name: string): Promise<number> =>
      Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(await probe.info('commandstats'))?.[1] ?? 0);
    await Promise.all(Array.from({ length: workers }, () => add('worker')));
    await settled(all);
    for (let left = members - workers; left > 0; left -= 50)
      await Promise.all(Array.from({ length: Math.min(left, 50) }, () => add('gateway')));
    await add('worker');
    await settled(all);

    const rest = await during(() => pause(3 * leaseMs));
    const beats = await calls('evalsha');
    const atRest = rest.cpuMs / rest.ms;
    const rows: Row[] = [
      {
        what: `${members} processes at rest, at a lease of ${leaseMs / 1000} s`,
        figure: 100 * atRest,
        unit: '% of a core',
        target: '< 5 %',
        met: atRest < 0.05,
        note: `${Math.round((rest.cpuMs * 1000) / beats)} us a beat, with all that is sent beside it`,
      },
    ];
    const event = async (what: string, happens: () => Promise<unknown>): Promise<void> => {
      const { cpuMs, ms } = await during(async () => {
        await happens();
        await settled(all);
      });
      const figure = cpuMs - (ms * rest.cpuMs) / rest.ms;
      rows.push({
        what,
        figure,
        unit: 'ms',
        target: '< 200 ms',
        met: figure < 200,
        note: `in ${(ms / 1000).toFixed(1)} s, with ${await calls('evalsha')} calls and ${await calls('publish')} notices`,
      });
    };
    await event('a worker joins', () => add('worker'));
    await event('a worker leaves', async () => {
      const worker = all.pop();
      await worker?.placement.drain();
      await worker?.end();
    });
    await event('a worker dies', async () => {
      await all.pop()?.end();
      await pause(leaseMs);
    });
    return rows;
  } finally {
    await Promise.all(all.map((worker) => worker.end()));
    probe.disconnect();
    server.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
}

export const bench: Bench = { name: 'The lease table of many processes', run };
