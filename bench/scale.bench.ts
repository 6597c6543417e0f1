/** What grows with what is stored: a message among many agents, and a start with many runs in progress. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLmdbStore } from '../src/store/lmdb/open.js';
import type { Bench, Row } from './harness.js';
import { load, post, type LoadResult } from './load.js';
import { seedAgents, seedOpenRuns } from './seed.js';
import { api, key, startHivekeep, type BenchServer } from './servers.js';

const many = 1_000_000;
const few = 1000;
const openRuns = 10_000;

async function seeded(seed: (store: Awaited<ReturnType<typeof openLmdbStore>>) => Promise<unknown>): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-bench-'));
  const store = await openLmdbStore({ dir });
  await seed(store);
  await store.close();
  return dir;
}

async function message(server: BenchServer): Promise<LoadResult> {
  const { data } = await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: 'asked' });
  await api(server, 'POST', '/v1/memories', {
    type: 'semantic',
    content: 'The launch is on 12 May.',
    agent_id: data.id,
  });
  const request = post(`/v1/agents/${data.id}/message`, key, { content: 'When is the launch?' });
  return load({
    port: server.port,
    connections: 1,
    warmMs: 1500,
    measureMs: 4000,
    request: () => request,
    status: 200,
  });
}

async function among(agents: number): Promise<LoadResult> {
  const dir = await seeded((store) => seedAgents(store, agents));
  const server = await startHivekeep(dir);
  try {
    return await message(server);
  } finally {
    await server.stop();
  }
}

async function restart(): Promise<Row[]> {
  const dir = await seeded((store) => seedOpenRuns(store, openRuns));
  const began = performance.now();
  const server = await startHivekeep(dir);
  try {
    await api(server, 'POST', '/v1/agents/spawn', { name: 'first' });
    const serving = (performance.now() - began) / 1000;
    let ended = 0;
    while (ended < openRuns && performance.now() - began < 120_000) {
      const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
      ended = Number(/hivekeep_runs_ended_total\{status="completed"\} (\d+)/.exec(text)?.[1] ?? 0);
      await sleep(50);
    }
    const all = (performance.now() - began) / 1000;
    return [
      {
        what: `start with ${openRuns} runs in progress, until a command is served`,
        figure: serving,
        unit: 's',
        target: '<= 5 s',
        met: serving <= 5,
        note: `${ended} of the runs had gone on to their end after ${all.toFixed(1)} s; the data is what kill -9 leaves, made directly in the store`,
      },
    ];
  } finally {
    await server.stop();
  }
}

export const bench: Bench = {
  name: 'scale: what grows with what is stored',
  async run(): Promise<Row[]> {
    const small = await among(few);
    const large = await among(many);
    return [
      {
        what: `POST message, 1 connection, among ${many} agents, p50`,
        figure: large.p50,
        unit: 'ms',
        baseline: { what: `among ${few}`, figure: small.p50 },
        target: '<= 1.2 times',
        met: large.p50 <= small.p50 * 1.2,
        note: `p99 ${large.p99.toFixed(2)} against ${small.p99.toFixed(2)} ms`,
      },
      ...(await restart()),
    ];
  },
};
