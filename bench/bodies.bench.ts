/**
 * How long one request may hold the event loop: bodies of the permitted size that are as dear as we know to make them,
 * valid and invalid, to every route that takes one. Each row is a route with the body that held the loop longest (the
 * least of a few tries, as other work on the machine only adds), beside JSON.parse of the same bytes.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { maxElements } from '../gateway/http/json.js';
import { defaults } from '../gateway/options.js';
import { routes } from '../gateway/rest/routes.js';
import { limits } from '../src/domain/shared/input-fields.js';
import { percentile, type Bench, type Row } from './harness.js';
import { key } from './servers.js';

const tries = 3;
const targetMs = 20;
/** The most a body may have, and so many bytes left for what stands around it. */
const most = defaults.bodyLimit - 200;

const filled = (unit: string, bytes = most): string => unit.repeat(Math.floor(bytes / unit.length));
const list = (item: string, n: number): string => `[${Array.from({ length: n }, () => item).join(',')}]`;
const record = (n: number, value: (i: number) => string, name = (i: number): string => `k${i}`): string =>
  `{${Array.from({ length: n }, (_, i) => `"${name(i)}":${value(i)}`).join(',')}}`;
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

/** Values that any field may be given, as JSON. */
const values: Readonly<Record<string, string>> = {
  'a text of 1 MiB': JSON.stringify(filled('a')),
  'a text of 1 MiB, two bytes a character': JSON.stringify(filled('é', most)),
  'a text of 1 MiB of escapes': `"${filled('\\u0061')}"`,
  'a text that is escaped twice a byte': `"${filled('\\"')}"`,
  '350,000 lists': `[${filled('[],', 350_000 * 3)}0]`,
  '262,000 texts': list('"a"', 262_000),
  'as many numbers as are permitted': list('7', maxElements - 40),
  'as many texts as are permitted': list('"agent:reed"', maxElements - 40),
  'as many lists as are permitted': list('[]', maxElements / 2 - 40),
  'as many lists in 60 lists': list(nested('[', ']', 60), maxElements / 61 - 10),
  'as many objects as are permitted': list('{"a":1}', maxElements / 3 - 20),
  'as many fields as are permitted': record(maxElements / 2 - 20, () => '0'),
  'as many fields with escapes': record(
    maxElements / 2 - 20,
    () => '"\\u0061"',
    (i) => `\\u006b${i}`,
  ),
  'as many fields with numbers for names': record(
    maxElements / 2 - 20,
    () => '0',
    (i) => String(i * 65_537),
  ),
  'long numbers': list('9'.repeat(100), 10_000),
  'a record in 16 KiB': record(1800, (i) => `[${i}]`),
  'a list in 16 KiB': `{"a":${list('0', 8000)}}`,
  'a record in 64 KiB': record(6000, (i) => `[${i}]`),
};

/** Texts of the greatest length that a field takes, for what is done with them after they are accepted. */
const texts: Readonly<Record<string, (bytes: number) => string>> = {
  'one word': (bytes) => 'a'.repeat(bytes),
  'words of one letter': (bytes) => filled('a ', bytes),
  'different words': (bytes) => {
    let text = '';
    for (let i = 0; text.length < bytes - 10; i++) text += `w${i.toString(36)} `;
    return text;
  },
  'empty sentences': (bytes) => filled('. ', bytes),
  'short sentences': (bytes) => filled('Ab. ', bytes),
  'short questions': (bytes) => filled('a? ', bytes),
  instructions: (bytes) => filled('remember: a\n', bytes),
  'empty lines': (bytes) => filled('\n', bytes),
  'letters of a language without spaces': (bytes) => filled('日', Math.floor(bytes / 3)),
};

interface Body {
  what: string;
  json: string;
}

const without = (good: Record<string, unknown>, field: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));

function bodiesOf(good: Record<string, unknown>, fields: readonly string[], long: Record<string, number>): Body[] {
  const out: Body[] = Object.entries(values).map(([what, json]) => ({ what: `${what} as the body`, json }));
  for (const field of [...fields, 'unknown'])
    for (const [what, json] of Object.entries(values)) {
      const rest = JSON.stringify(without(good, field)).slice(1, -1);
      out.push({
        what: `${what} in ${field}`,
        json: `{${rest}${rest === '' ? '' : ','}${JSON.stringify(field)}:${json}}`,
      });
    }
  for (const [field, bytes] of Object.entries(long))
    for (const [what, make] of Object.entries(texts))
      out.push({ what: `${what} in ${field}`, json: JSON.stringify({ ...good, [field]: make(bytes) }) });
  return out.filter(({ json }) => Buffer.byteLength(json) <= defaults.bodyLimit);
}

interface Target {
  name: string;
  method: string;
  path: string;
  bodies: Body[];
}

const long: Readonly<Record<string, Record<string, number>>> = {
  'POST /v1/agents/:id/message': { content: limits.messageContent },
  'POST /v1/agent-constellations/:id/runs': { input: limits.messageContent },
  'POST /v1/agent-constellations/:id/messages': { content: limits.messageContent },
  'POST /v1/memories': { content: limits.memoryContent },
  'POST /v1/hives/:id/memories': { content: limits.memoryContent },
  'POST /v1/memories/search': { query: limits.query },
};

const goods: Readonly<Record<string, (ids: Ids) => Record<string, unknown>>> = {
  'POST /v1/agents/spawn': () => ({ name: 'a' }),
  'PUT /v1/agents/:id': () => ({ name: 'a' }),
  'PATCH /v1/agents/:id': () => ({ name: 'a' }),
  'POST /v1/agents/:id/message': () => ({ content: 'a' }),
  'POST /v1/agent-constellations/:id/runs': () => ({ input: 'a' }),
  'POST /v1/agent-constellations/:id/messages': () => ({ content: 'a' }),
  'POST /v1/agent-constellations/:id/tokens': () => ({ name: 'a', scopes: ['agent:read'] }),
  'POST /v1/keys': () => ({ name: 'a', mode: 'live' }),
  'POST /v1/memories': () => ({ type: 'a', content: 'a' }),
  'POST /v1/memories/search': () => ({ query: 'a' }),
  'POST /v1/hives': () => ({ name: 'a' }),
  'POST /v1/hives/:id/agents': ({ agent }) => ({ agent_id: agent }),
  'POST /v1/hives/:id/memories': ({ agent }) => ({ type: 'a', content: 'a', agent_id: agent }),
};

interface Ids {
  agent: string;
  hive: string;
  memory: string;
  run: string;
}

function restTargets(ids: Ids): Target[] {
  return routes.flatMap((route) => {
    if (!('body' in route)) return [];
    const name = `${route.method} ${route.path}`;
    const path = route.path
      .replace(':runId', ids.run)
      .replace(
        ':id',
        route.path.includes('hives') ? ids.hive : route.path.includes('memories') ? ids.memory : ids.agent,
      );
    const fields = Object.keys((route.body as { shape?: object }).shape ?? {});
    return [{ name, method: route.method, path, bodies: bodiesOf(goods[name]?.(ids) ?? {}, fields, long[name] ?? {}) }];
  });
}

function a2aTargets({ agent }: Ids): Target[] {
  const rpc = (method: string, params: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
  const path = `/api/v1/a2a/agents/${agent}`;
  const said = (parts: string, more = ''): string =>
    `{"message":{"role":"user","messageId":"${Math.random()}","parts":${parts}${more}}}`;
  const all: Body[] = Object.entries(values).flatMap(([what, json]) => [
    { what: `${what} as params`, json: rpc('message/send', json) },
    { what: `${what} as message`, json: rpc('message/send', `{"message":${json}}`) },
    { what: `${what} as parts`, json: rpc('message/send', said(json)) },
    { what: `${what} as text`, json: rpc('message/send', said(`[{"kind":"text","text":${json}}]`)) },
    { what: `${what} as data`, json: rpc('message/send', said(`[{"kind":"data","data":${json}}]`)) },
    {
      what: `${what} as data (1.0)`,
      json: rpc('SendMessage', said(`[{"data":${json}}]`).replace('user', 'ROLE_USER')),
    },
    {
      what: `${what} as metadata`,
      json: rpc('message/send', said('[{"kind":"text","text":"a"}]', `,"metadata":${json}`)),
    },
    {
      what: `${what} as extensions`,
      json: rpc('message/send', said('[{"kind":"text","text":"a"}]', `,"extensions":${json}`)),
    },
    { what: `${what} as a task's id`, json: rpc('tasks/get', `{"id":${json}}`) },
  ]);
  for (const [what, make] of Object.entries(texts))
    all.push({
      what: `${what} as text`,
      json: rpc('message/send', said(JSON.stringify([{ kind: 'text', text: make(limits.messageContent) }]))),
    });
  all.push({
    what: 'a file of text',
    json: rpc(
      'message/send',
      said(
        JSON.stringify([
          {
            kind: 'file',
            file: { bytes: Buffer.from(filled('. ', 750_000)).toString('base64'), mimeType: 'text/plain' },
          },
        ]),
      ),
    ),
  });
  return [
    {
      name: `POST ${path.replace(agent, ':id')}`,
      method: 'POST',
      path,
      bodies: all.filter(({ json }) => Buffer.byteLength(json) <= defaults.bodyLimit),
    },
  ];
}

const parseMs = (json: string): number => {
  const times = Array.from({ length: 5 }, () => {
    const from = performance.now();
    JSON.parse(json);
    return performance.now() - from;
  });
  return percentile(times, 0.5);
};

async function run(): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-bodies-'));
  const child = fork(fileURLToPath(new URL('./loop-server.js', import.meta.url)), {
    env: { PATH: process.env['PATH'], HIVEKEEP_PORT: '0', HIVEKEEP_DATA_DIR: dir, HIVEKEEP_ROOT_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [port] = (await once(child, 'message')) as [number];
  const held = async (): Promise<number> => {
    const answer = once(child, 'message');
    child.send('held');
    return ((await answer) as [number])[0];
  };
  const send = async (
    method: string,
    path: string,
    body: string,
  ): Promise<{ status: number; data: { id?: string } }> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return {
      status: response.status,
      data: response.ok ? ((JSON.parse(text) as { data?: { id?: string } }).data ?? {}) : {},
    };
  };
  const made = async (path: string, body: object): Promise<string> =>
    (await send('POST', path, JSON.stringify(body))).data.id ?? '';
  const rows: Row[] = [];
  try {
    // single-step, so that an accepted text ends with its answer
    const agent = await made('/v1/agents/spawn', { name: 'bench' });
    const ids: Ids = {
      agent,
      hive: await made('/v1/hives', { name: 'bench' }),
      memory: await made('/v1/memories', { type: 'fact', content: 'a' }),
      run: await made(`/v1/agent-constellations/${agent}/runs`, { input: 'a' }),
    };
    const wanted = process.env['BODIES'] ?? '';
    for (const { name, method, path, bodies } of [...restTargets(ids), ...a2aTargets(ids)].filter((t) =>
      t.name.includes(wanted),
    )) {
      let worst = { ms: 0, body: bodies[0], status: 0 };
      for (const body of bodies) {
        const times: number[] = [];
        let status = 0;
        for (let i = 0; i < tries; i++) {
          // an accepted A2A message is new each time, so that it is not answered from its record
          const json = body.json.replace(/"messageId":"[^"]*"/, `"messageId":"${Math.random()}"`);
          await held();
          ({ status } = await send(method, path, json));
          times.push(await held());
        }
        const ms = Math.min(...times);
        if (process.env['BODIES_ALL'])
          process.stdout.write(`    ${ms.toFixed(1)} ms  ${name}: ${body.what} (${status})\n`);
        if (ms > worst.ms) worst = { ms, body, status };
      }
      rows.push({
        what: name,
        figure: worst.ms,
        unit: 'ms, the longest that the loop was held',
        baseline: { what: 'JSON.parse of the same', figure: parseMs(worst.body?.json ?? '0') },
        target: `<= ${targetMs} ms`,
        met: worst.ms <= targetMs,
        note: `${worst.body?.what ?? ''} (${worst.status}); the worst of ${bodies.length} bodies, each the least of ${tries}`,
      });
    }
  } finally {
    child.disconnect();
    await once(child, 'exit');
    rmSync(dir, { recursive: true, force: true });
  }
  return rows;
}

export const bench: Bench = { name: 'Bodies of the permitted size: how long one holds the event loop', run };
