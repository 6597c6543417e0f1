/**
 * `node .bench/bench/soak.js [minutes] [tasks per second]`: moderate load on the embedded server as it is shipped,
 * in which everything that is made is removed again: memories expire after a minute or are deleted, journals go after
 * 86 s and their runs are deleted a little later, other runs, mail and agents are deleted at once. Every half minute it
 * prints the memory of the process and the size of the store, as the system and the server's own metrics tell them. What
 * is left after fifteen minutes, when the first records of deleted mailbox messages go, is to stay as it is.
 *
 * What it cannot show in minutes are idempotency records, which are kept for 25 hours, so no request names itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { api, key, startHivekeep } from './servers.js';

const [minutes = 15, perSecond = 10] = process.argv.slice(2).map(Number);
const server = await startHivekeep(undefined, {
  HIVEKEEP_IDLE_SECONDS: '5',
  HIVEKEEP_JOURNAL_DAYS: '0.001', // 86 s
});
const call = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  api<{ data: T }>(server, method, path, body).then(({ data }) => data);
interface Made {
  id: string;
}
const spawn = (name: string, more: object = {}): Promise<Made> => call('POST', '/v1/agents/spawn', { name, ...more });
const talker = await spawn('talker');
const clerk = await spawn('clerk', { wake_on_message: true });
const worker = await spawn('worker', { config: { multi_step: true, max_steps: 4 } });
const later: { at: number; remove: () => Promise<unknown> }[] = [];
let done = 0;
const wrong = new Map<string, number>();

async function remembers(n: number): Promise<void> {
  const lasting = n % 2 === 0;
  const expires = lasting ? {} : { expires_at: new Date(Date.now() + 60_000).toISOString() };
  const input = { type: 'note', content: `note ${n} about the quay`, agent_id: talker.id, ...expires };
  const { id } = await call<Made>('POST', '/v1/memories', input);
  await call('POST', '/v1/memories/search', { query: `note ${n}`, limit: 5 });
  if (lasting) await call('DELETE', `/v1/memories/${id}`);
}
/** Some minutes later, when the journal of an ended run has gone. */
const old = async (remove: () => Promise<unknown>): Promise<void> => {
  later.push({ at: performance.now() + 3 * 60_000, remove });
  for (let first = later[0]; first && first.at < performance.now(); first = later[0]) {
    later.shift();
    await first.remove();
  }
};
async function asks(n: number): Promise<void> {
  const asked = await call<{ run_id: string }>('POST', `/v1/agents/${talker.id}/message`, {
    content: `What about note ${n}?`,
  });
  await old(() => call('DELETE', `/v1/agent-constellations/${talker.id}/runs/${asked.run_id}`));
}
async function runs(n: number): Promise<void> {
  const path = `/v1/agent-constellations/${worker.id}/runs`;
  const { id } = await call<Made>('POST', path, { input: `What is known of note ${n}?`, on_busy: 'enqueue' });
  const events = await fetch(`http://127.0.0.1:${server.port}${path}/${id}/events`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await events.text();
  await call('DELETE', `${path}/${id}`);
}
async function writes(n: number): Promise<void> {
  const path = `/v1/agent-constellations/${clerk.id}`;
  const { id } = await call<Made>('POST', `${path}/messages`, { content: `mail ${n}` });
  const ended = async (): Promise<Made | undefined> =>
    (await call<(Made & { input: string; status: string })[]>('GET', `${path}/runs?page_size=20`)).find(
      (run) => run.input === `mail ${n}` && run.status === 'completed',
    );
  for (let tries = 0; tries < 100; tries++) {
    const run = await ended();
    if (run) await call('DELETE', `${path}/runs/${run.id}`);
    if (run) break;
    await pause(50);
  }
  await call('DELETE', `${path}/messages/${id}`);
}
async function lives(n: number): Promise<void> {
  const { id } = await spawn(`agent ${n}`);
  await call('POST', '/v1/memories', { type: 'note', content: `life of ${n}`, agent_id: id });
  await call('POST', `/v1/agents/${id}/message`, { content: `The launch of ${n} is on 12 May.` });
  await call('DELETE', `/v1/agents/${id}`);
}

const kinds = [remembers, asks, remembers, runs, remembers, writes, asks, lives];
const until = performance.now() + minutes * 60_000;
const busy = new Set<Promise<void>>();
const sample = async (): Promise<void> => {
  const text = await (
    await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  ).text();
  const gauge = (name: string): number => Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(text)?.[1]);
  const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(2).padStart(8);
  const at = (minutes * 60 - (until - performance.now()) / 1000).toFixed(0);
  const failed = [...wrong].map(([why, times]) => `${times} x ${why}`).join('; ');
  process.stdout.write(
    [
      `${at.padStart(5)} s  anon ${server.anon().toFixed(1)} MB  mapped ${server.mapped().toFixed(1)} MB`,
      `heap ${mb(gauge('nodejs_heap_size_used_bytes'))} of ${mb(gauge('nodejs_heap_size_total_bytes'))} MB`,
      `external ${mb(gauge('nodejs_external_memory_bytes'))} MB  store ${mb(gauge('hivekeep_store_bytes'))} MB`,
      `${done} done  ${busy.size} open  ${failed}\n`,
    ].join('  '),
  );
};
const sampler = setInterval(() => {
  sample().catch((error: unknown) => {
    process.stdout.write(`${String(error)}\n`);
  });
}, 30_000);
for (let n = 0; performance.now() < until; n++) {
  const kind = kinds[n % kinds.length] ?? remembers;
  const work: Promise<void> = kind(n)
    .then(
      () => {
        done++;
      },
      (error: unknown) => {
        const why = `${kind.name}: ${String(error).replaceAll(/\d+/g, '0').slice(0, 200)}`;
        wrong.set(why, (wrong.get(why) ?? 0) + 1);
      },
    )
    .finally(() => busy.delete(work));
  busy.add(work);
  await pause(1000 / perSecond);
}
clearInterval(sampler);
await Promise.all(busy);
await sample();
await server.stop();
