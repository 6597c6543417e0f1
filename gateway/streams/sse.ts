/**
 * Server-sent events (WHATWG HTML, 9.2) on a plain ServerResponse: the only place that frames them, for REST and A2A.
 *
 * Invariants
 *  - A frame is one event whatever its data: `data` is one line of JSON, and an id or event name with CR, LF or NUL is
 *    refused. The other line ends of Unicode are escaped, because some parsers end a line at them, too (Python's
 *    httpx).
 *  - Nothing is written before the source has started (pump.ts, StreamPump.P6); the caller answers an error until
 *    then.
 *  - When a stream ends before its source, `retry:` tells the client when to reconnect, and a client that reconnects
 *    with Last-Event-ID resumes where it was. At a shutdown the delay is randomised, so that not all clients reconnect
 *    at once.
 *  - The failure of a source is sent as an event, by default `event: error` with the error envelope of docs/api.md
 *    7.1.
 *  - A reader that disconnects ends the stream, but not the run that it follows.
 *  - Only a frame ends a block with an empty line. `retry:` and comments end with one newline and so belong to the
 *    block of the next frame: some parsers (Python's httpx-sse) make an event with empty data of a block without data.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonLine } from './json-line.js';
import { errorObject, toHivekeepError } from '../http/error-envelope.js';
import type { Endings, SseFrame } from './port.js';
import type { End, Ended, Pump, Sink, StreamHandle } from './pump.js';

export interface SseOptions extends Endings {
  /** The value of `retry:`, ms. */
  retryMs: number;
  random: () => number;
}

/** The headers of every stream, whole or open. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * Writes `source` to `res` until either ends, and resolves with the way it ended. `frameOf` encodes an item, or returns
 * null to skip it. Rejects, with nothing written, if the source or the pump refuses; headers already set are kept.
 */
export function pumpSse<T>(
  pump: Pump,
  req: IncomingMessage,
  res: ServerResponse,
  source: AsyncIterable<T>,
  frameOf: (item: T) => SseFrame | null,
  options: SseOptions,
): Promise<Ended> {
  return pump.run(source, (handle) => {
    const sink = new SseSink(res, frameOf, options, handle);
    // no `close` event will follow if the socket was already gone when we began to listen
    if (res.destroyed || !res.socket || res.socket.destroyed) queueMicrotask(() => handle.closed());
    else sink.open(req.method === 'HEAD');
    return sink;
  });
}

class SseSink<T> implements Sink<T> {
  private readonly frameOf: (item: T) => SseFrame | null;

  constructor(
    private readonly res: ServerResponse,
    frameOf: (item: T) => SseFrame | null,
    private readonly options: SseOptions,
    private readonly handle: StreamHandle,
  ) {
    this.frameOf = frameOf;
  }

  open(headOnly: boolean): void {
    const res = this.res;
    const handle = this.handle;
    res.on('close', () => handle.closed());
    res.on('error', () => handle.closed());
    res.on('drain', () => handle.drained());
    res.writeHead(200, streamHeaders);
    if (headOnly) {
      res.end();
      return;
    }
    // As a piece of its own, because the head is made of dozens of strings, which are kept until it is written alone.
    // All that is written in this turn still goes out at once.
    const { socket } = res;
    socket?.cork();
    process.nextTick(() => socket?.uncork());
    res.flushHeaders();
    res.write(`retry: ${this.options.retryMs}\n`);
  }

  write(item: T): boolean {
    const frame = this.frameOf(item);
    return frame === null || this.put(encodeFrame(frame));
  }

  beat(): boolean {
    return this.put(': heartbeat\n');
  }

  /** The response to HEAD is complete as soon as the first event arrives. */
  private put(text: string): boolean {
    return this.res.writableEnded || this.res.write(text);
  }

  finish(end: Exclude<End, 'left'>, error: unknown): void {
    const res = this.res;
    const { retryMs, random } = this.options;
    switch (end) {
      case 'finished':
        res.end();
        return;
      case 'slow':
        res.destroy();
        return;
      case 'time':
        if (this.options.aged) res.write(encodeFrame(this.options.aged()));
        res.end(`: the stream's time is up, come back with Last-Event-ID\nretry: ${retryMs}\n`);
        return;
      case 'failed':
        res.end(encodeFrame(this.options.failed?.(error) ?? envelopeFrame(error, res)));
        return;
      case 'shutdown': {
        const { socket } = res; // kept, because the response drops its socket when it has ended
        res.end(
          `: the server is going away, come back with Last-Event-ID\nretry: ${retryMs + Math.floor(random() * 4 * retryMs)}\n`,
          () => socket?.destroySoon(),
        );
      }
    }
  }

  destroy(): void {
    this.res.destroy();
  }
}

/** Encodes one event; throws TypeError for input that cannot be one. */
export function encodeFrame(frame: SseFrame): string {
  const { id, event } = frame;
  const json = frame.text === undefined ? jsonLine(frame.data) : oneLine(frame.text);
  if (json === undefined) throw new TypeError('the data of an event must be JSON');
  return `${id === undefined ? '' : `id: ${oneLine(id)}\n`}${event === undefined ? '' : `event: ${oneLine(event)}\n`}data: ${json}\n\n`;
}

function oneLine(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new TypeError('an id or event name must not contain CR, LF or NUL');
  return text;
}

const envelopeFrame = (error: unknown, res: ServerResponse): SseFrame => ({
  event: 'error',
  data: errorObject(toHivekeepError(error), requestIdOf(res)),
});

/** The request id that the gateway has set on the response. */
export function requestIdOf(res: ServerResponse): string {
  const id = res.getHeader('X-Request-Id');
  return typeof id === 'string' ? id : 'req_';
}
