/** The bridge of MCP before servers, and what stands between, that do not answer as they should. */
import { expect } from 'chai';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Io } from '../../../gateway/cli/io.js';
import { mcpBridge } from '../../../gateway/cli/mcp-bridge.js';

interface Message {
  id?: unknown;
  params?: { name?: string };
  result?: unknown;
  error?: { code: number; message: string };
}

describe('the bridge of MCP', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** What it writes for these lines; the server answers with these in turn, the last of them ever after. */
  const wrote = async (lines: string, ...answers: RequestListener[]): Promise<Message[]> => {
    let asked = 0;
    server = createServer((req, res) => answers[Math.min(asked++, answers.length - 1)]?.(req, res));
    await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const told: Message[] = [];
    const io = { out: (line: string) => told.push(JSON.parse(line) as Message) } as unknown as Io;
    const environment = { HIVEKEEP_URL: `http://127.0.0.1:${port}`, HIVEKEEP_KEY: 'svc_live_x' };
    await mcpBridge(environment, io, Readable.from([Buffer.from(lines)]), undefined);
    return told;
  };

  /** Answers with the name that it was asked for. */
  const named: RequestListener = (req, res) => {
    req.setEncoding('utf8');
    let text = '';
    req.on('data', (part: string) => (text += part));
    req.on('end', () => {
      const { id, params } = JSON.parse(text) as Message;
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ jsonrpc: '2.0', id, result: { name: params?.name } }));
    });
  };
  const call = (id: number, name = 'recall'): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })}\n`;
  const answering =
    (status: number, body = ''): RequestListener =>
    (_, res) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(body);

  it('ends a message at a newline only', async () => {
    const name = 'a\u2028b\u2029c\u0085d';
    expect(await wrote(call(1, name) + call(2).replace('\n', '\r\n') + call(3).trimEnd(), named)).to.deep.equal(
      [name, 'recall', 'recall'].map((it, i) => ({ jsonrpc: '2.0', id: i + 1, result: { name: it } })),
    );
  });

  it('asks again where a proxy says nothing but that the server is away', async () => {
    expect(await wrote(call(1), answering(502), named)).to.deep.equal([
      { jsonrpc: '2.0', id: 1, result: { name: 'recall' } },
    ]);
  });

  for (const [what, answer, why] of [
    ['nothing', answering(200), 'the server answered 200'],
    ['a refusal without words', answering(403), 'the server answered 403'],
    ['a page', answering(404, '<html>'), 'the server answered 404'],
    ['no object', answering(200, 'null'), 'the server answered 200'],
    ['an envelope', answering(403, '{"error":{"code":"INSUFFICIENT_SCOPE","message":"no"}}'), 'INSUFFICIENT_SCOPE: no'],
  ] as const)
    it(`answers a request with an error where ${what} comes back`, async () => {
      const [told, ...more] = await wrote(call(7), answer);
      expect(more).to.deep.equal([]);
      expect(told).to.include({ id: 7 });
      expect(told?.error?.message).to.include(why);
    });

  it('answers a request under its id where the server did not get so far as to read that', async () => {
    const refusal = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'too deep' } };
    expect(await wrote(call(7), answering(400, JSON.stringify(refusal)))).to.deep.equal([{ ...refusal, id: 7 }]);
  });

  it('refuses a line that is no message, and goes on', async () => {
    const told = await wrote(`null\n1\n[]\nnot JSON\n${call(1)}`, named);
    expect(told.map(({ id, error }) => [id, error?.code])).to.deep.equal([
      [null, -32600],
      [null, -32600],
      [null, -32600],
      [null, -32700],
      [1, undefined],
    ]);
  });
});
