/** A receiver of pushes on the loopback address, and a push service that is allowed to reach it. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createSystem } from '../../../src/base/system.js';
import { createPush, type PushDeps } from '../../../src/push/push.js';
import type { Push } from '../../../src/push/port.js';
import { createLog } from '../../../src/telemetry/pino-log.js';
import { testTls } from '../gateway/tls-fixture.js';
import { patient } from '../../helpers/patience.js';

export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  servername: string | false | null | undefined;
}
export interface Receiver {
  port: number;
  received: Received[];
  /** Connections opened so far, and those that the other side has not closed. */ connections: number;
  open: Set<Socket>;
  close(): Promise<void>;
}

const listen = (server: TcpServer): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });

/** Counts what arrives at a server; `received` is filled by whoever reads HTTP on it. */
async function counted(server: TcpServer): Promise<Receiver> {
  const all = new Set<Socket>();
  const receiver: Receiver = {
    port: 0,
    received: [],
    connections: 0,
    open: new Set(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of all) socket.destroy();
      }),
  };
  server.on('connection', (socket: Socket) => {
    receiver.connections++;
    receiver.open.add(socket);
    all.add(socket);
    const gone = (): void => {
      receiver.open.delete(socket);
    };
    socket.on('error', gone).on('end', gone).on('close', gone); // a server whose answer is not over keeps its half open
  });
  receiver.port = await listen(server);
  return receiver;
}

/** Notes each request when its body is there, then lets `answer` answer. */
export async function receive(answer: RequestListener, secure = false): Promise<Receiver> {
  let receiver: Receiver | undefined;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        receiver?.received.push({
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
          servername: (request.socket as TLSSocket).servername,
        });
        answer(request, response);
      });
  };
  const server: Server = secure ? createSecureServer(testTls, listener) : createServer(listener);
  return (receiver = await counted(server));
}

/** Speaks no HTTP of its own. */
export const receiveRaw = (speak: (socket: Socket) => void): Promise<Receiver> => counted(createTcpServer(speak));

export interface Sender {
  push: Push;
  logged: string[];
}

/** All names lead to the loopback address, where it is allowed. */
export function sender(parts: Partial<PushDeps> = {}): Sender {
  const logged: string[] = [];
  const push = createPush({
    allow: ['127.0.0.1', 'localhost', 'hooks.example.com'],
    timeoutMs: 5000,
    maxResponseBytes: 64 * 1024,
    userAgent: 'hivekeep/test',
    bodyOf: (item) => ({
      contentType: 'task' in item && item.config.version === '1.0' ? 'application/a2a+json' : 'application/json',
      body: JSON.stringify('task' in item ? item.task : item.event),
    }),
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    log: createLog({
      level: 'trace',
      format: 'json',
      write: (line) => {
        logged.push(line);
      },
    }),
    clock: createSystem().clock,
    ...parts,
  });
  return { push, logged };
}

/** Resolves when `condition` holds; rejects, saying what was waited for, when it takes too long. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const end = Date.now() + patient(3000);
  while (!condition()) {
    if (Date.now() > end) throw new Error(`did not happen: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
