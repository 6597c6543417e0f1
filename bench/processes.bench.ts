/**
 * What a second process on the same machine would bring to the embedded store, at most: two that write one lmdb
 * environment, two with one each, and two whole servers, each on data of its own, that share the connections of one.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Bench, Row } from './harness.js';
import { load, post } from './load.js';
import { api, type BenchServer, key, startHivekeep } from './servers.js';

interface Written {
  perSecond: number;
  /** CPU time of a commit. */
  micros: number;
}

/** Writers that begin together, each on the data named. Null if one of them fails. */
async function write(names: readonly string[]): Promise<Written | null> {
  const root = mkdtempSync(join(process.env['HIVEKEEP_BENCH_DIR'] ?? tmpdir(), 'hivekeep-bench-'));
  const begin: (() => AsyncIterator<string>)[] = [];
  try {
    for (const [n, name] of names.entries()) {
      const how = names.indexOf(name) < n ? 'beside' : 'alone';
      const child = spawn(
        process.execPath,
        [fileURLToPath(new URL('./store-writer.js', import.meta.url)), join(root, name), how, String(n * 500)],
        { stdio: ['pipe', 'pipe', 'ignore'] },
      );
      child.stdin.on('error', () => undefined); // it has failed before
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      await lines.next();
      begin.push(() => {
        child.stdin.end('go\n');
        return lines;
      });
    }
    const lines = await Promise.all(begin.map(async (go) => (await go().next()) as { value?: string }));
    const results = lines.flatMap(({ value }) => (value === undefined ? [] : (JSON.parse(value) as Written)));
    if (results.length < names.length) return null;
    const perSecond = results.reduce((sum, one) => sum + one.perSecond, 0);
    return { perSecond, micros: results.reduce((sum, one) => sum + one.micros * one.perSecond, 0) / perSecond };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const connections = 50;
const agentsOfAll = 50;
const quiet = {
  HIVEKEEP_ENTERPRISE_REQUESTS_PER_MINUTE: '100000000',
  HIVEKEEP_ENTERPRISE_CONCURRENT: '100000',
};

/** Messages and memories that so many servers take together, with the same connections and agents in all. */
async function serve(n: number): Promise<{ messages: number; memories: number }> {
  const servers: BenchServer[] = [];
  try {
    for (let i = 0; i < n; i++) servers.push(await startHivekeep(undefined, quiet));
    const agents = await Promise.all(
      servers.map(async (server) => {
        const ids: string[] = [];
        for (let i = 0; i < agentsOfAll / n; i++)
          ids.push((await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: 'b' })).data.id);
        return ids;
      }),
    );
    const sum = async (status: number, request: (id: string, i: number) => Buffer): Promise<number> => {
      const results = await Promise.all(
        servers.map(({ port }, s) =>
          load({
            port,
            connections: connections / n,
            warmMs: 3000,
            measureMs: 5000,
            request: (i) => request(agents[s]?.[i % (agentsOfAll / n)] ?? '', i),
            status,
          }),
        ),
      );
      const wrong = results.find((one) => one.wrong > 0);
      if (wrong) throw new Error(wrong.firstWrong);
      return results.reduce((all, one) => all + one.perSecond, 0);
    };
    return {
      messages: await sum(200, (id) => post(`/v1/agents/${id}/message`, key, { content: 'Say: hello' })),
      memories: await sum(201, (id, i) =>
        post('/v1/memories', key, { type: 'fact', content: `note ${i} of the harbour`, agent_id: id }),
      ),
    };
  } finally {
    for (const server of servers) await server.stop();
  }
}

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN;
const rounds = 3;

export const bench: Bench = {
  name: 'processes: two on one machine, against one',
  async run(): Promise<Row[]> {
    const ways = { one: ['a'], shared: ['a', 'a'], apart: ['a', 'b'] };
    const written = { one: [] as Written[], shared: [] as Written[], apart: [] as Written[] };
    let failed = 0;
    const served: Record<1 | 2, Awaited<ReturnType<typeof serve>>[]> = { 1: [], 2: [] };
    // in turns, so that what else the machine does meets all of them
    for (let round = 0; round < rounds; round++) {
      for (const way of ['one', 'shared', 'apart'] as const) {
        const result = await write(ways[way]);
        if (result) written[way].push(result);
        else failed++;
      }
      for (const n of [1, 2] as const) served[n].push(await serve(n));
    }
    const commits = (way: keyof typeof written): number => median(written[way].map(({ perSecond }) => perSecond));
    const micros = (way: keyof typeof written): string => median(written[way].map((w) => w.micros)).toFixed(0);
    const alone = { what: 'one process', figure: commits('one') };
    return [
      {
        what: 'commits of two processes on one lmdb environment, 50 in flight each',
        figure: commits('shared'),
        unit: '/s',
        baseline: alone,
        target: '>= 1.3 times',
        met: commits('shared') >= 1.3 * alone.figure,
        note: `CPU time of a commit ${micros('shared')} us, of one process ${micros('one')} us; writers failed in ${failed} of ${rounds} rounds`,
      },
      {
        what: 'commits of two processes with an environment each',
        figure: commits('apart'),
        unit: '/s',
        baseline: alone,
        target: '>= 1.3 times',
        met: commits('apart') >= 1.3 * alone.figure,
        note: `CPU time of a commit ${micros('apart')} us`,
      },
      ...(['messages', 'memories'] as const).map((what): Row => {
        const of = (n: 1 | 2): number => median(served[n].map((one) => one[what]));
        return {
          what: `${what} of two whole servers with data of their own, ${connections} connections in all, load beside them`,
          figure: of(2),
          unit: 'requests/s',
          baseline: { what: 'one server', figure: of(1) },
          target: '>= 1.3 times',
          met: of(2) >= 1.3 * of(1),
        };
      }),
    ];
  },
};
