/** Streams from this process: raw sockets, each request's stream read to its end, then the next one. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoadResult } from './load.js';
import { percentile } from './harness.js';

export interface SseOptions {
  port: number;
  connections: number;
  warmMs: number;
  measureMs: number;
  request(n: number): Buffer;
  /** What the last frame has in it. */
  last: string;
}

/** Streams that came to their last frame, a second. */
export async function sseLoad(o: SseOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  const sockets = new Set<Socket>();
  const last = Buffer.from(o.last);
  const end = Buffer.from('\r\n0\r\n\r\n');
  let measuring = false;
  let over = false;
  let streams = 0;
  let wrong = 0;
  let sent = 0;
  let firstWrong: string | undefined;
  const client = (): void => {
    const socket = connect({ port: o.port, host: '127.0.0.1', noDelay: true });
    sockets.add(socket);
    let data: Buffer[] = [];
    let began = 0;
    const send = (): void => {
      if (over) return;
      began = performance.now();
      data = [];
      socket.write(o.request(sent++));
    };
    const finished = (): void => {
      const whole = Buffer.concat(data);
      if (!whole.subarray(0, 13).equals(Buffer.from('HTTP/1.1 200 ')) || !whole.includes(last)) {
        wrong++;
        firstWrong ??= whole.toString('utf8', 0, 1500);
      }
      if (measuring) {
        streams++;
        latencies.push(performance.now() - began);
      }
    };
    let ended = false;
    socket
      .on('connect', send)
      .on('error', () => undefined)
      .on('data', (chunk) => {
        data.push(chunk);
        // the end of the answer: the connection may be used again
        if (
          isWhole(data) ||
          chunk.subarray(-end.length + 2).equals(end.subarray(2)) ||
          Buffer.concat(data.slice(-2)).subarray(-end.length).equals(end)
        ) {
          ended = true;
          finished();
          send();
          ended = false;
        }
      })
      .on('close', () => {
        sockets.delete(socket);
        if (over) return;
        if (data.length > 0 && !ended) finished();
        client();
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
  if (wrong > 0) throw new Error(`${wrong} wrong streams, the first: ${firstWrong}`);
  return { perSecond: streams / seconds, wrong, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}

/** Whether this is all of an answer that says its length. */
function isWhole(pieces: readonly Buffer[]): boolean {
  const whole = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
  const head = whole?.indexOf('\r\n\r\n') ?? -1;
  if (whole === undefined || head === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(whole.toString('latin1', 0, head))?.[1];
  return length !== undefined && whole.length === head + 4 + Number(length);
}
