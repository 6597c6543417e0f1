/** A real HTTP server on 127.0.0.1 with the streams behind it, and raw clients that read when a test says so. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { readQuery } from '../../gateway/http/query.js';
import { eventQuery, runFrame, workspaceFrame } from '../../gateway/streams/events.js';
import { createStreams, type OpenStreams, type StreamsOptions } from '../../gateway/streams/streams.js';
import { GatewayRequest } from '../../gateway/http/prototypes.js';
import { errorBody, statusOf, toHivekeepError } from '../../gateway/http/error-envelope.js';
import { createInProcessBus } from '../../src/bus/in-process.js';
import { followRun } from '../../src/bus/run-events.js';
import { followWorkspace } from '../../src/bus/workspace-events.js';
import type { RunEvent, WorkspaceEvent } from '../../src/domain/model/model.js';
import { patient } from '../helpers/patience.js';
import { answer, ManualClock, topic } from '../unit/bus/support.js';

/** Waits for what the network brings. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + patient(10_000);
  while (!holds()) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
}

export interface Logged {
  level: string;
  fields: object;
  message: string;
}

export interface TestServer {
  server: Server;
  streams: OpenStreams;
  clock: ManualClock;
  port: number;
  stored: RunEvent[];
  logged: Logged[];
  /** Streams that the source side has open. */
  sources(): number;
  /** The server's side of each connection, in the order of their coming. */
  connections: Socket[];
  publishRun(...events: RunEvent[]): void;
  publishWorkspace(...events: WorkspaceEvent[]): void;
  fail: { open: Error | null; read: Error | null };
  openWorkspace(signal: AbortSignal): AsyncIterable<WorkspaceEvent>;
  close(): Promise<void>;
}

export async function startServer(options: Partial<StreamsOptions> & { buffer?: number } = {}): Promise<TestServer> {
  const clock = new ManualClock();
  const bus = createInProcessBus();
  const logged: Logged[] = [];
  const stored: RunEvent[] = [];
  const fail: TestServer['fail'] = { open: null, read: null };
  const log = Object.fromEntries(
    ['debug', 'warn', 'error'].map((level) => [
      level,
      (fields: object, message: string) => logged.push({ level, fields, message }),
    ]),
  ) as unknown as StreamsOptions['log'];
  const streams = createStreams({ clock, log, ...options, tuning: { random: () => 0.5, ...options.tuning } });
  let sources = 0;
  let requests = 0;
  const counted = <E>(source: AsyncIterable<E>): AsyncIterable<E> => ({
    [Symbol.asyncIterator]() {
      const iterator = source[Symbol.asyncIterator]();
      let open = true;
      const left = (): void => {
        if (open) sources--;
        open = false;
      };
      sources++;
      return {
        next: () =>
          iterator.next().then(
            (step) => {
              if (step.done) left();
              return step;
            },
            (error: unknown) => {
              left();
              throw error;
            },
          ),
        return: () => {
          left();
          return iterator.return!();
        },
      };
    },
  });
  const read = (after: number) =>
    fail.read
      ? Promise.reject(fail.read)
      : Promise.resolve({ events: stored.filter((e) => e.seq > after).slice(0, 50), gone: false });
  const openWorkspace = (signal: AbortSignal): AsyncIterable<WorkspaceEvent> => {
    if (fail.open) throw fail.open;
    return counted(followWorkspace({ bus, workspace: 'ws_1', signal, buffer: options.buffer ?? 1000 }));
  };

  const server = createServer({ IncomingMessage: GatewayRequest }, (req, res) => {
    res.setHeader('X-Request-Id', `req_${++requests}`);
    const signal = new AbortController().signal;
    const answered = req.url!.startsWith('/run')
      ? streams.frames(
          req,
          res,
          counted(
            followRun({
              bus,
              read,
              topic,
              lastSeq: Number(req.headers['last-event-id'] ?? 0),
              signal,
              clock,
              pollMs: 15_000,
              buffer: 100,
            }),
          ),
          runFrame,
        )
      : req.url!.startsWith('/v1/events')
        ? streams.frames(req, res, openWorkspace(signal), workspaceFrame(readQuery(req.url!, eventQuery)))
        : plain(req, res);
    answered.catch((thrown: unknown) => {
      const error = toHivekeepError(thrown);
      res.writeHead(statusOf[error.code], { 'Content-Type': 'application/json' }).end(errorBody(error, 'req_refused'));
    });
  });
  const connections: Socket[] = [];
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    server,
    streams,
    clock,
    stored,
    logged,
    fail,
    openWorkspace,
    port: (server.address() as AddressInfo).port,
    connections,
    sources: () => sources,
    publishRun: (...events) => bus.publish('run', topic, events),
    publishWorkspace: (...events) => bus.publish('workspace', { workspace: 'ws_1' }, events),
    close: async () => {
      streams.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** Answers with what it was asked, so that a test sees how a request arrived. */
async function plain(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  res.setHeader('Content-Type', 'application/json');
  res.end(
    JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body: Buffer.concat(chunks).toString() }),
  );
}

/** An HTTP/1.1 client that shows the bytes as they come. */
export class RawClient {
  text = '';
  closed = false;
  readonly socket: Socket;

  constructor(port: number, request: string) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('latin1');
    this.socket.on('data', (chunk: string) => {
      this.text += chunk;
    });
    this.socket.on('close', () => {
      this.closed = true;
    });
    this.socket.on('error', () => undefined);
    this.socket.write(request.replaceAll('\n', '\r\n'));
  }

  get head(): string {
    return this.text.slice(0, this.text.indexOf('\r\n\r\n'));
  }
  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.text)?.[1]);
  }
  /** The body as far as it has come, chunked encoding undone. */
  get body(): string {
    let rest = this.text.slice(this.text.indexOf('\r\n\r\n') + 4);
    let body = '';
    if (!/transfer-encoding: chunked/i.test(this.head)) return rest;
    for (;;) {
      const line = rest.indexOf('\r\n');
      const size = parseInt(rest.slice(0, line), 16);
      if (line < 0 || !(size > 0) || rest.length < line + 2 + size) return body;
      body += rest.slice(line + 2, line + 2 + size);
      rest = rest.slice(line + 2 + size + 2);
    }
  }
  /** The response is over, by its length or with its last chunk: the connection may go on. */
  get ended(): boolean {
    const length = /^content-length: (\d+)/im.exec(this.head)?.[1];
    return length === undefined ? this.text.endsWith('0\r\n\r\n') : this.body.length === Number(length);
  }
  get ids(): number[] {
    return [...this.body.matchAll(/^id: (\d+)$/gm)].map((m) => Number(m[1]));
  }
  destroy(): void {
    this.socket.destroy();
  }
}

export const get = (port: number, path: string, headers = ''): RawClient =>
  new RawClient(port, `GET ${path} HTTP/1.1\nHost: localhost\n${headers}\n`);
export const big = (seq: number, bytes = 64 * 1024): RunEvent => answer(seq, 'x'.repeat(bytes));
