/** What clients send wrong (docs/api.md 7.1): a code of the table, the paths that are wrong, and nothing changed. */
import { createConnection } from 'node:net';
import { expect } from 'chai';
import { lastingItems, served, type Json } from './support/client.js';

const { api, hooks } = served(() => ({}));
let agent: string;
let own: string;
let hive: string;
let memory: string;
let run: string;

/** Every route that takes a body, with one that is right. */
const writes = (): [string, string, Json][] => [
  ['POST', '/v1/agents/spawn', { name: 'x' }],
  ['PUT', `/v1/agents/${agent}`, { name: 'x' }],
  ['PATCH', `/v1/agents/${agent}`, { name: 'x' }],
  ['POST', `/v1/agents/${agent}/message`, { content: 'x' }],
  ['POST', `${own}/runs`, { input: 'x' }],
  ['POST', `${own}/runs/${run}/resume`, {}],
  ['POST', `${own}/runs/${run}/fork`, { checkpoint: 1 }],
  ['POST', `${own}/messages`, { content: 'x' }],
  ['POST', `${own}/tokens`, { name: 'x', scopes: ['agent:read'] }],
  ['POST', '/v1/memories', { type: 'semantic', content: 'x' }],
  ['PATCH', `/v1/memories/${memory}`, { content: 'x' }],
  ['POST', '/v1/memories/search', { query: 'x' }],
  ['POST', '/v1/context', { agent_id: agent, max_tokens: 100 }],
  ['POST', '/v1/hives', { name: 'x' }],
  ['POST', `/v1/hives/${hive}/agents`, { agent_id: agent }],
  ['POST', `/v1/hives/${hive}/memories`, { type: 'semantic', content: 'x', agent_id: agent }],
  ['POST', '/v1/keys', { name: 'x', mode: 'live' }],
];

const state = async (): Promise<unknown> =>
  Promise.all([
    ...[
      '/v1/agents',
      '/v1/memories',
      '/v1/hives',
      '/v1/keys',
      `${own}/runs`,
      `${own}/messages`,
      `${own}/tokens`,
      `${own}/thoughts`,
      `${own}/checkpoints`,
      `/v1/hives/${hive}/agents`,
    ].map((path) => lastingItems(api, path)),
    api.one('GET', '/v1/usage'),
  ]);

/** Asks it of every route, and looks at the state afterwards. */
async function everywhere(
  body: (right: Json) => string,
  code: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const before = await state();
  for (const [method, path, right] of writes()) {
    const answer = await api.ask(method, path, body(right), headers);
    expect(answer.body.error?.code, `${method} ${path}: ${answer.text}`).to.equal(code);
    if (code === 'VALIDATION_ERROR')
      for (const issue of answer.body.error?.details.issues ?? [{ path: null, message: null }]) {
        expect(issue.path).to.be.a('string');
        expect(issue.message).to.be.a('string').and.not.equal('');
      }
  }
  expect(await state()).to.deep.equal(before);
}

describe('black box: bad input', function suite() {
  hooks();
  this.timeout(20_000);
  before(async function prepare() {
    this.timeout(60_000);
    hive = String((await api.one('POST', '/v1/hives', { name: 'h' }, 201))['id']);
    agent = String((await api.one('POST', '/v1/agents/spawn', { name: 'a', hives: [hive] }, 201))['id']);
    own = `/v1/agent-constellations/${agent}`;
    memory = String(
      (await api.one('POST', '/v1/memories', { type: 'semantic', content: 'kept', agent_id: agent }, 201))['id'],
    );
    run = String((await api.one('POST', `/v1/agents/${agent}/message`, { content: 'hello' }))['run_id']);
  });

  it('malformed JSON', async () => {
    for (const text of [
      '{',
      '{"name": "x"',
      '{name: "x"}',
      'nonsense',
      '{"name":"x"}}',
      "{'name':'x'}",
      '{"name":"x",}',
      '\u0000',
      '',
      '   ',
    ])
      await everywhere(() => text, 'VALIDATION_ERROR');
  });
  it('JSON that is no object', async () => {
    for (const text of ['[]', '"x"', '5', 'null', 'true', '[{"name":"x"}]'])
      await everywhere(() => text, 'VALIDATION_ERROR');
  });
  it('other media types', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/json; charset=utf-16',
      'json',
    ])
      await everywhere((b) => JSON.stringify(b), 'UNSUPPORTED_MEDIA_TYPE', { 'content-type': type });
    await everywhere((b) => JSON.stringify(b), 'UNSUPPORTED_MEDIA_TYPE', { 'content-encoding': 'gzip' });
  });
  it('fields that nobody knows', () => everywhere((b) => JSON.stringify({ ...b, surprise: 1 }), 'VALIDATION_ERROR'));
  it('keys that name a prototype', async () => {
    await everywhere(
      (b) => JSON.stringify(b).replace('{', '{"__proto__":{"admin":true},').replace(',}', '}'),
      'VALIDATION_ERROR',
    );
    for (const name of ['metadata', 'config'])
      await api.refused(
        'POST',
        '/v1/agents/spawn',
        `{"name":"x","${name}":{"a":{"__proto__":{"admin":true}}}}`,
        'VALIDATION_ERROR',
      );
    await api.refused(
      'PATCH',
      `/v1/agents/${agent}`,
      '{"metadata":{"constructor":{"prototype":{"admin":true}}}}',
      'VALIDATION_ERROR',
    );
  });
  it('nesting 10,000 deep, in any place', async () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    const objects = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000);
    for (const nest of [deep, objects])
      await everywhere(
        (b) => JSON.stringify({ ...b, metadata: 0 }).replace('"metadata":0', `"metadata":${nest}`),
        'VALIDATION_ERROR',
      );
    await everywhere(() => deep, 'VALIDATION_ERROR');
    await everywhere(() => '['.repeat(100_000), 'VALIDATION_ERROR');
  });
  it('bodies of 8 MiB', () =>
    everywhere((b) => JSON.stringify({ ...b, content: 'x'.repeat(8 * 1024 * 1024) }), 'PAYLOAD_TOO_LARGE'));
  it('lone surrogates and NUL, in every text', async () => {
    for (const bad of ['\\ud800', '\\udc00x', 'a\\u0000b'])
      await everywhere((b) => {
        const text = JSON.stringify(Object.keys(b).length === 0 ? { input: 'x' } : b);
        return text.includes('"x"') ? text.replace('"x"', `"${bad}"`) : `{"${bad}":1}`;
      }, 'VALIDATION_ERROR');
    await api.refused(
      'POST',
      '/v1/memories',
      '{"type":"semantic","content":"x","metadata":{"a":{"b":["\\ud800"]}}}',
      'VALIDATION_ERROR',
    );
    await api.refused(
      'POST',
      '/v1/memories',
      '{"type":"semantic","content":"x","metadata":{"k\\u0000":1}}',
      'VALIDATION_ERROR',
    );
  });
  it('bytes that are no UTF-8', async () => {
    const before = await state();
    for (const [method, path] of writes()) {
      const response = await fetch(api.url + path, {
        method,
        headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
        body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      });
      expect(response.status).to.equal(400);
      expect(((await response.json()) as { error: { code: string } }).error.code).to.equal('VALIDATION_ERROR');
    }
    expect(await state()).to.deep.equal(before);
  });

  it('wrong types in every field', async () => {
    const before = await state();
    // what the service itself answers as null may be null
    const textOrNull = (v: unknown): boolean => v === null || typeof v === 'string';
    const wrong = [null, 5, true, 'x', [], {}, [1], { a: 1 }, -1, 1e400, 0.5];
    const fields: [string, string, Json, Record<string, (v: unknown) => boolean>][] = [
      [
        'POST',
        '/v1/agents/spawn',
        { name: 'x' },
        {
          name: (v) => typeof v === 'string',
          description: (v) => typeof v === 'string',
          config: (v) => isObject(v),
          hives: (v) => Array.isArray(v) && v.length === 0,
          metadata: isObject,
          wake_on_message: (v) => typeof v === 'boolean',
          memory_quota: (v) => v === null || v === 5,
          maxRuntimeSeconds: (v) => v === null || v === 5,
        },
      ],
      [
        'POST',
        `${own}/runs`,
        { input: 'x' },
        {
          input: (v) => typeof v === 'string',
          sessionId: textOrNull,
          maxSteps: (v) => v === 5,
          maxRuntimeSeconds: (v) => v === 5,
          on_busy: () => false,
        },
      ],
      [
        'POST',
        `${own}/messages`,
        { content: 'x' },
        {
          content: (v) => typeof v === 'string',
          from: textOrNull,
          reply_to: textOrNull,
          metadata: isObject,
        },
      ],
      [
        'POST',
        '/v1/memories',
        { type: 'semantic', content: 'x' },
        {
          type: (v) => typeof v === 'string',
          content: (v) => typeof v === 'string',
          agent_id: (v) => v === null,
          hive_id: (v) => v === null,
          sessionId: textOrNull,
          importance: (v) => v === 0.5 || v === null,
          expires_at: (v) => v === null,
          metadata: isObject,
        },
      ],
      [
        'POST',
        '/v1/hives',
        { name: 'x' },
        { name: (v) => typeof v === 'string', description: (v) => typeof v === 'string', metadata: isObject },
      ],
    ];
    let tried = 0;
    for (const [method, path, right, checks] of fields)
      for (const [field, fits] of Object.entries(checks))
        for (const value of wrong) {
          const sent: unknown = JSON.parse(JSON.stringify(value));
          if (fits(sent)) continue;
          tried++;
          const answer = await api.ask(method, path, { ...right, [field]: sent });
          const known = field.endsWith('_id') && typeof sent === 'string' ? 404 : 400;
          expect(answer.status, `${field} = ${JSON.stringify(sent)}: ${answer.text}`).to.equal(known);
          if (known === 400)
            expect(
              answer.body.error?.details.issues?.some((i) => i.path === field || i.path.startsWith(`${field}.`)),
              `${field} = ${JSON.stringify(sent)}: ${answer.text}`,
            ).to.equal(true);
        }
    expect(tried).to.be.greaterThan(100);
    const configs: [string, unknown][] = [
      ['model', 'gpt'],
      ['model', ''],
      ['temperature', 3],
      ['temperature', 'hot'],
      ['multi_step', 'yes'],
      ['max_steps', 0],
      ['max_steps', 101],
      ['instructions', 5],
      ['validation_gate', 'maybe'],
      ['memory', 5],
      ['memory', { recall_limit: -1 }],
    ];
    for (const [name, value] of configs) {
      const error = await api.refused(
        'POST',
        '/v1/agents/spawn',
        { name: 'x', config: { [name]: value } },
        'VALIDATION_ERROR',
      );
      expect(error.details.issues?.[0]?.path).to.match(new RegExp(`^config\\.${name}`));
      await api.refused('PATCH', `/v1/agents/${agent}`, { config: { [name]: value } }, 'VALIDATION_ERROR');
    }
    expect(await state()).to.deep.equal(before);
  });

  it('ids of other kinds, odd ids and ids that do not exist: 404', async () => {
    const before = await state();
    for (const id of [
      memory,
      hive,
      run,
      'agent_',
      'agent_none',
      'x',
      '..',
      '.',
      '%2e%2e',
      '%00',
      '%ff',
      '__proto__',
      'constructor',
      'a'.repeat(200),
      encodeURIComponent('agent_é'),
      '*',
      '%20',
      "'%20or%201=1",
      agent.toUpperCase(),
      `${agent}%20`,
      `${agent}x`,
      agent.slice(0, -1),
    ]) {
      for (const [method, path, body] of [
        ['GET', `/v1/agents/${id}`],
        ['PUT', `/v1/agents/${id}`, { name: 'x' }],
        ['DELETE', `/v1/agents/${id}`],
        ['POST', `/v1/agents/${id}/message`, { content: 'x' }],
        ['GET', `/v1/agent-constellations/${id}/runs`],
        ['POST', `/v1/agent-constellations/${id}/messages`, { content: 'x' }],
        ['GET', `${own}/runs/${id}/events`],
      ] as const) {
        if (id === run && path.startsWith(`${own}/runs`)) continue;
        const answer = await api.ask(method, path, body);
        expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.oneOf(
          /^(\.|\.\.|%2e%2e)$/.test(id) ? [404, 405, 200] : id === '%ff' ? [400] : [404],
        );
      }
    }
    for (const id of [agent, hive, run, 'mem_none', '%00'])
      for (const method of ['GET', 'DELETE']) await api.refused(method, `/v1/memories/${id}`, undefined, 'NOT_FOUND');
    for (const id of [agent, memory, 'hive_none'])
      for (const method of ['GET', 'DELETE']) await api.refused(method, `/v1/hives/${id}`, undefined, 'NOT_FOUND');
    for (const id of [agent, 'key_none']) await api.refused('DELETE', `/v1/keys/${id}`, undefined, 'NOT_FOUND');
    expect(await state()).to.deep.equal(before);
  });

  it('a run that cannot be resumed, twice', async () => {
    const before = await state();
    for (const body of [{}, { decision: 'approve' }, { input: 'x' }])
      await api.refused('POST', `${own}/runs/${run}/resume`, body, 'RUN_NOT_RESUMABLE');
    expect(await state()).to.deep.equal(before);
  });

  it('an events stream with a bad Last-Event-ID or filter', async () => {
    for (const id of ['x', '-1', '1.5', '9'.repeat(30)])
      expect((await api.ask('GET', `${own}/runs/${run}/events`, undefined, { 'last-event-id': id })).status).to.equal(
        400,
      );
    for (const query of ['types=', 'types=AGENT', 'types=a&types=b', 'agent_id='])
      await api.refused('GET', `/v1/events?${query}`, undefined, 'VALIDATION_ERROR');
  });

  it('lies about the length of a body, chunked bodies, and bytes that are no HTTP: an answer in the envelope or a closed connection, and the server lives', async () => {
    const before = await state();
    const address = new URL(api.url);
    const raw = (bytes: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = createConnection({ host: address.hostname, port: Number(address.port) });
        let text = '';
        socket.setTimeout(400, () => socket.destroy());
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        socket.on('error', () => undefined);
        socket.on('close', () => {
          resolve(text);
        });
        socket.write(bytes);
      });
    const head = (more: string): string =>
      `POST /v1/memories HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${api.key}\r\nContent-Type: application/json\r\n${more}\r\n`;
    const answers = await Promise.all([
      raw(`${head('Content-Length: 5\r\n')}{"a":1}`),
      raw(`${head('Content-Length: -5\r\n')}{}`),
      raw(`${head('Content-Length: 5\r\nContent-Length: 6\r\n')}{}`),
      raw(`${head('Transfer-Encoding: chunked\r\n')}zz\r\n`),
      raw(`${head('Transfer-Encoding: chunked\r\nContent-Length: 2\r\n')}{}`),
      raw('GARBAGE\r\n\r\n'),
      raw('GET /v1/agents HTTP/9.9\r\n\r\n'),
      raw(`GET /v1/agents HTTP/1.1\r\nAuthorization: Bearer ${api.key}\r\n\r\n`),
      raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`),
    ]);
    for (const text of answers) {
      expect(text)
        .to.not.match(/^HTTP\/1\.1 (2|5)\d\d/)
        .and.not.match(/<html/i);
      if (text !== '')
        expect(text)
          .to.match(/"error":\{"code":"[A-Z_]+"/)
          .and.match(/x-request-id: req_/i);
    }
    expect(await raw(`${head('Content-Length: 500\r\n')}{"type":`)).to.equal('', 'it still waits for the rest');
    expect(await state()).to.deep.equal(before);
  });

  it('an agent that writes too much of everything is told so, and can still be read', async () => {
    await api.refused('POST', '/v1/agents/spawn', { name: 'x'.repeat(201) }, 'VALIDATION_ERROR');
    await api.refused(
      'POST',
      '/v1/agents/spawn',
      { name: 'x', metadata: { a: 'x'.repeat(20_000) } },
      'VALIDATION_ERROR',
    );
    await api.refused('POST', `${own}/messages`, { content: 'x'.repeat(256 * 1024 + 1) }, 'VALIDATION_ERROR');
    const big = String((await api.one('POST', `${own}/messages`, { content: 'y'.repeat(256 * 1024) }, 201))['content']);
    expect(big).to.have.lengthOf(256 * 1024);
    const other = String((await api.one('POST', '/v1/agents/spawn', { name: 'grows' }, 201))['id']);
    let refused = 0;
    for (let i = 0; i < 4; i++)
      refused +=
        (await api.ask('PATCH', `/v1/agents/${other}`, { metadata: { [`k${i}`]: 'x'.repeat(6000) } })).status === 400
          ? 1
          : 0;
    expect(refused).to.equal(2);
  });
});

const isObject = (v: unknown): boolean => typeof v === 'object' && v !== null && !Array.isArray(v);
