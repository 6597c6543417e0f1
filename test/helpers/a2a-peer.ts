/** An agent elsewhere that says what the test has it say: its card, and an answer to each request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PeerRequestSeen {
  /** The method of JSON-RPC, else the verb and the path. */
  method: string;
  params: Record<string, unknown>;
  headers: IncomingMessage['headers'];
  /** Answers with a result, by JSON-RPC where it came so. */
  result(result: unknown): void;
  error(code: number, message: string): void;
  status(status: number, body?: string, headers?: Record<string, string>): void;
  /** Begins a stream, and sends each of these; it stays open. */
  events(...results: unknown[]): void;
  end(): void;
  cut(): void;
}

export interface FakePeer {
  readonly url: string;
  readonly card: string;
  readonly host: string;
  /** All requests but those of the card. */
  readonly seen: PeerRequestSeen[];
  /** How often the card was sent, and how often it was said to be as it was. */
  readonly cards: { sent: number; kept: number };
  /** Replaces the card, or parts of it. */
  say(card: object): void;
  /** How requests are answered; those that it leaves alone hang. */
  on(answer: (request: PeerRequestSeen) => void): void;
  close(): Promise<void>;
}

/** The text that a message says, of any generation. */
export const saidIn = ({ params }: PeerRequestSeen): string => {
  const { parts = [], content = parts } = params['message'] as {
    parts?: { text: string }[];
    content?: { text: string }[];
  };
  return content.map(({ text }) => text).join('');
};

export const completed = (id: string, text: string): object => ({
  id,
  contextId: 'c',
  status: { state: 'TASK_STATE_COMPLETED' },
  artifacts: [{ artifactId: 'a', parts: [{ text }] }],
});
export const inState = (id: string, state: string, text?: string): object => ({
  id,
  contextId: 'c',
  status: {
    state: `TASK_STATE_${state}`,
    ...(text !== undefined && { message: { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text }] } }),
  },
});

export async function startFakePeer(): Promise<FakePeer> {
  const seen: PeerRequestSeen[] = [];
  const cards = { sent: 0, kept: 0 };
  let answer: (request: PeerRequestSeen) => void = () => undefined;
  let card: object = {};
  let etag = 1;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/card.json') sendCard(request, response);
      else {
        const made = requestSeen(request, response, Buffer.concat(chunks).toString());
        seen.push(made);
        answer(made);
      }
    });
  });
  const sendCard = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers['if-none-match'] === `"${etag}"`) {
      cards.kept++;
      response.writeHead(304).end();
      return;
    }
    cards.sent++;
    response.writeHead(200, { 'content-type': 'application/json', etag: `"${etag}"` }).end(JSON.stringify(card));
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}/a2a`;
  card = {
    name: 'Harbour',
    description: 'Knows the harbour.',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    skills: [
      { id: 'tides', name: 'Tides', description: 'when the tide comes' },
      { id: 'boats', name: 'Boats', description: 'which boats there are' },
    ],
  };
  return {
    url,
    host,
    card: `http://${host}/card.json`,
    seen,
    cards,
    say(changes) {
      card = { ...card, ...changes };
      etag++;
    },
    on(next) {
      answer = next;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
}

function requestSeen(request: IncomingMessage, response: ServerResponse, body: string): PeerRequestSeen {
  const parsed = (body === '' ? {} : JSON.parse(body)) as {
    jsonrpc?: string;
    id?: unknown;
    method?: string;
    params?: object;
  };
  const byRpc = parsed.jsonrpc !== undefined;
  const framed = (result: unknown): string =>
    JSON.stringify(byRpc ? { jsonrpc: '2.0', id: parsed.id, result } : result);
  const json = { 'content-type': 'application/json' };
  return {
    method: byRpc ? String(parsed.method) : `${request.method} ${request.url}`,
    params: (byRpc ? (parsed.params ?? {}) : parsed) as Record<string, unknown>,
    headers: request.headers,
    result: (result) => response.writeHead(200, json).end(framed(result)),
    error: (code, message) =>
      response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id: parsed.id, error: { code, message } })),
    status: (status, text = '', headers = {}) => response.writeHead(status, headers).end(text),
    events(...results) {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const result of results) response.write(`data: ${framed(result)}\n\n`);
    },
    end: () => response.end(),
    cut: () => response.destroy(),
  };
}
