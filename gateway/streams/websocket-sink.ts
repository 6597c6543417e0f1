/** An open WebSocket as the sink of a stream; websocket.ts states the invariants. */
import type { WebSocket } from 'ws';
import { toHivekeepError } from '../http/error-envelope.js';
import { jsonLine } from './json-line.js';
import type { SseFrame } from './port.js';
import type { End, Sink, StreamHandle } from './pump.js';

/** Unsent bytes beyond which the reader counts as blocked. */
const highWater = 64 * 1024;
/** Pings and pongs of a client between two heartbeats. */
const mostFrames = 16;

export class WebSocketSink<T> implements Sink<T> {
  private readonly frameOf: (item: T) => SseFrame | null;
  private readonly sent: () => void;
  private answered = true;
  /** Pings and pongs since the last heartbeat. */
  private frames = 0;

  constructor(
    private readonly ws: WebSocket,
    handle: StreamHandle,
    frameOf: (item: T) => SseFrame | null,
  ) {
    this.frameOf = frameOf;
    this.sent = () => {
      if (!this.full) handle.drained();
    };
    ws.on('close', () => handle.closed());
    ws.on('error', () => undefined); // `close` follows
    ws.on('pong', () => {
      this.answered = true;
      this.count(handle);
    });
    ws.on('ping', (data) => {
      if (this.count(handle) && ws.readyState === ws.OPEN && !this.full) ws.pong(data);
    });
    ws.on('message', () => {
      ws.close(1008, 'this stream takes no messages');
      handle.closed(); // the source need not wait until the peer completes the closing handshake
    });
  }

  /** Whether it may go on. */
  private count(handle: StreamHandle): boolean {
    if (++this.frames <= mostFrames) return true;
    this.ws.removeAllListeners('ping').removeAllListeners('pong');
    this.ws.close(1008, 'too many pings');
    this.ws.terminate(); // what it has sent already is not read
    handle.closed();
    return false;
  }

  private get full(): boolean {
    return this.ws.bufferedAmount > highWater;
  }

  write(item: T): boolean {
    const frame = this.frameOf(item);
    if (frame !== null) this.ws.send(jsonLine(frame.data) ?? '', this.sent);
    return !this.full;
  }

  beat(): boolean {
    if (!this.answered) {
      this.ws.terminate();
      return true;
    }
    this.answered = false;
    this.frames = 0;
    if (this.ws.readyState === this.ws.OPEN) this.ws.ping(undefined, undefined, this.sent);
    return !this.full;
  }

  finish(end: Exclude<End, 'left'>, error: unknown): void {
    this.ws.close(...closing(end, error));
  }

  destroy(): void {
    this.ws.terminate();
  }
}

function closing(end: Exclude<End, 'left'>, error: unknown): [code: number, reason: string] {
  switch (end) {
    case 'finished':
      return [1000, ''];
    case 'time':
      return [1001, "the stream's time is up, connect again"];
    case 'shutdown':
      return [1001, 'the server is going away, connect again'];
    case 'slow':
      return [1013, 'the reader does not keep up'];
    case 'failed': {
      const { code, message } = toHivekeepError(error);
      // a close reason is at most 123 bytes
      if (code === 'UNAUTHENTICATED') return [1008, message.slice(0, 120)];
      return code === 'UNAVAILABLE' ? [1013, message.slice(0, 40)] : [1011, 'something went wrong on our side'];
    }
  }
}
