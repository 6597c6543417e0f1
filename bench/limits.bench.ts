/**
 * What the limits cost who is served, and what refusing costs: POST /v1/memories, durable, over HTTP (src/limits,
 * gateway/limits).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createInMemoryLimits } from '../src/limits/in-memory.js';
import { policyOf } from '../src/limits/tiers.js';
import type { Bench, Row } from './harness.js';
import { load, post } from './load.js';
import { key } from './servers.js';

const connections = 50;
const warmMs = 1500;
const measureMs = 3000;
const rounds = 3;
const memory = {
  type: 'semantic',
  content: 'The harbour office opens at eight, and the pilot boat leaves at a quarter past on weekdays.',
};

interface Server {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

async function start(mode: 'on' | 'off', env: Record<string, string> = {}): Promise<Server> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-limits-'));
  const child = spawn(process.execPath, [fileURLToPath(new URL('./limits-server.js', import.meta.url)), mode], {
    env: { PATH: process.env['PATH'], HIVEKEEP_PORT: '0', HIVEKEEP_DATA_DIR: dir, HIVEKEEP_ROOT_KEY: key, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line') as Promise<[string]>,
    once(child, 'exit').then((): never => {
      throw new Error('the server ended instead of starting');
    }),
  ]);
  return {
    port: Number(line),
    pid: child.pid ?? 0,
    async stop() {
      const gone = once(child, 'close');
      child.kill('SIGTERM');
      await gone;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Seconds of CPU that all threads of a process have used. The kernel counts in hundredths. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

interface Measured {
  perSecond: number;
  cpuMicros: number;
  p50: number;
  p99: number;
}

async function measure(server: Server, credential: string, status: number): Promise<Measured> {
  const request = post('/v1/memories', credential, memory);
  const options = { port: server.port, connections, request: () => request, status };
  await load({ ...options, warmMs: 0, measureMs: warmMs });
  const before = cpuSeconds(server.pid);
  const began = performance.now();
  const { perSecond, p50, p99 } = await load({ ...options, warmMs: 0, measureMs });
  const seconds = (performance.now() - began) / 1000;
  return { perSecond, p50, p99, cpuMicros: ((cpuSeconds(server.pid) - before) / (perSecond * seconds)) * 1e6 };
}

/** The round that took least of the processor: on a shared machine the others measure the neighbours. */
const least = (all: readonly Measured[]): Measured => all.reduce((a, b) => (b.cpuMicros < a.cpuMicros ? b : a));
const fastest = (all: readonly Measured[]): number => Math.max(...all.map((m) => m.perSecond));

async function served(): Promise<{ on: Measured[]; off: Measured[] }> {
  const results = { on: [] as Measured[], off: [] as Measured[] };
  for (let i = 0; i < rounds; i++) {
    for (const mode of ['off', 'on'] as const) {
      // in turns, so that what the machine does meets both
      const server = await start(mode);
      try {
        results[mode].push(await measure(server, key, 201));
      } finally {
        await server.stop();
      }
    }
  }
  return results;
}

/** One request a minute, which is used up first. */
async function refused(credential: string): Promise<Measured[]> {
  const all: Measured[] = [];
  for (let i = 0; i < rounds; i++) {
    const server = await start('on', {
      HIVEKEEP_ENTERPRISE_REQUESTS_PER_MINUTE: '1',
      HIVEKEEP_ADDRESS_REQUESTS_PER_MINUTE: '1',
    });
    try {
      await (
        await fetch(`http://127.0.0.1:${server.port}/v1/usage`, { headers: { authorization: `Bearer ${credential}` } })
      ).arrayBuffer();
      all.push(await measure(server, credential, 429));
    } finally {
      await server.stop();
    }
  }
  return all;
}

/** One admission in memory: a request counted, a place taken and given back. */
function admissionMicros(keys: number): number {
  const limits = createInMemoryLimits({ holdMs: 30_000 });
  const policy = policyOf(1_000_000);
  const names = Array.from({ length: keys }, (_, i) => `key_${i}`);
  const n = 1_000_000;
  const round = (): number => {
    const began = performance.now();
    for (let i = 0; i < n; i++) {
      const name = names[i % keys] ?? '';
      const id = `req_${i}`;
      const now = Date.now();
      limits.take(name, policy, now);
      limits.enter(name, 10_000, id, now);
      limits.leave(name, id);
    }
    return ((performance.now() - began) / n) * 1000;
  };
  return Math.min(round(), round(), round());
}

export const bench: Bench = {
  name: `limits: POST /v1/memories, durable, ${connections} connections, one request in flight on each, server in one process, load in another`,
  async run(): Promise<Row[]> {
    const { on, off } = await served();
    const limited = least(on);
    const free = least(off);
    const overRate = least(await refused(key));
    const guesses = least(await refused(`svc_live_${'wrong'.repeat(8)}`));
    const latency = (m: Measured): string =>
      `${Math.round(m.perSecond)} requests/s, p50 ${m.p50.toFixed(2)} ms, p99 ${m.p99.toFixed(2)} ms`;
    const third = (m: Measured): Pick<Row, 'baseline' | 'target' | 'met'> => ({
      baseline: { what: 'served', figure: limited.cpuMicros },
      target: '< a third of one that is served',
      met: m.cpuMicros < limited.cpuMicros / 3,
    });
    return [
      {
        what: 'served, with limits',
        figure: fastest(on),
        unit: 'requests/s',
        baseline: { what: 'without limits', figure: fastest(off) },
        target: '>= 85 %',
        met: fastest(on) >= 0.85 * fastest(off),
        note: `every round: on ${on.map((m) => Math.round(m.perSecond)).join(', ')}; off ${off.map((m) => Math.round(m.perSecond)).join(', ')}`,
      },
      {
        what: 'served, CPU of the server',
        figure: limited.cpuMicros,
        unit: 'us a request',
        baseline: { what: 'without limits', figure: free.cpuMicros },
        note: latency(limited),
      },
      {
        what: 'refused for the rate of its key, CPU of the server',
        figure: overRate.cpuMicros,
        unit: 'us a request',
        ...third(overRate),
        note: latency(overRate),
      },
      {
        what: 'a wrong key over the limit of its address, CPU of the server',
        figure: guesses.cpuMicros,
        unit: 'us a request',
        ...third(guesses),
        note: `${latency(guesses)}; its lookup in the store included`,
      },
      {
        what: 'one admission, one key',
        figure: admissionMicros(1),
        unit: 'us',
        note: 'counted, a place taken and given back, and the clock read',
      },
      { what: 'one admission, 10,000 keys in turn', figure: admissionMicros(10_000), unit: 'us' },
    ];
  },
};
