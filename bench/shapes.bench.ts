/**
 * Hidden classes that V8 makes for a request, counted in V8's own log. An object whose hidden class is new is slow to
 * make, and whatever reads it misses its inline caches: a literal that begins with a spread and then gains a field has a
 * new one each time (docs/benchmarks.md). A count does not depend on the machine or on what else it does.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Row } from './harness.js';
import { messageSend } from './load.js';
import { api, startHivekeep } from './servers.js';

const warm = 300;
const counted = 300;
const text = 'When does the harbour office open?';

export const bench: Bench = {
  name: 'shapes: hidden classes made for a request that was made before, one after the other',
  async run(): Promise<Row[]> {
    const dir = mkdtempSync(join(tmpdir(), 'hivekeep-shapes-'));
    const log = join(dir, 'v8.log');
    const server = await startHivekeep(join(dir, 'data'), {}, [
      '--log-maps',
      '--no-logfile-per-isolate',
      `--logfile=${log}`,
    ]);
    try {
      const { data } = await api<{ data: { id: string } }>(server, 'POST', '/v1/agents/spawn', { name: 'bench' });
      const agent = data.id;
      const a2a = (body: object): Promise<{ result: { id: string } }> =>
        api(server, 'POST', `/api/v1/a2a/agents/${agent}`, body);
      const { result: task } = await a2a(messageSend(0, 'first', text));
      const requests: Record<string, (n: number) => Promise<unknown>> = {
        'a message over REST': () => api(server, 'POST', `/v1/agents/${agent}/message`, { content: text }),
        'a message over A2A': (n) => a2a(messageSend(n, `m-${n}`, text)),
        'a task read over A2A': (n) => a2a({ jsonrpc: '2.0', id: n, method: 'tasks/get', params: { id: task.id } }),
        'a memory that is new': (n) =>
          api(server, 'POST', '/v1/memories', { type: 'semantic', content: `Box ${n} is red`, agent_id: agent }),
      };
      const rows: Row[] = [];
      for (const [what, request] of Object.entries(requests)) {
        for (let n = 1; n <= warm; n++) await request(n);
        const from = statSync(log).size;
        for (let n = warm + 1; n <= warm + counted; n++) await request(n);
        const figure = (await made(log, from)) / counted;
        rows.push({ what, figure, unit: 'hidden classes', target: '< 0.5', met: figure < 0.5 });
      }
      return rows;
    } finally {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

/** The hidden classes that the log has from this byte on, once it is written. */
async function made(log: string, from: number): Promise<number> {
  let size;
  do {
    size = statSync(log).size;
    await pause(500);
  } while (statSync(log).size > size);
  return readFileSync(log)
    .subarray(from)
    .toString('latin1')
    .split('\n')
    .filter((line) => line.startsWith('map,')).length;
}
