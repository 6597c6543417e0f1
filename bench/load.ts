/**
 * Load from this process on a server in another: raw keep-alive sockets, one request in flight on each, every answer
 * checked for its status, its length and being JSON.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from './harness.js';

export interface LoadOptions {
  port: number;
  connections: number;
  warmMs: number;
  measureMs: number;
  /** The n-th request, whole. */
  request(n: number): Buffer;
  status: number;
  /** Looks at every body; false counts as wrong. */
  check?(body: Buffer): boolean;
}

export interface LoadResult {
  perSecond: number;
  wrong: number;
  p50: number;
  p99: number;
  firstWrong?: string;
}

export function post(path: string, key: string, body: unknown): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

const split = Buffer.from('\r\n\r\n');

export async function load(o: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  const sockets: Socket[] = [];
  const expected = Buffer.from(`HTTP/1.1 ${o.status} `);
  let measuring = false;
  let over = false;
  let answers = 0;
  let wrong = 0;
  let sent = 0;
  let firstWrong: string | undefined;
  const client = (): void => {
    const socket = connect({ port: o.port, host: '127.0.0.1', noDelay: true });
    sockets.push(socket);
    let pending: Buffer | null = null;
    let sentAt = 0;
    const send = (): void => {
      if (over) return;
      sentAt = performance.now();
      socket.write(o.request(sent++));
    };
    socket
      .on('connect', send)
      .on('error', (error) => {
        if (!over) {
          wrong++;
          firstWrong ??= String(error);
        }
      })
      .on('data', (chunk) => {
        const data: Buffer = pending ? Buffer.concat([pending, chunk]) : chunk;
        const end = data.indexOf(split);
        const length = end === -1 ? NaN : contentLength(data, end);
        if (!(data.length >= end + 4 + length)) {
          pending = data;
          return;
        }
        pending = null;
        const body = data.subarray(end + 4);
        if (!(
          data.subarray(0, expected.length).equals(expected) &&
          body.length === length &&
          body[0] === 0x7b &&
          (o.check?.(body) ?? true)
        )) {
          wrong++;
          firstWrong ??= data.toString('utf8', 0, 600);
        }
        if (measuring) {
          answers++;
          if (latencies.length < 1_000_000) latencies.push(performance.now() - sentAt);
        }
        send();
      });
  };
  for (let i = 0; i < o.connections; i++) client();
  await pause(o.warmMs);
  measuring = true;
  const began = performance.now();
  await pause(o.measureMs);
  const seconds = (performance.now() - began) / 1000;
  over = true;
  for (const socket of sockets) socket.destroy();
  if (wrong > 0) throw new Error(`${wrong} wrong answers, the first: ${firstWrong}`);
  return { perSecond: answers / seconds, wrong, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}

function contentLength(data: Buffer, end: number): number {
  const head = data.toString('latin1', 0, end).toLowerCase();
  const at = head.indexOf('content-length: ');
  return at === -1 ? NaN : parseInt(head.slice(at + 16), 10);
}

/** `message/send` of A2A 0.2 and 0.3: a text under a messageId, and `more` params beside the message. */
export const messageSend = (id: number, messageId: string, text: string, more: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method: 'message/send',
  params: { message: { kind: 'message', role: 'user', messageId, parts: [{ kind: 'text', text }] }, ...more },
});
