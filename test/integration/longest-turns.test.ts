/**
 * What strangers may send: none of it makes a turn of the event loop that is long for everybody else. One table of it;
 * each row is sent to the gateway with the real engine behind it.
 *
 * A turn is one round of the event loop, and is measured by the CPU time of the process, of which other work on the
 * machine takes none. Of several tries the least counts, because compiling and collecting garbage fall into some of
 * them. So the measure is never too small: it includes what the test's own client does in the same turn, and the
 * threads of the process. Two cores that are shared by others need 1 to 17 ms for a row.
 *
 * The bound is 20 ms on such a machine. A slower one, or one whose cores are shared by more, gets as many times more as
 * it needs for a fixed piece of work of the same kind, which is measured beside each try (test/helpers/fixed-work.ts);
 * it never gets less, and at most six times as much.
 */
import { spawnAgent } from '../../src/commands/agents.js';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { randomBytes, randomUUID } from 'node:crypto';
import { createMcpServers } from '../../src/mcp/servers.js';
import type { McpServers } from '../../src/mcp/port.js';
import type { Push } from '../../src/push/port.js';
import { openLmdbStore } from '../../src/store/lmdb/open.js';
import type { Store } from '../../src/store/port.js';
import { answers, caller, noPush, stillClock, testEngine, type TestEngine } from '../helpers/engine.js';
import { hashOf, keyPrincipal } from '../helpers/fake-service.js';
import { fixedWorkMs, slownessOf, warmUp } from '../helpers/fixed-work.js';
import { rootKey, startGateway, type TestGateway } from '../helpers/gateway.js';
import { RawClient } from './gateway/raw-client.js';

const boundMs = 20;
const tries = 6;
const filesLimit = 5 * 1024 * 1024;

/**
 * Takes the least of several tries, and of the fixed work beside them, which is slowed by what slows the tries; fails if
 * it is not within the bound. What comes `before` each is not measured.
 */
async function expectShortTurns(work: () => Promise<unknown>, before?: () => Promise<unknown>): Promise<void> {
  let least = Infinity;
  let fixed = Infinity;
  for (let i = 0; i < tries; i++) {
    await before?.();
    fixed = Math.min(fixed, fixedWorkMs());
    least = Math.min(least, await longestTurn(work));
  }
  expect(least, 'ms of CPU in a turn').to.be.below(boundMs * slownessOf(fixed));
}

/** The most CPU time that a round of the loop took while this went on, in ms. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let began = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(began);
    longest = Math.max(longest, (user + system) / 1000);
    began = process.cpuUsage();
    if (!isOver) void setImmediate().then(look);
  };
  void setImmediate().then(look);
  await work();
  await setImmediate();
  isOver = true;
  return longest;
}

interface Row {
  what: string;
  method?: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** How often it is asked at once. */
  times?: number;
  /** The status of the answer, or several that are as good. */
  status: number | number[];
}

const png = (bytes: number): string => {
  const content = randomBytes(bytes);
  content.write('\x89PNG\r\n\x1a\n', 'latin1');
  return content.toString('base64');
};
const twenty = Array.from({ length: 20 }, () => png(filesLimit / 20 - 100));
const bad = twenty.map((bytes) => `${bytes.slice(0, -1)}!`);
const text = Buffer.alloc(filesLimit - 100, 'what is said ').toString('base64');
const numbers = Array.from({ length: 9000 }, (_, i) => i);
const image = (bytes: string): object => ({ mediaType: 'image/png', bytes });
const mcp = { accept: 'application/json, text/event-stream' };
const called = (name: string, given: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});
const sent = (method: string, message: object): object => ({ jsonrpc: '2.0', id: 1, method, params: { message } });
const ofSlash = (parts: object[]): object =>
  sent('message/send', { kind: 'message', role: 'user', messageId: randomBytes(8).toString('hex'), parts });
const ofPascal = (parts: object[]): object =>
  sent('SendMessage', { role: 'ROLE_USER', messageId: randomBytes(8).toString('hex'), parts });
const slashFile = (mimeType: string, bytes: string): object => ({ kind: 'file', file: { mimeType, bytes } });
const pascalFile = (mediaType: string, raw: string): object => ({ mediaType, raw });
const said = (content: unknown): object => ({ role: 'user', content });
const chat = (...messages: unknown[]): object => ({ model: 'AGENT', messages });
const dataUrl = (bytes: string): object => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${bytes}` },
});
/** Bodies of the OpenAI endpoint have no room for files of their own. */
const small = Array.from({ length: 20 }, () => png(36_000));

const ofPattern = (pattern: string): object => ({ type: 'object', properties: { a: { type: 'string', pattern } } });
const doubling = {
  type: 'object',
  $defs: Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => {
      const $ref = `#/$defs/a${i - 1}`;
      return [`a${i}`, i === 0 ? { type: 'object' } : { allOf: [{ $ref }, { $ref }] }];
    }),
  ),
  allOf: [{ $ref: '#/$defs/a59' }],
};
const toolOfPatterns = (n: number): object => ({
  ...{ kind: 'http', name: `t${n}`, description: 'd', url: 'https://tools.example/t' },
  input_schema: {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`p${i}`, { pattern: `^(a+)+${n}$` }])),
  },
});

const message = '/v1/agents/AGENT/message';
const a2a = '/api/v1/a2a/agents/AGENT';
const v1 = { 'a2a-version': '1.0' };
const completions = '/v1/openai/v1/chat/completions';

const rows: readonly Row[] = [
  { what: '20 images in a message', path: message, body: { content: 'x', files: twenty.map(image) }, status: 200 },
  { what: '20 images whose base64 is bad', path: message, body: { content: 'x', files: bad.map(image) }, status: 400 },
  {
    what: 'a text file of 5 MB',
    path: message,
    body: { content: 'x', files: [{ mediaType: 'text/plain', bytes: text }] },
    status: 400,
  },
  {
    what: '20 images over A2A 0.3',
    path: a2a,
    body: ofSlash(twenty.map((b) => slashFile('image/png', b))),
    status: 200,
  },
  {
    what: '20 images over A2A 1.0',
    path: a2a,
    headers: v1,
    body: ofPascal(twenty.map((b) => pascalFile('image/png', b))),
    status: 200,
  },
  { what: 'bad base64 over A2A 0.3', path: a2a, body: ofSlash(bad.map((b) => slashFile('image/png', b))), status: 200 },
  {
    what: 'bad base64 over A2A 1.0',
    path: a2a,
    headers: v1,
    body: ofPascal(bad.map((b) => pascalFile('image/png', b))),
    status: 200,
  },
  { what: 'a text file of 5 MB over A2A 0.3', path: a2a, body: ofSlash([slashFile('text/plain', text)]), status: 200 },
  {
    what: 'a text file of 5 MB over A2A 1.0',
    path: a2a,
    headers: v1,
    body: ofPascal([pascalFile('text/plain', text)]),
    status: 200,
  },
  { what: 'thousands of numbers as parts', path: a2a, body: ofSlash(numbers as unknown as object[]), status: 200 },
  {
    what: 'thousands of numbers as parts of 1.0',
    path: a2a,
    headers: v1,
    body: ofPascal(numbers as unknown as object[]),
    status: 200,
  },
  {
    what: 'thousands of numbers as data',
    path: a2a,
    body: ofSlash([{ kind: 'data', data: { numbers } }]),
    status: 200,
  },
  {
    what: 'thousands of parts of text',
    path: a2a,
    body: ofSlash(numbers.slice(0, 3000).map(() => ({ kind: 'text', text: 'a' }))),
    status: 200,
  },
  {
    what: '20 images over MCP',
    path: '/mcp/agents/AGENT',
    headers: mcp,
    body: called('ask_agent', { message: 'x', images: twenty.map((data) => ({ data, mimeType: 'image/png' })) }),
    status: 200,
  },
  {
    what: 'bad base64 over MCP',
    path: '/mcp/agents/AGENT',
    headers: mcp,
    body: called('ask_agent', { message: 'x', images: bad.map((data) => ({ data, mimeType: 'image/png' })) }),
    status: 200,
  },
  { what: 'thousands of numbers as chat messages', path: completions, body: chat(...numbers), status: 400 },
  {
    what: 'thousands of numbers as parts of a chat message',
    path: completions,
    body: chat(said(numbers)),
    status: 400,
  },
  {
    what: 'thousands of wrong chat messages',
    path: completions,
    body: chat(...numbers.slice(0, 4000).map(() => ({ role: 'nobody' }))),
    status: 400,
  },
  {
    what: 'thousands of wrong parts of a chat message',
    path: completions,
    body: chat(said(numbers.slice(0, 4000).map(() => ({ type: 'nothing' })))),
    status: 400,
  },
  {
    what: 'thousands of wrong items of a response',
    path: '/v1/openai/v1/responses',
    body: { model: 'AGENT', input: numbers.slice(0, 4000).map(() => ({ role: 5 })) },
    status: 400,
  },
  {
    what: 'thousands of chat messages',
    path: completions,
    body: chat(...numbers.slice(0, 3300).map((n) => said(`${n}`))),
    status: 200,
  },
  {
    what: '20 images in a chat message',
    path: completions,
    body: chat(said([{ type: 'text', text: 'x' }, ...small.map(dataUrl)])),
    status: 200,
  },
  {
    what: 'thousands of numbers as items of a response',
    path: '/v1/openai/v1/responses',
    body: { model: 'AGENT', input: numbers },
    status: 400,
  },
  { what: 'thousands of numbers as memories', path: '/v1/memories/batch', body: { memories: numbers }, status: 400 },
  {
    what: 'thousands of numbers in metadata',
    path: '/v1/memories',
    body: { type: 'semantic', content: 'x', metadata: { numbers: numbers.slice(0, 3000) } },
    status: 201,
  },
  {
    what: 'thousands of unknown keys',
    path: '/v1/memories',
    body: { type: 'semantic', content: 'x', ...Object.fromEntries(numbers.map((n) => [`k${n}`, n])) },
    status: 400,
  },
  {
    what: 'thousands of unknown settings',
    path: '/v1/agents/spawn',
    body: { name: 'x', config: Object.fromEntries(numbers.slice(0, 5000).map((n) => [`k${n}`, n])) },
    status: 400,
  },
  ...Object.entries({
    'a pattern that counts to a thousand millions': { output_schema: ofPattern('((a{1,1000}){1,1000}){1,1000}') },
    'a pattern of 9,000 alternatives': { output_schema: ofPattern(`(${'a|'.repeat(9000)}b)*`) },
    'a schema whose references double sixty times': { output_schema: doubling },
    '30 tools of 80 patterns each': { tools: numbers.slice(0, 30).map(toolOfPatterns) },
  }).map(([what, overrides]) => ({
    what,
    path: '/v1/agent-constellations/AGENT/runs',
    body: { input: 'x', overrides },
    status: [202, 400],
  })),
  {
    what: 'the AI catalog, by 20 at once',
    method: 'GET',
    path: '/.well-known/ai-catalog.json',
    times: 20,
    status: 200,
  },
];

describe('a turn that a stranger makes is short', function suite() {
  this.timeout(120_000);
  let t: TestEngine;
  let gateway: TestGateway;
  let agent: string;

  before(async () => {
    warmUp();
    t = await testEngine(undefined, () => answers('ok'), { filesMaxBytes: filesLimit });
    const { service } = t.engine;
    gateway = await startGateway({
      service: {
        ...service,
        authenticate: (hash) => (hash === hashOf(rootKey) ? keyPrincipal() : service.authenticate(hash)),
      },
      config: { filesLimit, publicCards: 'default' },
    });
    agent = (await service.execute(caller, spawnAgent, {}, { name: 'Ada', config: { model: 'openai/gpt-5' } })).id;
    for (let i = 0; i < 200; i++)
      await service.execute(
        caller,
        spawnAgent,
        {},
        {
          name: `Public ${i}`,
          description: 'd'.repeat(4000),
          config: {
            card: {
              public: true,
              skills: Array.from({ length: 5 }, (_, n) => ({
                id: `s${n}`,
                name: 'Skill',
                description: 'd'.repeat(4000),
                tags: ['a'],
              })),
            },
          },
        },
      );
  });
  after(async () => {
    await gateway.stop();
    await t.engine.stop(1000);
  });

  for (const { what, method = 'POST', path, body, headers = {}, times = 1, status } of rows)
    it(what, async () => {
      const content = Buffer.from(body === undefined ? '' : JSON.stringify(body).replaceAll('AGENT', agent));
      const head = Object.entries({
        authorization: `Bearer ${rootKey}`,
        'content-type': 'application/json',
        ...headers,
      });
      const request = Buffer.concat([
        Buffer.from(
          `${method} ${path.replaceAll('AGENT', agent)} HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nConnection: close\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}Content-Length: ${content.length}\r\n\r\n`,
        ),
        content,
      ]);
      await expectShortTurns(async () => {
        const clients = Array.from({ length: times }, () => new RawClient(gateway.port));
        for (const client of clients) client.send(request);
        for (const client of clients) {
          const answer = await client.answer();
          expect(answer.status, answer.body.slice(0, 300)).to.be.oneOf([status].flat());
        }
      });
    });

  for (const [what, count, why] of [
    ['an MCP result of as many blocks as are taken', 3900, undefined],
    ['an MCP result of 40,000 blocks', 40_000, 'more than 20000 values'],
  ] as const)
    it(what, async () => {
      const { servers, close } = answering(count);
      const tool = { kind: 'mcp', name: 'x', url: 'https://tools.example/mcp' } as const;
      const once = new AbortController();
      try {
        await servers.offer(home, tool, once.signal);
        await expectShortTurns(async () => {
          const called = servers.call(home, tool, { tool: 'list', arguments: {}, key: randomUUID() }, once.signal);
          if (why !== undefined) expect(await called.then(String, String)).to.include(why);
          else expect((await called).result).to.have.lengthOf(2 * count - 1);
        });
      } finally {
        await close();
      }
    });
});

describe('a turn that a stranger makes on the embedded store is short', function suite() {
  this.timeout(240_000);
  const dir = mkdtempSync(join(tmpdir(), 'hivekeep-turns-'));
  let store: Store;
  let t: TestEngine;
  let gateway: TestGateway;

  before(async () => {
    warmUp();
    store = await openLmdbStore({ dir });
    t = await testEngine(store, () => answers('ok'));
    const { service } = t.engine;
    gateway = await startGateway({
      service: {
        ...service,
        authenticate: (hash) => (hash === hashOf(rootKey) ? keyPrincipal() : service.authenticate(hash)),
      },
    });
  });
  after(async () => {
    await gateway.stop();
    await t.engine.stop(1000);
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** A request as its bytes, which are made before the measurement. */
  const asBytes = (method: string, path: string, type: string, body: string | Buffer = ''): Buffer =>
    Buffer.concat([
      Buffer.from(
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nConnection: close\r\nAuthorization: Bearer ${rootKey}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
      ),
      Buffer.from(body),
    ]);
  const answered = async (request: Buffer, status: number): Promise<string> => {
    const client = new RawClient(gateway.port).send(request);
    await client.closed(); // so that the client looks at a long answer once, and not whenever a part of it comes
    const { status: got, body } = await client.answer();
    expect(got, body.slice(0, 300)).to.equal(status);
    return body;
  };
  const spawned = async (): Promise<string> =>
    (await t.engine.service.execute(caller, spawnAgent, {}, { name: 'Ada' })).id;
  const words = (n: number, length: number): string =>
    Array.from({ length }, (_, i) => `w${(n * 7919 + i * 104_729) % 9973}`).join(' ');
  const memories = (agent: string, count: number, length: number, more: object = {}): object[] =>
    Array.from({ length: count }, (_, n) => ({
      ...{ type: 'semantic', agent_id: agent, content: `${randomUUID()} ${words(n, length)}` },
      metadata: { n, of: 'a batch' },
      ...more,
    }));
  const batch = (given: object[]): Buffer =>
    asBytes('POST', '/v1/memories/batch', 'application/json', JSON.stringify({ memories: given }));
  const filled = async (count: number, more: object = {}): Promise<string> => {
    const agent = await spawned();
    for (let n = 0; n < count; n += 500) await answered(batch(memories(agent, 500, 5, more)), 200);
    return agent;
  };

  it('a batch of 500 memories, as long as fit into a body', async () => {
    let request: Buffer;
    await expectShortTurns(
      () => answered(request, 200),
      async () => {
        request = batch(memories(await spawned(), 500, 300));
      },
    );
  });

  it('the same batch again', async () => {
    const request = batch(memories(await spawned(), 500, 300));
    await expectShortTurns(() => answered(request, 200));
  });

  for (const [what, more, path] of [
    ['an agent', {}, (agent: string) => `/v1/agents/${agent}`],
    ['a subject', { subject: 'anna' }, (agent: string) => `/v1/agents/${agent}/subjects/anna`],
    ['a session', { sessionId: 'talk' }, (agent: string) => `/v1/agents/${agent}/sessions/talk`],
  ] as const)
    it(`the deletion of ${what} with 1,000 memories`, async () => {
      let request: Buffer;
      await expectShortTurns(
        () => answered(request, 200),
        async () => {
          request = asBytes('DELETE', path(await filled(1000, more)), 'application/json');
        },
      );
    });

  it('an import of 1,000 memories, and its repetition', async () => {
    const agent = await filled(1000);
    const exported = await fetch(`${gateway.url}/v1/export?agent_id=${agent}`, {
      headers: { authorization: `Bearer ${rootKey}` },
    });
    const lines = (await exported.text()).trim();
    let request: Buffer;
    let label = 0;
    await expectShortTurns(
      async () => {
        await answered(request, 200);
        await answered(request, 200);
      },
      async () => {
        request = asBytes('POST', `/v1/import?new_ids=l${++label}`, 'application/x-ndjson', `${lines}\n`);
      },
    );
  });

  for (const [what, body] of [
    ['thousands of lines that are no records', '{"record":"memory","id":5}\n'.repeat(100_000)],
    ['thousands of lines that are no JSON', 'x\n'.repeat(500_000)],
    ['thousands of empty lines', '\n'.repeat(3_000_000)],
    ['a line without an end', `{"a":"${'x'.repeat(20_000_000)}`],
    ['a line of numbers', `{"record":"memory","id":[${'1,'.repeat(400_000)}1]}\n`],
  ] as const)
    it(`an import of ${what}`, async () => {
      const request = asBytes('POST', '/v1/import', 'application/x-ndjson', body);
      await expectShortTurns(async () => {
        const client = new RawClient(gateway.port).send(request);
        const answer = await client.answer();
        expect(answer.status, answer.body.slice(0, 300)).to.be.oneOf([400, 413, 422]);
        client.destroy();
      });
    });

  for (const [what, opcode, payload, count] of [
    ['thousands of pings', 0x89, 'x'.repeat(100), 20_000],
    ['thousands of pongs', 0x8a, '', 50_000],
    ['thousands of empty fragments', 0x01, '', 50_000],
    ['thousands of texts', 0x81, '{"type":"x"}', 20_000],
    ['a text that is longer than is taken', 0x81, 'x'.repeat(60_000), 300],
  ] as const)
    it(`${what} over a WebSocket`, async () => {
      const frame = Buffer.concat([
        payload.length > 125
          ? Buffer.from([opcode, 0x80 | 126, payload.length >> 8, payload.length & 0xff])
          : Buffer.from([opcode, 0x80 | payload.length]),
        Buffer.alloc(4), // a mask of zeros
        Buffer.from(payload),
      ]);
      const more = opcode === 0x01 ? Buffer.from([0x00, 0x80, 0, 0, 0, 0]) : frame; // continuations of nothing
      const frames = Buffer.concat([frame, ...Array.from({ length: count - 1 }, () => more)]);
      const head = `GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nAuthorization: Bearer ${rootKey}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
      await expectShortTurns(async () => {
        const client = new RawClient(gateway.port).send(head);
        await client.received(/^HTTP\/1.1 101 /);
        client.socket.end(frames); // it is closed with 1008 or 1009 before these end
        await client.closed();
      });
    });
});

const home = { workspace: 'w', id: 'a' };

/** A server of tools whose results have that many blocks. */
function answering(count: number): { servers: McpServers; close: () => Promise<void> } {
  const block = { type: 'text', text: 'a' };
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools: [{ name: 'list', inputSchema: { type: 'object' } }] },
    'tools/call': { content: Array.from({ length: count }, () => block) },
  };
  const push: Push = {
    ...noPush,
    async open(_agent, { body = '{}' }) {
      await setImmediate();
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      const result = results[method];
      const said = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
      const content = id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, ...said });
      return {
        status: id === undefined ? 202 : 200,
        headers: { 'content-type': 'application/json' },
        body: chunksOf(Buffer.from(content)),
      };
    },
  };
  const servers = createMcpServers({ push, clock: stillClock() });
  return { servers, close: () => servers.close() };
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) {
    await setImmediate();
    yield bytes.subarray(at, at + 65_536);
  }
}
