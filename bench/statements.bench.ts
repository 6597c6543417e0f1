/**
 * What a plain statement costs as a whole message, over HTTP and durable: a new one, the same one again, and a
 * question for comparison. CPU of the server process with all its threads, for each message; every kind has had its
 * turn before the first is measured, so that all find the code compiled.
 */
import type { Bench, Row } from './harness.js';
import { load, post } from './load.js';
import { api, key, startHivekeep, type BenchServer } from './servers.js';

const warmMs = 4000;
const measureMs = 5000;
const connections = 16;
const agents = 8;
const said = 'My sister lives in Bergen.';

const kinds: readonly { what: string; content: (n: number) => string }[] = [
  { what: 'a question', content: () => 'Where does my sister live?' },
  { what: 'small talk', content: () => 'That sounds good to me, thanks.' },
  { what: 'a statement that is new', content: (n) => `The code of locker ${n} is ${(n * 7919) % 10_000}.` },
  { what: 'the same statement again', content: () => said },
];

async function agentsThatKnow(server: BenchServer): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < agents; i++) {
    const { data } = await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: 'bench' });
    await api(server, 'POST', `/v1/agents/${data.id}/message`, { content: said });
    ids.push(data.id);
  }
  return ids;
}

export const bench: Bench = {
  name: `statements as messages: built-in reasoner, ${agents} agents, ${connections} connections, embedded store`,
  async run(): Promise<Row[]> {
    const server = await startHivekeep();
    let sent = 0;
    const talk = async (ids: readonly string[], content: (n: number) => string, ms: number) => {
      const [cpu, first] = [server.cpu(), sent];
      const request = (): Buffer => post(`/v1/agents/${ids[sent % agents]}/message`, key, { content: content(sent++) });
      const { p50 } = await load({ port: server.port, connections, warmMs: 0, measureMs: ms, request, status: 200 });
      return { cpu: (server.cpu() - cpu) / (sent - first), p50 };
    };
    try {
      const turns = [];
      for (const kind of kinds) turns.push({ ...kind, ids: await agentsThatKnow(server) });
      for (const { ids, content } of turns) await talk(ids, content, warmMs);
      const rows: Row[] = [];
      for (const { what, ids, content } of turns) {
        const { cpu, p50 } = await talk(ids, content, measureMs);
        const question = rows[0]?.figure;
        rows.push({
          what,
          figure: cpu,
          unit: 'ms of CPU a message',
          ...(question !== undefined && { baseline: { what: 'a question', figure: question } }),
          note: `p50 ${p50.toFixed(2)} ms`,
        });
      }
      return rows;
    } finally {
      await server.stop();
    }
  },
};
