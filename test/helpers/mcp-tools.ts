/**
 * Servers of tools by the official MCP SDKs, which do what a test says: `modern` speaks 2026-07-28 alone, `stateless`
 * also the revisions before it, and `sessions` is the line before, with sessions. Run as a program, it serves by stdio.
 */
import { createMcpHandler, Server, type CallToolResult } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Server as Server1 } from 'mcp-sdk-1/server/index.js';
import { StdioServerTransport as Stdio1 } from 'mcp-sdk-1/server/stdio.js';
import { StreamableHTTPServerTransport as Http1 } from 'mcp-sdk-1/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from 'mcp-sdk-1/types.js';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

export interface SeenCall {
  name: string;
  arguments: Record<string, unknown>;
  /** The id of the call, as the service tells it. */
  key: unknown;
}
export interface Tools {
  list: object[];
  call: (call: SeenCall) => CallToolResult | Promise<CallToolResult>;
}
export type Kind = 'modern' | 'stateless' | 'sessions';

export const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });
export const listed = (name: string, annotations: object = {}, more: object = {}): object => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
  annotations,
  ...more,
});

const info = { name: 'tools', version: '1' };
const able = { capabilities: { tools: {} } };

interface Asked {
  params: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> };
}
const seenIn = ({ params }: Asked): SeenCall => ({
  name: params.name,
  arguments: params.arguments ?? {},
  key: params._meta?.['hivekeep/idempotency_key'],
});

function server2(tools: Tools): Server {
  const server = new Server(info, able);
  server.setRequestHandler('tools/list', () => ({ tools: tools.list as never[] }));
  server.setRequestHandler('tools/call', (request) => tools.call(seenIn(request as Asked)));
  return server;
}

function server1(tools: Tools): Server1 {
  const server = new Server1(info, able);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.list as never[] }));
  server.setRequestHandler(
    CallToolRequestSchema,
    async (request) => (await tools.call(seenIn(request as Asked))) as object,
  );
  return server;
}

export interface McpToolServer {
  url: string;
  host: string;
  /** The headers of each request that came. */
  headers: IncomingMessage['headers'][];
  /** Answers a request instead of the server, where it returns true. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Forgets all sessions. */
  forget: () => void;
  close: () => Promise<void>;
}

export async function startMcpTools(kind: Kind, tools: Tools): Promise<McpToolServer> {
  const sessions = new Map<string, Http1>();
  const handler = createMcpHandler(() => server2(tools), { legacy: kind === 'modern' ? 'reject' : 'stateless' });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (kind === 'sessions') {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (known) return known.handleRequest(request, response);
      if (id !== undefined) {
        response.writeHead(404).end('unknown session');
        return undefined;
      }
      const transport = new Http1({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (made) => {
          sessions.set(made, transport);
        },
      });
      await server1(tools).connect(transport);
      return transport.handleRequest(request, response);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
    });
    const { status, headers, body } = await handler.fetch(
      new Request(`http://localhost${request.url ?? ''}`, {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        ...(request.method === 'POST' && { body: Buffer.concat(chunks) }),
        signal: gone.signal,
      }),
    );
    response.writeHead(status, Object.fromEntries(headers));
    if (body)
      Readable.fromWeb(body as ReadableStream)
        .on('error', () => response.destroy())
        .pipe(response);
    else response.end();
    return undefined;
  }
  const http = createServer((request, response) => {
    made.headers.push(request.headers);
    if (made.instead(request, response)) return;
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  const made: McpToolServer = {
    url: `http://${host}/mcp`,
    host,
    headers: [],
    instead: () => false,
    forget: () => {
      sessions.clear();
    },
    async close() {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
  return made;
}

/** By stdio: each call is a line in the file, and `die` ends the process in the middle of a call. */
async function main([line, file = '']: string[]): Promise<void> {
  const tools: Tools = {
    list: [listed('look', { readOnlyHint: true }), listed('change'), listed('die')],
    call: ({ name, key }) => {
      appendFileSync(file, `${name} ${String(key)} ${process.pid}\n`);
      if (name === 'die') process.exit(1);
      return text(`${name} by ${process.pid}`);
    },
  };
  if (line === '2') serveStdio(() => server2(tools));
  else await server1(tools).connect(new Stdio1());
}
if (process.argv[1]?.endsWith('mcp-tools.ts') === true) await main(process.argv.slice(2));
