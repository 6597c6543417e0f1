/**
 * What one request costs MongoDB and Redis: a cluster of a gateway and a worker as processes, over servers of its own,
 * counts what their servers were asked for while 200 requests of each kind came one after another, beyond what a
 * cluster at rest asks for in that time. `npx tsx bench/operations.ts` prints the table of docs/scale.md.
 */
import { Redis } from 'ioredis';
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster } from '../test/helpers/cluster-processes.js';
import { withClient } from '../test/helpers/mongo-service.js';

const requests = 200;

type Counts = Record<string, number>;
const minus = (a: Counts, b: Counts, times = 1): Counts =>
  Object.fromEntries(Object.entries(a).map(([name, n]) => [name, n - (b[name] ?? 0) * times]));

const cluster = await startCluster({ gateways: 1, workers: 1, env: { HIVEKEEP_LOG_LEVEL: 'error' } });
if (!cluster) throw new Error('MongoDB and Redis are needed: MONGODB_URL and REDIS_URL, or mongod and redis-server');
const { settings, url, key } = cluster;
const redis = new Redis(settings['HIVEKEEP_REDIS_URL'] ?? '');

async function redisCounts(): Promise<Counts> {
  const text = await redis.info('commandstats');
  const own = new Set(['info', 'client|setinfo', 'hello']);
  const found: Counts = {};
  for (const [, name = '', calls] of text.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm))
    if (!own.has(name)) found[name] = Number(calls);
  return found;
}
const mongoCounts = (): Promise<Counts> =>
  withClient(settings['HIVEKEEP_MONGODB_URL'] ?? '', async (client) => {
    const status = await client.db('admin').command({ serverStatus: 1 });
    const { commands } = status['metrics'] as { commands: Record<string, { total?: number }> };
    const wanted = [
      'insert',
      'update',
      'find',
      'aggregate',
      'bulkWrite',
      'delete',
      'findAndModify',
      'count',
      'getMore',
    ];
    return Object.fromEntries(wanted.map((name) => [name, Number(commands[name]?.total ?? 0)]));
  });
async function during(work: () => Promise<unknown>): Promise<{ ms: number; mongo: Counts; redis: Counts }> {
  const [mongo, inRedis] = [await mongoCounts(), await redisCounts()];
  const begun = performance.now();
  await work();
  const ms = performance.now() - begun;
  return { ms, mongo: minus(await mongoCounts(), mongo), redis: minus(await redisCounts(), inRedis) };
}

async function ask(method: string, path: string, body?: unknown): Promise<{ data: { id: string } }> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { data: { id: string } };
}

const agent = (await ask('POST', '/v1/agents/spawn', { name: 'Ada' })).data.id;
const peer = `/api/v1/a2a/agents/${agent}`;
let n = 0;
const kinds: readonly [string, () => Promise<unknown>][] = [
  ['a message that is answered at once', () => ask('POST', `/v1/agents/${agent}/message`, { content: 'Say: hello' })],
  ['a question that recalls', () => ask('POST', `/v1/agents/${agent}/message`, { content: 'What does the heron do?' })],
  [
    'message/send of A2A',
    () =>
      ask('POST', peer, {
        ...{ jsonrpc: '2.0', id: 1, method: 'message/send' },
        params: {
          message: { role: 'user', messageId: `m${++n}`, parts: [{ kind: 'text', text: 'Say: hello' }] },
          configuration: { blocking: true },
        },
      }),
  ],
  [
    'a memory',
    () => ask('POST', '/v1/memories', { type: 'fact', content: `the heron has caught fish ${++n}`, agent_id: agent }),
  ],
  ['GET of an agent', () => ask('GET', `/v1/agents/${agent}`)],
  ['a search in one agent', () => ask('POST', '/v1/memories/search', { query: 'heron', agent_id: agent })],
];
const shown = (counts: Counts): string =>
  Object.entries(counts)
    .filter(([, each]) => each >= 0.05)
    .sort(([, a], [, b]) => b - a)
    .map(([name, each]) => `${name} ${each.toFixed(1)}`)
    .join(', ') || 'none';

for (const [, work] of kinds) for (let i = 0; i < 5; i++) await work();
const rest = await during(() => pause(20_000));
process.stdout.write(`| at rest, each second | ${shown(over(rest.mongo, 20))} | ${shown(over(rest.redis, 20))} |\n`);
for (const [name, work] of kinds) {
  const { ms, ...cost } = await during(async () => {
    for (let i = 0; i < requests; i++) await work();
  });
  const idle = ms / rest.ms;
  const each = {
    mongo: over(minus(cost.mongo, rest.mongo, idle), requests),
    redis: over(minus(cost.redis, rest.redis, idle), requests),
  };
  process.stdout.write(`| ${name} | ${shown(each.mongo)} | ${shown(each.redis)} |\n`);
}
const agents = 1000;
const sizesOf = (): Promise<Counts> =>
  withClient(settings['HIVEKEEP_MONGODB_URL'] ?? '', async (client) => {
    const { dataSize, indexSize } = await client.db().stats();
    return { data: Number(dataSize), indexes: Number(indexSize) };
  });
const before = await sizesOf();
for (let i = 0; i < agents; i++) await ask('POST', '/v1/agents/spawn', { name: `agent ${i}` });
const grown = over(minus(await sizesOf(), before), agents);
process.stdout.write(
  `An agent that has done nothing: ${shown(grown)} bytes, with the audit record of its beginning.\n`,
);
await redis.quit();
await cluster.stop();

function over(counts: Counts, by: number): Counts {
  return Object.fromEntries(Object.entries(counts).map(([name, all]) => [name, all / by]));
}
