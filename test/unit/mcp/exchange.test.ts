/** What a hostile server answers, and how little of it is taken. */
import { expect } from 'chai';
import { most } from '../../../src/mcp/bounds.js';
import { createExchange } from '../../../src/mcp/exchange.js';
import { offerOf } from '../../../src/mcp/offer.js';
import { PushError, type OutboundRequest, type Push } from '../../../src/push/port.js';
import { noPush, stillClock } from '../../helpers/engine.js';
import { turn } from '../../helpers/turn.js';

const url = 'https://tools.example/mcp';
const answer = '{"jsonrpc":"2.0","id":7,"result":{"ok":true}}';
const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const event = (data: string, id?: string): string => `${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;

/** A server that answers the requests, in order, with these bodies; the last again and again. */
function exchanging(...bodies: (string | (() => AsyncIterable<Uint8Array>))[]) {
  const asked: OutboundRequest[] = [];
  let open = 0;
  let mostOpen = 0;
  const clock = stillClock();
  const push: Push = {
    ...noPush,
    async open(_agent: string, request: OutboundRequest, signal: AbortSignal) {
      asked.push(request);
      mostOpen = Math.max(mostOpen, ++open);
      await turn();
      open--;
      signal.throwIfAborted();
      const told = request.body !== undefined && !request.body.includes('"tools/call"');
      const body = told ? '' : ((bodies.length > 1 ? bodies.shift() : bodies[0]) ?? '');
      return {
        status: told ? 202 : 200,
        headers: { 'content-type': 'text/event-stream' },
        body: typeof body === 'string' ? chunksOf(body) : body(),
      };
    },
  };
  const server = { kind: 'mcp', name: 'x', url } as const;
  const changes = { changed: 0 };
  const ask = createExchange({
    ...{ push, server, clock },
    agent: { workspace: 'w', id: 'a' },
    broke: () => undefined,
    changed: () => {
      changes.changed++;
    },
  });
  const send = (message: object, signal?: AbortSignal): Promise<Response> =>
    ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'mcp-session-id': 's', 'mcp-method': 'tools/call' },
      body: JSON.stringify(message),
      ...(signal && { signal }),
    });
  const call = (signal?: AbortSignal): Promise<string> =>
    send({ jsonrpc: '2.0', id: 7, method: 'tools/call' }, signal).then((response) => response.text());
  return { asked, clock, call, send, changes, mostOpen: () => mostOpen };
}

async function* chunksOf(body: string): AsyncGenerator<Uint8Array> {
  await turn();
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it was taken',
    (error: unknown) => (error instanceof PushError ? error.message : String(error)),
  );

describe('MCP: what a server answers', () => {
  const flood = (text: string): string => text.repeat(Math.floor((most.bytes - 1000) / text.length));
  for (const [what, body, why] of [
    ['requests', flood(event(ping(1))), `the server asks for more than ${most.requests} things`],
    ['messages that are none', flood(event('{}')), `the answer has more than ${most.messages} messages`],
    ['lines that are none', flood('a\n'), `the answer has more than ${most.messages} messages`],
    ['answers to others', flood(event('{"id":8,"result":{}}')), `the answer has more than ${most.messages} messages`],
    ['values', event(`{"id":7,"result":[${flood('0,')}0]}`), `the answer has more than ${most.elements} values`],
    [
      'levels',
      event(`{"id":7,"result":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
      `the answer is nested deeper than ${most.depth} levels`,
    ],
    ['bytes', flood(`: ${'x'.repeat(10_000)}\n`).repeat(2), `the answer is longer than ${most.bytes} bytes`],
  ] as const)
    it(`McpBounds.B1: has no more than so many ${what}`, async () => {
      expect(await failure(exchanging(body).call())).to.equal(why);
    });

  it('McpBounds.B1: is looked at a slice a turn', async () => {
    let turns = 0;
    let ended = false;
    const body = `${event('{}').repeat(4000)}${event(answer)}`;
    const counting = (async () => {
      for (; !ended; turns++) await turn();
    })();
    expect(await exchanging(body).call()).to.equal(answer);
    ended = true;
    await counting;
    expect(turns).to.be.at.least(Math.floor(body.length / most.slice));
  });

  it('McpExchange.X1: its requests are answered one at a time, a ping as such, and nothing else', async () => {
    const { asked, call, changes, mostOpen } = exchanging(
      event(ping(1)) +
        event('{"jsonrpc":"2.0","id":"e","method":"elicitation/create"}') +
        event('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}') +
        event(ping(2)) +
        event(answer),
    );
    expect(await call()).to.equal(answer);
    expect(asked.slice(1).map(({ body }) => JSON.parse(body ?? '') as unknown)).to.deep.equal([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 'e', error: { code: -32601, message: 'Method not found' } },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
    for (const { headers } of asked.slice(1))
      expect(headers).to.include({ 'mcp-session-id': 's' }).and.not.have.property('mcp-method');
    expect(mostOpen()).to.equal(1);
    expect(changes.changed).to.equal(1);
  });

  it('McpExchange.X2: a stream that ends early is gone on with, but not at once', async () => {
    const { asked, call, clock } = exchanging(`retry: 0\n${event('', 'e1')}`, event(answer, 'e2'));
    const called = call();
    for (let i = 0; i < 20; i++) await turn();
    expect(asked).to.have.length(1);
    clock.skip(999);
    for (let i = 0; i < 20; i++) await turn();
    expect(asked).to.have.length(1);
    clock.skip(1);
    expect(await called).to.equal(answer);
    expect(asked[1]).to.include({ method: 'GET' }).and.have.nested.property('headers.last-event-id', 'e1');
  });

  for (const how of ['the signal', 'a message that gives it up'])
    it(`McpExchange.X2: it is not gone on with once nobody waits for it, by ${how}`, async () => {
      const { asked, call, send, clock } = exchanging(`retry: 0\n${event('', 'e1')}`);
      const leave = new AbortController();
      const called = failure(call(leave.signal));
      for (let i = 0; i < 20; i++) await turn();
      if (how === 'the signal') leave.abort();
      else await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
      expect(await called).to.contain('Abort');
      const before = asked.length;
      clock.skip(600_000);
      for (let i = 0; i < 20; i++) await turn();
      expect(asked).to.have.length(before);
    });

  it('McpExchange.X2: one that cannot be gone on with has no answer', async () => {
    expect(await failure(exchanging(event('{}')).call())).to.equal(
      'the connection was closed before there was an answer',
    );
  });

  it('a list of 110,000 tools that are none is looked at one a turn, as far as it is looked at', async () => {
    let turns = 0;
    let ended = false;
    const counting = (async () => {
      for (; !ended; turns++) await turn();
    })();
    const { tools, problems } = await offerOf(Array.from({ length: 110_000 }, () => 0));
    ended = true;
    await counting;
    expect(tools).to.deep.equal([]);
    expect(problems).to.have.length(6);
    expect(problems.at(-1)).to.equal('and 109995 more');
    expect(turns).to.be.within(1000, 1100);
  });
});
