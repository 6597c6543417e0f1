/** The whole service over HTTP, durable on the embedded store: memories and direct messages. */
import type { Bench, Row } from './harness.js';
import { load, post, type LoadResult } from './load.js';
import { api, key, startEcho, startHivekeep, type BenchServer } from './servers.js';

const warmMs = 2000;
const measureMs = 5000;
const content = 'The harbour office opens at eight, and the pilot boat leaves at a quarter past on weekdays.';
/** Made words, 400 of them, the first used most: memories share words as ordinary notes do. */
const words = Array.from(
  { length: 400 },
  (_, i) =>
    `${'bcdfghklmnprstvw'.charAt(i % 16)}${'aeiou'.charAt(Math.floor(i / 16) % 5)}${'lmnrst'.charAt(Math.floor(i / 80) % 6)}${'dkopt'.charAt(i % 5)}${'eiu'.charAt(i % 3)}`,
);
const word = (n: number): string => words[Math.floor(400 * (((n * 2_654_435_761) % 4096) / 4096) ** 2)] ?? 'word';
const sentence = (i: number): string =>
  `Note ${i}: the ${word(i)} near the ${word(i * 7 + 3)} was seen with the ${word(i * 13 + 5)} at ${(i * 37) % 24} o'clock on day ${i % 365}.`;

async function echo(connections: number): Promise<LoadResult> {
  const server = await startEcho('durable');
  const request = post('/echo', key, { type: 'semantic', content });
  try {
    return await load({ port: server.port, connections, warmMs, measureMs, request: () => request, status: 200 });
  } finally {
    await server.stop();
  }
}

async function expressEcho(): Promise<LoadResult> {
  const server = await startEcho('express');
  const request = post('/echo', key, { type: 'semantic', content });
  try {
    return await load({ port: server.port, connections: 50, warmMs, measureMs, request: () => request, status: 200 });
  } finally {
    await server.stop();
  }
}

async function agentWith(server: BenchServer, memories: number): Promise<string> {
  const { data } = await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: 'bench' });
  for (let i = 0; i < memories; i += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, memories - i) }, (_, j) =>
        api(server, 'POST', '/v1/memories', { type: 'episodic', content: sentence(i + j), agent_id: data.id }),
      ),
    );
  return data.id;
}

const latency = (r: LoadResult): string => `p50 ${r.p50.toFixed(2)} ms, p99 ${r.p99.toFixed(2)} ms`;

export const bench: Bench = {
  name: 'service: HTTP to durable commit, embedded store, one server process, load from another, every answer checked',
  async run(): Promise<Row[]> {
    const bare = await echo(50);
    const bareOne = await echo(1);
    const theirs = await expressEcho();
    const server = await startHivekeep();
    try {
      const memory = post('/v1/memories', key, { type: 'semantic', content });
      const memories = await load({
        port: server.port,
        connections: 50,
        warmMs,
        measureMs,
        request: () => memory,
        status: 201,
      });
      const agent = await agentWith(server, 1000);
      const questions = Array.from({ length: 500 }, (_, n) =>
        post(`/v1/agents/${agent}/message`, key, {
          content: `When was the ${word(n)} seen near the ${word(n * 7 + 3)}?`,
        }),
      );
      const asked = (n: number): Buffer => questions[n % 500] ?? memory;
      const check = (body: Buffer): boolean =>
        body.includes('"status":"completed"') && body.includes('"memories_consulted":[{');
      const many = await load({
        port: server.port,
        connections: 50,
        warmMs,
        measureMs,
        request: asked,
        status: 200,
        check,
      });
      const one = await load({
        port: server.port,
        connections: 1,
        warmMs,
        measureMs,
        request: asked,
        status: 200,
        check,
      });
      const durable = { what: 'durable node:http echo', figure: bare.perSecond };
      return [
        {
          what: 'POST /v1/memories, 50 connections',
          figure: memories.perSecond,
          unit: 'requests/s',
          baseline: durable,
          target: '>= 50 % of the durable echo',
          met: memories.perSecond >= bare.perSecond / 2,
          note: latency(memories),
        },
        {
          what: 'the same against express with express.json, not durable',
          figure: memories.perSecond,
          unit: 'requests/s',
          baseline: { what: 'express', figure: theirs.perSecond },
          target: '> express',
          met: memories.perSecond > theirs.perSecond,
        },
        {
          what: 'POST /v1/agents/:id/message, one agent with 1,000 memories, built-in reasoner, 50 connections',
          figure: many.perSecond,
          unit: 'requests/s',
          baseline: durable,
          target: '>= 25 % of the durable echo',
          met: many.perSecond >= bare.perSecond / 4,
          note: latency(many),
        },
        {
          what: 'the same, 1 connection, p50',
          figure: one.p50,
          unit: 'ms',
          baseline: { what: 'durable echo, 1 connection', figure: bareOne.p50 },
          target: '<= 1 ms',
          met: one.p50 <= 1,
          note: `${Math.round(one.perSecond)} requests/s; ${latency(one)}`,
        },
        {
          what: 'memory of the server after these loads',
          figure: server.rss(),
          unit: 'MB RSS',
          target: '<= 200 MB',
          met: server.rss() <= 200,
          note: 'pages of the memory-mapped store that the kernel keeps resident are counted',
        },
      ];
    } finally {
      await server.stop();
    }
  },
};
