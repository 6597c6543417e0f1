/**
 * The workspace's live events over WebSocket (RFC 6455): the same events, scope (agent:read) and limits as the SSE
 * route, one event as JSON in each text frame, nothing the other way.
 *
 * Who. `Authorization: Bearer <key>`; browsers cannot set that, so also the subprotocol `bearer.<key>`. Never the query
 * string: it ends up in logs. A browser insists on one of the subprotocols that it offers being chosen: offer
 * `hivekeep` beside the key, which is then the one chosen, or the key's own is echoed to the one who sent it. There are
 * no cookies and no other ambient credentials, so a foreign Origin gains nothing. It is looked at only where
 * HIVEKEEP_CORS_ORIGINS names origins: then the handshake of a page that is neither among them nor our own is refused.
 *
 * Invariants
 *  1. What is refused is refused before the upgrade, as plain HTTP with the envelope of docs/api.md 7.1, in the order
 *     of the other routes: head, https, credential, limits, origin, scope, filter, handshake, room. The checks of the
 *     head are those of every request (http/head.ts).
 *  2. Requests for other upgrades or paths are served as if they had asked for none (declined-upgrade.ts). A handshake
 *     that was sent ahead waits until the requests before it have been answered.
 *  3. Close codes: 1000 the source has ended, 1001 time is up or the server goes away, 1008 the client sent something,
 *     or its key was revoked or has expired, 1009 something long, 1011 a fault of ours, 1013 the reader is too slow or
 *     we are too busy.
 *  4. A peer that has not answered a ping by the next heartbeat is gone.
 *  5. What waits in memory for one reader is bounded: `highWater` and one event; pings of a reader that reads nothing
 *     are not answered.
 *  6. A WebSocket counts as one request in progress until it has ended, and every answer tells of the limits
 *     (docs/api.md 8.3).
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { HivekeepError, invalid } from '../../src/domain/errors.js';
import type { WorkspaceEvent } from '../../src/domain/model.js';
import type { Principal } from '../../src/service.js';
import { bearerOf } from '../auth/bearer.js';
import { httpsRequired } from '../auth/https-only.js';
import { requireScope } from '../auth/scopes.js';
import { toHivekeepError } from '../http/error-envelope.js';
import { checkHandshake } from '../http/head.js';
import type { GatewayRequest } from '../http/prototypes.js';
import { clientRequestId } from '../http/request-id.js';
import { rawErrorResponse } from '../http/responder.js';
import { hsts } from '../http/security-headers.js';
import type { Admission } from '../limits/port.js';
import { eventFilter } from './filter.js';
import { declineUpgrade, whenAnswered } from './declined-upgrade.js';
import type { Upgrades } from './port.js';
import { logEnd } from './log-end.js';
import type { Pump } from './pump.js';
import { WebSocketSink } from './websocket-sink.js';
import type { Logger } from '../../src/telemetry/logger.js';

/** Nothing is expected of a client but control frames, which are at most 125 bytes. */
const maxInbound = 1024;
export const subprotocol = 'hivekeep';

export interface WebSocketOptions extends Upgrades {
  server: Server;
  pump: Pump;
  log: Pick<Logger, 'debug' | 'warn' | 'error'>;
}

export function attachWebSocket(options: WebSocketOptions): void {
  const ids = new WeakMap<IncomingMessage, AnswerHeaders>();
  const wss = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxInbound,
    autoPong: false,
    handleProtocols: chooseProtocol,
  });
  wss.on('headers', (headers, req) => {
    for (const [name, value] of Object.entries(ids.get(req) ?? {})) headers.push(`${name}: ${value}`);
  });
  let broken: Error | null = null;
  wss.on('wsClientError', (error) => {
    broken = error;
  });

  /** Called and answered in one turn: either the connection is a WebSocket now, or nothing has been sent. */
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
    socket.on('error', ignore); // while nobody else listens
    if (req.method !== 'GET' || req.headers.upgrade?.toLowerCase() !== 'websocket' || pathOf(req) !== options.path) {
      declineUpgrade(options.server, req, socket, head);
      return;
    }
    const id = options.requestId();
    const headers = requestHeaders(req, id);
    if (options.https?.(req)) Object.assign(headers, hsts);
    ids.set(req, headers);
    whenAnswered(socket, () => {
      serve(options, req, headers, socket, () => shakeHands(req, socket, head)).catch((error: unknown) =>
        refuse(options.log, socket, error, headers),
      );
    });
  });
}

/** `headers` go on the answer, whichever it is: those of the limits are put among them. */
async function serve(
  options: WebSocketOptions,
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

/** Who asks, and whether they may by the limits. Over plain HTTP where it is not allowed the credential is not looked at. */
async function admit(
  options: WebSocketOptions,
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
  if (req.headers.authorization !== undefined) return bearerOf(req.headers.authorization);
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

/** What an answer to an upgrade carries, accepted or refused. */
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
    log.error({ err: error.cause ?? error, request_id: id }, 'a WebSocket could not be opened');
  if (socket.destroyed) return;
  socket.once('finish', () => socket.destroy());
  socket.end(rawErrorResponse(error, id, headers));
}

const pathOf = (req: IncomingMessage): string => (req.url ?? '').split('?', 1)[0] ?? '';
const ignore = (): void => undefined;
