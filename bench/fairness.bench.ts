/**
 * What a workspace that floods its agents does to the latency of another: hivekeep as shipped, one process, durable.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Bench, Row } from './harness.js';
import { load, post, type LoadResult } from './load.js';
import { api, key, mainFile, startHivekeep, type BenchServer } from './servers.js';
import type { Flood } from './flood.js';

const agents = 200;
const connections = 250;
const rounds = 3;
const warmMs = 500;
const measureMs = 2000;

/** By the command line beside the server; its first key. */
function otherWorkspace({ dir }: BenchServer): string {
  const run = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [mainFile, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HIVEKEEP_DATA_DIR: dir },
    });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  run('workspace', 'create', 'quiet', '--tier', 'enterprise');
  return run('key', 'create', '--workspace', 'quiet', '--mode', 'live', '--name', 'quiet');
}

interface Heard {
  memories: LoadResult;
  messages: LoadResult;
}

/** What the other workspace is served like: 4 connections, one request in flight on each. */
async function listen(port: number, theirKey: string, agent: string): Promise<Heard> {
  const memory = post('/v1/memories', theirKey, { type: 'semantic', content: 'The lighthouse keeper sleeps by day.' });
  const message = post(`/v1/agents/${agent}/message`, theirKey, { content: 'Who sleeps by day?' });
  const options = { port, connections: 4, warmMs, measureMs };
  return {
    memories: await load({ ...options, request: () => memory, status: 201 }),
    messages: await load({ ...options, request: () => message, status: 200 }),
  };
}

interface Flooding {
  messages: number;
  memories: number;
  p50: number;
}
const listenMs = 2 * (warmMs + measureMs);

async function flood(
  data: Omit<Flood, 'connections' | 'warmMs' | 'measureMs'>,
  during: () => Promise<Heard>,
): Promise<{ heard: Heard; flooding: Flooding }> {
  const worker = new Worker(new URL('./flood.js', import.meta.url), {
    workerData: { ...data, connections, warmMs, measureMs: listenMs } satisfies Flood,
  });
  const ended = once(worker, 'message') as Promise<[Flooding]>;
  await new Promise((resolve) => {
    setTimeout(resolve, warmMs);
  });
  const heard = await during();
  const [flooding] = await ended;
  await worker.terminate();
  return { heard, flooding };
}

/** The round in the middle: on a shared machine each of them has neighbours. */
const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

export const bench: Bench = {
  name: `fairness: one workspace floods ${agents} agents over ${connections} connections (messages and memories, half each), another asks over 4`,
  async run(): Promise<Row[]> {
    const server = await startHivekeep(undefined, { HIVEKEEP_ENTERPRISE_REQUESTS_PER_MINUTE: '1000000000' });
    try {
      const spawned: string[] = [];
      for (let i = 0; i < agents; i++)
        spawned.push(
          (await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: `agent ${i}` })).data.id,
        );
      const theirKey = otherWorkspace(server);
      const {
        data: { id: theirs },
      } = await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: 'quiet' }, theirKey);
      const quiet: Heard[] = [];
      const flooded: Heard[] = [];
      const floods: Flooding[] = [];
      for (let i = 0; i < rounds; i++) {
        quiet.push(await listen(server.port, theirKey, theirs));
        const { heard, flooding } = await flood({ port: server.port, key, agents: spawned }, () =>
          listen(server.port, theirKey, theirs),
        );
        flooded.push(heard);
        floods.push(flooding);
      }
      const row = (kind: keyof Heard, p: 'p50' | 'p99'): Row => {
        const of = (heard: readonly Heard[]): number[] => heard.map((h) => h[kind][p]);
        const figure = middle(of(flooded));
        const base = middle(of(quiet));
        return {
          what: `${kind} of the other under the flood, ${p}`,
          figure,
          unit: 'ms',
          baseline: { what: 'without it', figure: base },
          target: '<= 2 times',
          met: figure <= 2 * base,
          note: `every round: ${of(flooded)
            .map((n) => n.toFixed(2))
            .join(', ')}; without ${of(quiet)
            .map((n) => n.toFixed(2))
            .join(', ')}`,
        };
      };
      return [
        row('memories', 'p50'),
        row('memories', 'p99'),
        row('messages', 'p50'),
        row('messages', 'p99'),
        {
          what: 'the flood itself meanwhile',
          figure: middle(floods.map((f) => f.messages + f.memories)),
          unit: 'requests/s',
          note: `messages ${floods.map((f) => Math.round(f.messages)).join(', ')}/s, memories ${floods.map((f) => Math.round(f.memories)).join(', ')}/s, p50 of its messages ${floods.map((f) => f.p50.toFixed(1)).join(', ')} ms`,
        },
      ];
    } finally {
      await server.stop();
    }
  },
};
