/** The typed client against an answering machine: what it asks, what it asks again, and what it throws. */
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { ApiError, ConnectionError, createClient, type Client } from '../../../packages/client/src/client.js';
import { follow } from '../../../packages/client/src/events.js';
import type { Transport } from '../../../packages/client/src/transport.js';
import { routes } from '../../../gateway/rest/routes.js';

interface Asked {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

type Reply = Response | Error | (() => Response);

/** A client whose requests are answered in turn; the last reply answers all that follow. */
function machine(
  replies: Reply[],
  options: { retries?: number; maxDelayMs?: number } = {},
): { client: Client; asked: Asked[] } {
  const asked: Asked[] = [];
  const fetch: typeof globalThis.fetch = (url, init) => {
    const { pathname, search } = new URL(url instanceof Request ? url.url : url);
    asked.push({
      method: init?.method ?? '',
      path: pathname + search,
      headers: new Headers(init?.headers),
      body:
        typeof init?.body === 'string' && new Headers(init.headers).get('content-type') === 'application/json'
          ? JSON.parse(init.body)
          : init?.body,
    });
    const reply = replies[Math.min(asked.length, replies.length) - 1];
    if (reply instanceof Error) return Promise.reject(reply);
    return Promise.resolve(typeof reply === 'function' ? reply() : reply!.clone());
  };
  return {
    client: createClient({
      baseUrl: 'https://hive.example/below/',
      key: 'svc_live_1',
      fetch,
      maxDelayMs: 20,
      ...options,
    }),
    asked,
  };
}

const data = (value: unknown): Response => Response.json({ data: value });
const refused = (status: number, code: string, headers = {}): Response =>
  Response.json(
    { error: { code, message: `refused: ${code}`, status, details: { a: 1 }, request_id: 'req_1' } },
    { status, headers },
  );
const page = (items: unknown[], next: string | null): Response =>
  Response.json({ data: items, pagination: { next_cursor: next, has_more: next !== null, total_count: 3 } });
const caught = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('The typed client', () => {
  it('asks with ids, body and key, below the path of its base URL, and answers the data', async () => {
    const { client, asked } = machine([data({ id: 'run_1' })]);
    expect(await client.runs.resume('agent 1', 'run_1', { decision: 'approve' })).to.deep.equal({ id: 'run_1' });
    expect(asked[0]).to.deep.include({
      method: 'POST',
      path: '/below/v1/agent-constellations/agent%201/runs/run_1/resume',
      body: { decision: 'approve' },
    });
    expect(asked[0]!.headers.get('authorization')).to.equal('Bearer svc_live_1');
  });

  it('sends no body to where a redirect points', async () => {
    const redirects: unknown[] = [];
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1',
      key: 'svc_live_1',
      fetch: (_url, init) => {
        redirects.push(init?.redirect);
        return Promise.resolve(data({ id: 'mem_1' }).clone());
      },
    });
    await client.memories.create({ type: 'semantic', content: 'a' });
    await client.memories.get('mem_1');
    expect(redirects).to.deep.equal(['error', 'follow']);
  });

  it('refuses an id that is empty, which would be another path', () => {
    const { client } = machine([data({})]);
    expect(() => client.agents.delete('')).to.throw(TypeError, 'id of /v1/agents/{id}');
  });

  it('throws what the service refused, with its code, details and request id', async () => {
    const { client } = machine([refused(404, 'NOT_FOUND')]);
    const error = await caught(client.agents.get('agent_1'));
    expect(error).to.be.instanceOf(ApiError);
    expect(error).to.include({ code: 'NOT_FOUND', status: 404, requestId: 'req_1', message: 'refused: NOT_FOUND' });
    expect((error as ApiError).details).to.deep.equal({ a: 1 });
  });

  it('tries again after 429, 503 and a lost connection, under one Idempotency-Key', async () => {
    const { client, asked } = machine([
      refused(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '0' }),
      new TypeError('fetch failed'),
      refused(503, 'UNAVAILABLE', { 'retry-after': '0' }),
      data({ id: 'mem_1' }),
    ]);
    expect(await client.memories.create({ type: 'semantic', content: 'a' })).to.deep.equal({ id: 'mem_1' });
    const keys = new Set(asked.map(({ headers }) => headers.get('idempotency-key')));
    expect(asked).to.have.length(4);
    expect([...keys]).to.have.length(1);
    expect([...keys][0]).to.match(/^[\w-]{36}$/);
  });

  it('tries again where a proxy lost the answer', async () => {
    const lost = (status: number): Response => new Response('<h1>Bad Gateway</h1>', { status });
    const { client, asked } = machine([lost(502), lost(504), data({ id: 'mem_1' })]);
    expect(await client.memories.create({ type: 'semantic', content: 'a' })).to.deep.equal({ id: 'mem_1' });
    expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key')))).to.have.length(1);
    const last = new Response('id: 1\ndata: {"type":"status","status":"completed","seq":1}\n\n');
    const followed = machine([lost(502), lost(504), last], { retries: 1 });
    for await (const event of followed.client.runs.events('agent_1', 'run_1')) expect(event).to.include({ seq: 1 });
    expect(followed.asked).to.have.length(3);
  });

  it('gives up after as many tries as it may, and at once where Retry-After is longer than it waits', async () => {
    const lost = machine([new TypeError('fetch failed')], { retries: 1 });
    expect(await caught(lost.client.me()))
      .to.be.instanceOf(ConnectionError)
      .and.have.property('message')
      .that.matches(/^no answer from https:\/\/[^/]+ to GET \/v1\/me/);
    expect(lost.asked).to.have.length(2);
    const later = machine([refused(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '3600' })]);
    expect(await caught(later.client.me())).to.include({ code: 'RATE_LIMIT_EXCEEDED' });
    expect(later.asked).to.have.length(1);
  });

  it('does not repeat what was refused for good', async () => {
    const { client, asked } = machine([refused(409, 'CONFLICT')]);
    expect(await caught(client.runs.resume('agent_1', 'run_1'))).to.include({ code: 'CONFLICT' });
    expect(asked).to.have.length(1);
  });

  it('cancels a run as an A2A task: the run is cancelled, or has ended otherwise', async () => {
    const ended = { jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'Task cannot be canceled' } };
    const { client, asked } = machine([
      Response.json({ jsonrpc: '2.0', id: 1, result: {} }),
      data({ id: 'run_1', status: 'cancelled' }),
      Response.json(ended),
      data({ id: 'run_1', status: 'cancelled' }),
      Response.json(ended),
      data({ id: 'run_1', status: 'completed' }),
    ]);
    const cancelled = { id: 'run_1', status: 'cancelled' };
    expect(await client.runs.cancel('agent_1', 'run_1')).to.deep.equal(cancelled);
    expect(await client.runs.cancel('agent_1', 'run_1'), 'whose answer was lost').to.deep.equal(cancelled);
    expect(await caught(client.runs.cancel('agent_1', 'run_1'))).to.include({ code: 'CONFLICT', status: 409 });
    expect(asked[0]).to.deep.include({ method: 'POST', path: '/below/api/v1/a2a/agents/agent_1' });
  });

  it('reads a list to its end, page by page', async () => {
    const { client, asked } = machine([page(['a', 'b'], 'c2'), page(['c'], null)]);
    const all: unknown[] = [];
    for await (const memory of client.memories.list({ agent_id: 'agent_1', page_size: 2 })) all.push(memory);
    expect(all).to.deep.equal(['a', 'b', 'c']);
    expect(asked.map(({ path }) => path)).to.deep.equal([
      '/below/v1/memories?agent_id=agent_1&page_size=2',
      '/below/v1/memories?agent_id=agent_1&page_size=2&cursor=c2',
    ]);
  });

  it('follows a run through cuts, and hears every event once', async () => {
    const stream = (...blocks: string[]): Response =>
      new Response(blocks.join(''), { headers: { 'content-type': 'text/event-stream' } });
    const event = (seq: number, more: object): string =>
      `event: x\nid: ${seq}\ndata: ${JSON.stringify({ seq, ...more })}\n\n`;
    const delta = 'event: delta\ndata: {"type":"delta","step":1,"append":false,"text":"On 12"}\n\n';
    const { client, asked } = machine([
      stream(
        'retry: 1000\n',
        event(1, { type: 'status', status: 'running' }),
        ': beat\n',
        delta,
        'id: 2\ndata: {"half',
      ),
      new TypeError('fetch failed'),
      stream(event(2, { type: 'thought' }), event(3, { type: 'status', status: 'completed' }), event(4, {})),
    ]);
    const seen: unknown[] = [];
    for await (const event of client.runs.events('agent_1', 'run_1'))
      seen.push(event.type === 'delta' ? event.text : event.seq);
    expect(seen, 'a delta has no number to come back with').to.deep.equal([1, 'On 12', 2, 3]);
    expect(asked.map(({ headers }) => headers.get('last-event-id'))).to.deep.equal([null, '1', '1']);
  });

  it('comes back to a stream for as long as the service is away or busy', async () => {
    const away = Array.from({ length: 8 }, (_, i) => refused(i % 2 === 0 ? 503 : 429, 'UNAVAILABLE'));
    const last = new Response('id: 1\ndata: {"type":"status","status":"completed","seq":1}\n\n');
    const { client, asked } = machine([...away, last], { retries: 3 });
    for await (const event of client.runs.events('agent_1', 'run_1')) expect(event).to.include({ seq: 1 });
    expect(asked).to.have.length(9);
  });

  it('comes back to a stream that is silent for longer than heartbeats are apart', async () => {
    let left = false;
    const silent = new ReadableStream<Uint8Array>({
      start: (body) => body.enqueue(new TextEncoder().encode('id: 1\ndata: {"seq":1}\n\n')),
      cancel: () => {
        left = true;
      },
    });
    const asked: unknown[] = [];
    const replies = [new Response(silent), new Response('id: 2\ndata: {"seq":2}\n\n')];
    const transport: Transport = {
      json: () => Promise.reject(new Error('not asked')),
      open: ({ headers }) => {
        asked.push(headers?.['last-event-id']);
        return Promise.resolve(replies.shift()!);
      },
      pause: () => Promise.resolve(),
    };
    const request = { method: 'GET', path: '/v1/events' };
    const seen: unknown[] = [];
    for await (const event of follow<{ seq: number }>(transport, request, {}, ({ seq }) => seq === 2, 10))
      seen.push(event.seq);
    expect(seen).to.deep.equal([1, 2]);
    expect(asked).to.deep.equal([undefined, '1']);
    expect(left, 'the dead connection is let go').to.equal(true);
  });

  it('gives a try up that gets no answer, head or body, and asks again', async () => {
    const asked: (string | null)[] = [];
    const client = createClient({
      baseUrl: 'https://hive.example',
      key: 'svc_live_1',
      maxDelayMs: 1,
      timeoutMs: 10,
      fetch: (_url, { signal, headers } = {}) => {
        asked.push(new Headers(headers).get('idempotency-key'));
        if (asked.length === 3) return Promise.resolve(data({ id: 'mem_1' }));
        const never = new Promise<never>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        });
        if (asked.length === 1) return never;
        return Promise.resolve(new Response(new ReadableStream({ pull: () => never })));
      },
    });
    expect(await client.memories.create({ type: 'semantic', content: 'a' })).to.deep.equal({ id: 'mem_1' });
    expect(new Set(asked)).to.have.length(1);
  });

  it('refuses an address that is none, instead of trying it for ever', () => {
    for (const baseUrl of ['localhost:8420', '', 'ftp://hive.example'])
      expect(() => createClient({ baseUrl, key: 'svc_live_1' })).to.throw(TypeError, 'https://');
  });

  it('ends a stream with the error that the service tells in it', async () => {
    const told = `event: error\ndata: {"error":{"code":"UNAUTHENTICATED","message":"expired","status":401}}\n\n`;
    const { client } = machine([new Response(told)]);
    const first = client.events({ types: 'agent' }).next();
    expect(await caught(first)).to.include({ code: 'UNAUTHENTICATED', status: 401 });
  });

  it('waits for a run until it is paused or has ended', async () => {
    const { client, asked } = machine([
      data({ status: 'running' }),
      new Response('id: 1\ndata: {"type":"status","status":"paused"}\n\n'),
      data({ status: 'paused' }),
    ]);
    expect(await client.runs.wait('agent_1', 'run_1')).to.deep.equal({ status: 'paused' });
    expect(asked).to.have.length(3);
  });

  it('stops for its signal, also between two tries', async () => {
    const stop = new AbortController();
    const { client } = machine([refused(503, 'UNAVAILABLE', { 'retry-after': '20' })], { maxDelayMs: 30_000 });
    const asked = client.me({ signal: stop.signal });
    stop.abort(new Error('enough'));
    expect(await caught(asked)).to.have.property('message', 'enough');
  });

  it('has a method for every operation of the REST API', async () => {
    const { client, asked } = machine([() => page([], null)]);
    const call = async (thing: unknown): Promise<void> => {
      if (typeof thing === 'function') {
        const ids = ['a', 'b'];
        const result: unknown = await (thing as (...args: string[]) => unknown)(...ids);
        if (result !== null && typeof result === 'object' && 'page' in result)
          await (result as { page(): Promise<unknown> }).page();
      } else for (const part of Object.values(thing as object)) await call(part);
    };
    const { request: _, events: __, runs, ...others } = client;
    const { events: ___, wait: ____, useTools: _____, ...ofRuns } = runs;
    await call({ ...others, runs: ofRuns });
    const shape = (path: string): string => path.replace(/\?.*/, '').replace(/\/(a|b)(?=\/|$)/g, '/:id');
    const known = new Set(asked.map(({ method, path }) => `${method} ${shape(path.replace('/below', ''))}`));
    const missing = routes
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/:\w+/g, ':id')}`)
      .filter((operation) => !known.has(operation) && !operation.endsWith('/events'));
    expect(missing).to.deep.equal([]);
  });

  it('depends on nothing, and is below 20 KB', () => {
    const { outputFiles, metafile } = buildSync({
      entryPoints: [fileURLToPath(new URL('../../../packages/client/src/client.ts', import.meta.url))],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.every((file) => file.includes('packages/client/src/'))).to.equal(true, inputs.join(' '));
    expect(outputFiles[0]!.contents.byteLength).to.be.below(20_000);
  });
});
