/**
 * Writes every response that is not a stream.
 *
 * Invariants
 *  - There is exactly one response for each request; after the headers are sent, a failure closes the
 *     connection instead of mixing two responses.
 *  - A response has Content-Length and, up to 64 KiB, is a single write. No ETag is computed and no template
 *     is rendered.
 *  - A client that is still sending a body which nobody will read gets the whole response first: the rest of the body
 *    is drained, bounded in bytes and time, before the connection is closed. Closing at once would reset the
 *    connection and lose the response.
 *  - A response whose status is decided and whose JSON is still waited for (`keepAlive`) begins when most proxies are
 *    about to give it up: with its head and white space, which JSON may begin with. It has no Content-Length then. What
 *    fails afterwards cuts the connection, so that no client takes it for an answer.
 *  - While the gateway drains, every response closes its connection.
 *  - The memory held by responses that wait for their readers is bounded (below).
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../src/domain/shared/clock.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import { BodyBudget, ClientGone } from './body.js';
import { httpJsonType, plainStatus } from '../../src/a2a/rpc.js';
import { openAiError, openAiRoot } from '../openai/errors.js';
import type { MetricsSink } from '../options.js';
import { errorBody, errorHeaders, statusOf, toHivekeepError } from './error-envelope.js';
import type { GatewayRequest } from './prototypes.js';
import { securityHeaders } from './head.js';
import type { Logger } from '../../src/telemetry/logger-port.js';
import { traceFields } from '../../src/telemetry/tracing.js';

/*
 * Bounds the memory held by responses while slow readers take them.
 *
 * Invariants
 *  - A large body is written in pieces, each after the reader has taken the previous one, so that at most one piece is
 *    copied into buffers in addition to the body itself.
 *  - The total held by unfinished responses is bounded as that of bodies is (body.ts). Where there is no room,
 *    the response of a request without effect becomes a 503; that of a request with an effect is sent all the same.
 *  - A response of which nothing was taken for `stallMs` is aborted together with its connection. One that waits
 *    behind others of its connection is not counted as stalled: the others are.
 *  - A response that its connection accepts at once costs one check and no bookkeeping.
 */

export const stallMs = 30_000;
/** Larger bodies are written in pieces of this size. */
const pieceBytes = 64 * 1024;

interface HeldResponse {
  readonly res: ServerResponse;
  /** Ends it when nothing was taken for `stallMs`. */
  cancelStall: () => void;
  release: () => void;
}

export class Responses {
  private readonly budget: BodyBudget;
  /** By connection, because a response that never gets its turn is not told when its connection closes. */
  private readonly waiting = new WeakMap<Socket, Set<HeldResponse>>();

  constructor(
    private readonly clock: Clock,
    max?: number,
  ) {
    this.budget = new BodyBudget(max);
  }

  get held(): number {
    return this.budget.held;
  }

  /** Whether there is no room for even one more held response. */
  isFull(workspace: string): boolean {
    return !this.budget.hasRoom(workspace, pieceBytes);
  }

  /** Whether there is room for `bytes` more. */
  hasRoom(workspace: string, bytes: number): boolean {
    return bytes <= pieceBytes || this.budget.hasRoom(workspace, bytes);
  }

  /** Sends the body of a response whose head is already written. */
  send(socket: Socket, res: ServerResponse, workspace: string, body: string | Buffer, bytes: number): void {
    if (bytes <= pieceBytes) {
      res.end(body);
      if (res.writableLength > 0 && !res.writableFinished) this.hold(socket, res, workspace, bytes);
      return;
    }
    const held = this.hold(socket, res, workspace, bytes);
    const whole = typeof body === 'string' ? Buffer.from(body) : body;
    let at = 0;
    const more = (): void => {
      this.awaitReader(held);
      while (at < whole.length) {
        const piece = whole.subarray(at, at + pieceBytes);
        at += piece.length;
        if (!res.write(piece) && at < whole.length) {
          res.once('drain', more);
          return;
        }
      }
      res.end();
    };
    more();
  }

  private awaitReader(held: HeldResponse): void {
    const { res } = held;
    held.cancelStall();
    held.cancelStall = this.clock.after(stallMs, () => {
      if (res.socket === null && !res.destroyed) this.awaitReader(held);
      else res.destroy();
    });
  }

  private hold(socket: Socket, res: ServerResponse, workspace: string, bytes: number): HeldResponse {
    this.budget.add(workspace, bytes);
    const waiting = this.waitingOn(socket);
    let released = false;
    const held: HeldResponse = {
      res,
      cancelStall: () => undefined,
      release: () => {
        if (released) return;
        released = true;
        this.budget.give(workspace, bytes);
        held.cancelStall();
        waiting.delete(held);
      },
    };
    waiting.add(held);
    this.awaitReader(held);
    res.once('finish', held.release).once('close', held.release);
    return held;
  }

  private waitingOn(socket: Socket): Set<HeldResponse> {
    const known = this.waiting.get(socket);
    if (known) return known;
    const made = new Set<HeldResponse>();
    this.waiting.set(socket, made);
    socket.once('close', () => {
      for (const held of [...made]) held.release();
    });
    return made;
  }
}

export const tooManyResponses = (): HivekeepError =>
  new HivekeepError('UNAVAILABLE', 'too many responses are waiting for their readers: read them, or ask for less', {
    retryAfter: 1,
  });

export interface Responder {
  json(
    req: GatewayRequest,
    res: ServerResponse,
    status: number,
    value: unknown,
    headers?: Record<string, string>,
  ): void;
  text(
    req: GatewayRequest,
    res: ServerResponse,
    status: number,
    contentType: string,
    text: string | Buffer,
    headers?: Record<string, string>,
  ): void;
  /** Writes a response without a body: 204 or 304, which have no Content-Length either (RFC 9110, 8.6). */
  empty(req: GatewayRequest, res: ServerResponse, status: 204 | 304, headers?: Record<string, string>): void;
  fail(req: GatewayRequest, res: ServerResponse, thrown: unknown, headers?: Record<string, string>): void;
  /**
   * From now on a response of this status and these headers is certain, and its JSON is waited for; `json` or `text`
   * sends it.
   */
  keepAlive(
    req: GatewayRequest,
    res: ServerResponse,
    status: number,
    contentType: string,
    headers?: Record<string, string>,
  ): void;
  /** Logs an error that is ours, with the request's id, and with the operation where the path does not say it. */
  defect(req: GatewayRequest, error: HivekeepError, operation?: string | null): void;
  /** Counts a request whose response was written elsewhere (a stream). */
  count(req: GatewayRequest, status: number, kind?: 'answer' | 'stream'): void;
  /** From now on every response closes its connection. */
  drain(): void;
}

export interface ResponderDeps {
  log: Pick<Logger, 'debug' | 'warn' | 'error'>;
  metrics: MetricsSink;
  clock: Clock;
  monotonic: () => number;
  bodyLimit: number;
  responses: Responses;
}

/** Proxies commonly wait for 60 s, from the request and from the last that they have read of its response. */
const firstSpaceMs = 50_000;
const spaceMs = 25_000;
const drainBytes = 16 * 1024 * 1024;
const drainMs = 2000;
const countedMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The status that nginx logs when a client disconnects before its response. It is counted and never sent. */
const clientClosedRequest = 499;

export function createResponder(deps: ResponderDeps): Responder {
  const { log, metrics, clock, monotonic, bodyLimit, responses } = deps;
  let draining = false;
  /** Responses that have begun with white space, with what stops it. */
  const keptAlive = new WeakMap<ServerResponse, () => void>();

  /** The duration of a stream is not recorded, because it says nothing about response times. */
  function count(req: GatewayRequest, status: number, kind: 'answer' | 'stream' = 'answer'): void {
    const exchange = req.exchange;
    const method = req.method !== undefined && countedMethods.has(req.method) ? req.method : 'OTHER';
    const seconds = exchange ? (monotonic() - exchange.startedAt) / 1000 : 0;
    metrics.request(exchange?.route ?? 'unmatched', method, status, kind === 'stream' ? null : seconds);
    log.debug(
      {
        event: 'request.completed',
        request_id: exchange?.id,
        client_request_id: exchange?.clientId,
        method,
        route: exchange?.route,
        status,
        seconds,
        ...traceFields(exchange?.trace),
      },
      'request',
    );
  }

  function text(
    req: GatewayRequest,
    res: ServerResponse,
    status: number,
    contentType: string,
    body: string | Buffer,
    headers: Record<string, string> = {},
  ): void {
    const bytes = Buffer.byteLength(body);
    const workspace = req.exchange?.principal?.workspace ?? '';
    const changesNothing = req.method === 'GET' || req.exchange?.changesNothing === true;
    if (changesNothing && !responses.hasRoom(workspace, bytes)) {
      fail(req, res, tooManyResponses());
      return;
    }
    if (res.headersSent) {
      goOn(req, res, status, workspace, body, bytes);
      return;
    }
    count(req, status);
    const head: Record<string, string> = {
      'Content-Type': contentType,
      'Content-Length': String(bytes),
      ...headers,
    };
    const pending = unreadBody(req, bodyLimit);
    if (draining || pending !== 'none') head['Connection'] = 'close';
    res.writeHead(status, head);
    if (pending === 'sending') endAfterDraining(req, res, body, clock);
    else if (req.method === 'HEAD') res.end();
    else responses.send(req.socket, res, workspace, body, bytes);
  }

  /** Ends a response that was kept alive. */
  function goOn(
    req: GatewayRequest,
    res: ServerResponse,
    status: number,
    workspace: string,
    body: string | Buffer,
    bytes: number,
  ): void {
    count(req, res.statusCode);
    keptAlive.get(res)?.();
    if (status === res.statusCode && keptAlive.has(res)) responses.send(req.socket, res, workspace, body, bytes);
    else res.destroy();
  }

  function keepAlive(
    req: GatewayRequest,
    res: ServerResponse,
    status: number,
    contentType: string,
    headers: Record<string, string> = {},
  ): void {
    const begin = (): void => {
      if (res.headersSent || res.destroyed) return;
      // nginx hands on at once what it reads of this response, and not only when a buffer is full
      const head: Record<string, string> = { 'Content-Type': contentType, 'X-Accel-Buffering': 'no', ...headers };
      if (draining) head['Connection'] = 'close';
      res.writeHead(status, head);
      again();
    };
    const again = (): void => {
      res.write(' ');
      cancel = clock.after(spaceMs, again);
      keptAlive.set(res, cancel);
    };
    const spentMs = req.exchange ? monotonic() - req.exchange.startedAt : 0;
    let cancel = clock.after(Math.max(0, firstSpaceMs - spentMs), begin);
    res.once('close', () => cancel());
  }

  function empty(
    req: GatewayRequest,
    res: ServerResponse,
    status: 204 | 304,
    headers: Record<string, string> = {},
  ): void {
    count(req, status);
    if (draining) headers['Connection'] = 'close';
    res.writeHead(status, headers).end();
  }

  function defect(req: GatewayRequest, error: HivekeepError, operation?: string | null): void {
    if (error.code !== 'INTERNAL_ERROR') return;
    log.error(
      {
        event: 'request.failed',
        err: error.cause ?? error,
        request_id: req.exchange?.id,
        client_request_id: req.exchange?.clientId,
        method: req.method,
        route: req.exchange?.route,
        ...(operation !== undefined && { operation }),
        ...traceFields(req.exchange?.trace),
      },
      'request failed',
    );
  }

  function fail(req: GatewayRequest, res: ServerResponse, thrown: unknown, more: Record<string, string> = {}): void {
    if (thrown instanceof ClientGone) {
      count(req, clientClosedRequest);
      res.destroy();
      return;
    }
    const id = req.exchange?.id ?? 'req_';
    const error = toHivekeepError(thrown);
    defect(req, error);
    if (res.headersSent || res.destroyed) {
      count(req, res.headersSent ? res.statusCode : clientClosedRequest);
      res.destroy();
      return;
    }
    metrics.refused?.(error.code);
    const { type, body } = errorOf(req, error, id);
    text(req, res, statusOf[error.code], type, body, { ...errorHeaders(error), ...more });
  }

  return {
    text,
    empty,
    fail,
    keepAlive,
    defect,
    count,
    json: (req, res, status, value, headers) => text(req, res, status, jsonType, JSON.stringify(value), headers),
    drain: () => {
      draining = true;
    },
  };
}

export const jsonType = 'application/json; charset=utf-8';

/** Paths of A2A over HTTP+JSON: all below an agent but its cards. */
const ofHttpJson = /^\/api\/v1\/a2a\/agents\/[^/?]+\/(?!(card|\.well-known)(?![\w-]))[^?]/;

/** In the form that clients of the path read. */
function errorOf(req: GatewayRequest, error: HivekeepError, id: string): { type: string; body: string } {
  const { url = '' } = req;
  const status = statusOf[error.code];
  if (url.startsWith(openAiRoot)) return { type: jsonType, body: JSON.stringify(openAiError(error, status, id)) };
  if (ofHttpJson.test(url)) return { type: httpJsonType, body: JSON.stringify(plainStatus(error, status, id)) };
  return { type: jsonType, body: errorBody(error, id) };
}

/**
 * Whether the client may still send a body that cannot simply be skipped: too long, of unknown length, or held back for
 * a 100 Continue that will not come.
 */
function unreadBody(req: GatewayRequest, bodyLimit: number): 'none' | 'held' | 'sending' {
  if (req.complete) return 'none';
  if (req.awaitsContinue) return 'held';
  const declared = req.headers['content-length'];
  if (declared === undefined) return req.headers['transfer-encoding'] === undefined ? 'none' : 'sending';
  return Number(declared) > bodyLimit ? 'sending' : 'none';
}

function endAfterDraining(req: GatewayRequest, res: ServerResponse, body: string | Buffer, clock: Clock): void {
  let left = drainBytes;
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    cancel();
    res.end();
  };
  const cancel = clock.after(drainMs, end);
  if (req.method !== 'HEAD') res.write(body);
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  });
  req.on('end', end);
  req.on('close', end);
  req.resume();
}

/** The error envelope as raw bytes, for connections without a response object (malformed HTTP, an upgrade). */
export function rawErrorResponse(
  error: HivekeepError,
  requestId: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const body = errorBody(error, requestId);
  const status = statusOf[error.code];
  const headers = {
    ...securityHeaders,
    'X-Request-Id': requestId,
    'Content-Type': jsonType,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
    ...more,
    ...errorHeaders(error),
  };
  return `HTTP/1.1 ${status} ${reasons[status] ?? 'Error'}\r\n${Object.entries(headers)
    .map(([k, v]) => `${k}: ${v}\r\n`)
    .join('')}\r\n${body}`;
}

const reasons: Readonly<Record<number, string>> = { 400: 'Bad Request', 405: 'Method Not Allowed' };
