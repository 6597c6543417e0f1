/**
 * The workspace's live events over WebSocket (RFC 6455): the same events, scope (agent:read) and limits as the SSE
 * route. Each event is one text frame of JSON; clients send nothing.
 *
 * Authentication. `Authorization: Bearer <key>`. Browsers cannot set that header, so the subprotocol `bearer.<key>` is
 * accepted too, but never the query string, because it ends up in logs. A browser requires that the server selects one
 * of the subprotocols it offers: if it offers `hivekeep` beside the key, that one is selected; otherwise the key's own
 * is echoed to the client that sent it. There are no cookies and no other ambient credentials, so a foreign origin
 * gains nothing. The Origin header is checked only if HIVEKEEP_CORS_ORIGINS names origins: then the handshake of a page
 * from any other origin than those and our own is refused.
 *
 * Invariants
 *  - A refusal is sent before the upgrade, as plain HTTP with the envelope of docs/api.md 7.1. Checks run in the order
 *    of the other routes: head, https, credential, limits, origin, scope, filter, handshake, capacity. The checks of
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
 *  - A WebSocket counts as one request in progress until it has ended, and every response carries the
 *     rate-limit headers (docs/api.md 8.3).
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { HivekeepError, invalid } from '../../src/domain/errors.js';
import type { WorkspaceEvent } from '../../src/domain/model.js';
import type { Principal } from '../../src/service.js';
import { credentialIn } from '../auth/bearer.js';
import { httpsRequired } from '../auth/https-only.js';
import { requireScope } from '../auth/scopes.js';
import { toHivekeepError } from '../http/error-envelope.js';
import { checkHandshake } from '../http/head.js';
import type { GatewayRequest } from '../http/prototypes.js';
import { clientRequestId } from '../http/request-id.js';
import { rawErrorResponse } from '../http/responder.js';
import { hsts } from '../http/security-headers.js';
import type { Admission } from '../limits/port.js';
import { eventFilter } from './events.js';
import type { Upgrades } from './port.js';
import { logEnd, type Pump } from './pump.js';
import { WebSocketSink } from './websocket-sink.js';
import type { Logger } from '../../src/telemetry/logger-port.js';

/** Clients are expected to send control frames only, which have at most 125 bytes. */
const maxInbound = 1024;
export const subprotocol = 'hivekeep';

export interface WebSocketDeps extends Upgrades {
  server: Server;
  pump: Pump;
  log: Pick<Logger, 'debug' | 'warn' | 'error'>;
}

export function attachWebSocket(options: WebSocketDeps): void {
  const ids = new WeakMap<IncomingMessage, AnswerHeaders>();
  const wss = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxInbound,
    autoPong: false,
    allowSynchronousEvents: false, // one frame a turn
    handleProtocols: chooseProtocol,
  });
  wss.on('headers', (headers, req) => {
    for (const [name, value] of Object.entries(ids.get(req) ?? {})) headers.push(`${name}: ${value}`);
  });
  let broken: Error | null = null;
  wss.on('wsClientError', (error) => {
    broken = error;
  });

  /** Synchronous: when it returns, the connection is a WebSocket; when it throws, nothing has been sent. */
  function shakeHands(req: IncomingMessage, socket: Duplex, head: Buffer): WebSocket {
    let made: WebSocket | null = null;
    broken = null;
    wss.handleUpgrade(req, socket, head, (ws) => {
      made = ws;
    });
    if (made === null)
      throw invalid({
        path: 'Upgrade',
        message: `must be a WebSocket handshake${broken === null ? '' : ` (${(broken as Error).message})`}`,
      });
    return made;
  }

  options.server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', ignore); // until another listener is registered
    const id = options.requestId();
    const headers = requestHeaders(req, id);
    if (options.https?.(req)) Object.assign(headers, hsts);
    ids.set(req, headers);
    serve(options, req, headers, socket, () => shakeHands(req, socket, head)).catch((error: unknown) =>
      refuse(options.log, socket, error, headers),
    );
  });
}

/** `headers` are sent with the response whether it accepts or refuses; the rate-limit headers are added to them. */
async function serve(
  options: WebSocketDeps,
  req: IncomingMessage,
  headers: AnswerHeaders,
  socket: Duplex,
  shakeHands: () => WebSocket,
): Promise<void> {
  const secure = options.secure(req);
  const gone = new AbortController();
  const { principal, refusal, release } = await admit(options, req, headers, secure);
  try {
    if (refusal !== undefined) throw refusal;
    if (!secure) throw httpsRequired();
    if (options.admits?.(req) === false)
      throw invalid({ path: 'Origin', message: 'must be one of those that HIVEKEEP_CORS_ORIGINS names' });
    const caller = requireScope(principal, 'agent:read');
    const wanted = eventFilter(req.url ?? '');
    const ended = await options.pump.run<WorkspaceEvent>(options.open(caller, gone.signal), (handle) => {
      if (socket.destroyed) throw new HivekeepError('UNAVAILABLE', 'the client has left');
      const ws = shakeHands();
      socket.off('error', ignore);
      return new WebSocketSink(ws, handle, wanted);
    });
    logEnd(options.log, ended, headers['X-Request-Id']);
  } finally {
    gone.abort();
    release?.();
  }
}

/** Resolves the principal and applies the limits. If plain HTTP is not allowed, the credential is not read. */
async function admit(
  options: WebSocketDeps,
  req: IncomingMessage,
  headers: AnswerHeaders,
  secure: boolean,
): Promise<Partial<Admission> & { principal: Principal | null }> {
  const { limits } = options;
  try {
    const fault = headFault(req);
    if (fault !== null) {
      const admission = await limits?.admit(req, null, headers['X-Request-Id']);
      Object.assign(headers, admission?.headers);
      return { ...admission, refusal: admission?.refusal ?? fault, principal: null };
    }
    const credential = secure ? credentialOf(req) : null;
    const principal = credential === null ? null : await options.authenticate(credential);
    const admission = await limits?.admit(req, principal, headers['X-Request-Id']);
    Object.assign(headers, admission?.headers);
    return { ...admission, principal };
  } catch (error) {
    Object.assign(headers, limits?.uncounted());
    throw error;
  }
}

function headFault(req: IncomingMessage): HivekeepError | null {
  try {
    checkHandshake(req as GatewayRequest);
    return null;
  } catch (error) {
    return toHivekeepError(error);
  }
}

function credentialOf(req: IncomingMessage): string | null {
  if (req.headers.authorization !== undefined || req.headers['x-api-key'] !== undefined)
    return credentialIn(req.headers);
  return (
    offered(req)
      .find((protocol) => protocol.startsWith('bearer.'))
      ?.slice('bearer.'.length) ?? null
  );
}

const offered = (req: IncomingMessage): string[] =>
  (req.headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());

function chooseProtocol(protocols: Set<string>): string | false {
  return protocols.has(subprotocol)
    ? subprotocol
    : ([...protocols].find((protocol) => protocol.startsWith('bearer.')) ?? false);
}

/** Headers of the response to an upgrade request, accepted or refused. */
type AnswerHeaders = Record<string, string> & { 'X-Request-Id': string };

function requestHeaders(req: IncomingMessage, id: string): AnswerHeaders {
  const theirs = req.headers['x-request-id'];
  const clientId = typeof theirs === 'string' ? clientRequestId(theirs) : null;
  return { 'X-Request-Id': id, ...(clientId === null ? {} : { 'X-Client-Request-Id': clientId }) };
}

function refuse(
  log: Pick<Logger, 'debug' | 'warn' | 'error'>,
  socket: Duplex,
  thrown: unknown,
  headers: AnswerHeaders,
): void {
  const error = toHivekeepError(thrown);
  const id = headers['X-Request-Id'];
  if (error.code === 'INTERNAL_ERROR')
    log.error(
      { event: 'websocket.failed', err: error.cause ?? error, request_id: id },
      'a WebSocket could not be opened',
    );
  if (socket.destroyed) return;
  socket.once('finish', () => socket.destroy());
  socket.end(rawErrorResponse(error, id, headers));
}

const ignore = (): void => undefined;
