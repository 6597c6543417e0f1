/**
 * Streams over WebSocket (RFC 6455): a handshake at the path of the workspace's live events is a request like any
 * other, with the same checks, limits and route, whose events are text frames of JSON. Clients send nothing.
 *
 * Authentication. `Authorization: Bearer <key>`. Browsers cannot set that header, so the subprotocol `bearer.<key>` is
 * accepted too, but never the query string, because it ends up in logs. A browser requires that the server selects one
 * of the subprotocols it offers, so it offers `hivekeep` beside the key: that one is selected, because headers of
 * responses end up in logs, too. Without it the handshake is refused. There are no cookies and no other ambient credentials, so a foreign origin
 * gains nothing. The Origin header is checked only if HIVEKEEP_CORS_ORIGINS names origins: then the handshake of a page
 * from any other origin than those and our own is refused.
 *
 * Invariants
 *  - A refusal is sent before the upgrade, as plain HTTP with the envelope of docs/api.md 7.1. Checks run in the order
 *    of the other routes: head, https, credential, limits, origin, scope, filter, capacity, handshake. The checks of
 *    the head are those of every request (http/head.ts).
 *  - Requests for other upgrades or paths are served as plain requests (http/prototypes.ts). A pipelined handshake is
 *    not parsed before the requests before it have been answered (limits/intake.ts).
 *  - Close codes: 1000 the source has ended; 1001 the maximum duration is reached or the server shuts down; 1008 the
 *    client sent something, or its key was revoked or has expired; 1009 it sent something too long; 1011 an internal
 *    error; 1013 the reader is too slow or the server too busy.
 *  - A peer that has not answered a ping by the next heartbeat is disconnected.
 *  - The memory held for one reader is bounded by `highWater` and one event; pings of a reader that reads nothing are
 *    not answered.
 *  - One frame of a client is handled in a turn of the event loop, and more than `mostFrames` of them between two
 *    heartbeats close the connection with 1008. Browsers send none by themselves, and clients one ping in a while.
 *  - A WebSocket is one request in progress until its connection has ended, as its response is.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { HivekeepError, invalid } from '../../src/domain/shared/errors.js';
import type { SseFrame } from './port.js';
import type { Ended, Pump } from './pump.js';
import { WebSocketSink } from './websocket-sink.js';

/** Clients are expected to send control frames only, which have at most 125 bytes. */
const maxInbound = 1024;
const subprotocol = 'hivekeep';
/** Of the headers that every response has, those that the response to a handshake has, too. */
const shownHeaders = [
  'X-Request-Id',
  'X-Client-Request-Id',
  'Strict-Transport-Security',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Policy',
];

interface Handshake {
  res: ServerResponse;
  /** What came behind its head. */
  head: Buffer;
}

const handshakes = new WeakMap<IncomingMessage, Handshake>();

/** Has a handshake answered on its connection as other requests are. The connection closes behind a refusal. */
export function beginHandshake(req: IncomingMessage, res: ServerResponse, socket: Socket, head: Buffer): void {
  handshakes.set(req, { res, head });
  socket.on('error', ignore); // until another listener is registered
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.on('finish', () => {
    socket.destroySoon();
  });
}

export const isHandshake = (req: IncomingMessage): boolean => handshakes.has(req);

/** As `pumpSse`, to a client that asked for a WebSocket. */
export function pumpWebSocket<T>(
  pump: Pump,
  req: IncomingMessage,
  source: AsyncIterable<T>,
  frameOf: (item: T) => SseFrame | null,
): Promise<Ended> {
  return pump.run(source, (handle) => {
    if (req.socket.destroyed) throw new HivekeepError('UNAVAILABLE', 'the client has left');
    return new WebSocketSink(shakeHands(req), handle, frameOf);
  });
}

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: maxInbound,
  autoPong: false,
  allowSynchronousEvents: false, // one frame a turn
  handleProtocols: chooseProtocol,
});
server.on('headers', (headers, req) => {
  const res = handshakes.get(req)?.res;
  for (const name of shownHeaders) {
    const value = res?.getHeader(name);
    if (value !== undefined) headers.push(`${name}: ${String(value)}`);
  }
});
let broken: Error | null = null;
server.on('wsClientError', (error) => {
  broken = error;
});

/** Synchronous: when it returns, the connection is a WebSocket; when it throws, nothing has been sent. */
function shakeHands(req: IncomingMessage): WebSocket {
  const { res, head = Buffer.alloc(0) } = handshakes.get(req) ?? {};
  const offered = (req.headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  if (offered.some((protocol) => protocol.startsWith('bearer.')) && !offered.includes(subprotocol))
    throw invalid({
      path: 'Sec-WebSocket-Protocol',
      message: 'must offer `hivekeep` beside the key, because the key is not sent back',
    });
  let made: WebSocket | null = null;
  broken = null;
  server.handleUpgrade(req, req.socket, head, (ws) => {
    made = ws;
  });
  if (made === null)
    throw invalid({
      path: 'Upgrade',
      message: `must be a WebSocket handshake${broken === null ? '' : ` (${(broken as Error).message})`}`,
    });
  req.socket.off('error', ignore);
  if (res !== undefined) res.statusCode = 101;
  return made;
}

function chooseProtocol(protocols: Set<string>): string | false {
  return protocols.has(subprotocol) && subprotocol;
}

const ignore = (): void => undefined;
