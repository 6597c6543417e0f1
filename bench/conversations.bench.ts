/** How many conversations go on at once while a model takes its time: hivekeep as shipped, the model in this process. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { inspect } from 'node:util';
import { Agent, setGlobalDispatcher } from 'undici';
import { type Bench, percentile, type Row } from './harness.js';
import { api, type BenchServer, startHivekeep } from './servers.js';

const modelMs = 2000;

/** An OpenAI-compatible server that answers after a while, as a stream. */
async function startModel(): Promise<string> {
  const chunk = (delta: object, finish_reason: string | null): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'slow', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const answer = `${chunk({ role: 'assistant', content: 'It is on its way.' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`;
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    req.resume();
    setTimeout(() => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.end(answer);
    }, modelMs);
  });
  server.listen(0, '127.0.0.1', 16_384);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

interface Told {
  agents: number;
  each: number;
  parallel: number;
}

/** Each conversation says one thing, all of them at once, to new agents; ms until each was answered. */
async function converse(server: BenchServer, { agents, each, parallel }: Told): Promise<Row> {
  const ids: string[] = [];
  const config = { model: 'openai/slow', max_parallel: parallel, memory: { learn: 'off' } };
  for (let i = 0; i < agents; i++)
    ids.push(
      (await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: 'Desk', config })).data.id,
    );
  const load = loadavg()[0]?.toFixed(1);
  const cpu = server.cpu();
  const began = performance.now();
  const errors: string[] = [];
  const took: number[] = [];
  const ask = async (id: string, order: number): Promise<void> => {
    try {
      const { data } = await api<{ data: { status: string; response: string | null } }>(
        server,
        'POST',
        `/v1/agents/${id}/message`,
        { content: `Where is my order ${order}?` },
      );
      if (data.response !== 'It is on its way.') errors.push(JSON.stringify(data));
    } catch (error) {
      errors.push(inspect(error));
    }
    took.push(performance.now() - began);
  };
  await Promise.all(Array.from({ length: each }, (_, n) => ids.map((id, i) => ask(id, n * agents + i))).flat());
  const last = Math.max(...took);
  const rounds = Math.ceil(each / parallel);
  return {
    what: `${agents} agents with ${each} conversations each, max_parallel ${parallel}: all answered after`,
    figure: last / 1000,
    unit: 's',
    baseline: { what: 'the model alone', figure: (rounds * modelMs) / 1000 },
    ...(agents === 1 && rounds === 1 && { target: '<= 2.5 s', met: last <= 2500 }),
    note: `first after ${(Math.min(...took) / 1000).toFixed(2)} s, p50 ${(percentile(took, 0.5) / 1000).toFixed(2)} s; ${errors.length} errors${errors[0] === undefined ? '' : ` (${errors[0].slice(0, 300)})`}; CPU of the server ${((server.cpu() - cpu) / took.length).toFixed(2)} ms a conversation, its memory ${Math.round(server.anon())} MB; load before it ${load}`,
  };
}

export const bench: Bench = {
  name: `conversations at once, with a model that takes ${modelMs / 1000} s`,
  async run(): Promise<Row[]> {
    // A client by itself gives up after 10 s without a connection.
    setGlobalDispatcher(new Agent({ connectTimeout: 60_000 }));
    const server = await startHivekeep(undefined, { HIVEKEEP_OPENAI_BASE_URL: await startModel() });
    try {
      const rows: Row[] = [];
      for (const told of [
        { agents: 1, each: 32, parallel: 32 },
        { agents: 1, each: 32, parallel: 32 },
        { agents: 1, each: 32, parallel: 8 },
        { agents: 200, each: 8, parallel: 8 },
        { agents: 200, each: 8, parallel: 8 },
        { agents: 1000, each: 8, parallel: 8 },
      ])
        rows.push(await converse(server, told));
      return rows;
    } finally {
      await server.stop();
    }
  },
};
