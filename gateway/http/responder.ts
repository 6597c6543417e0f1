/**
 * Writes every answer that is not a stream.
 *
 * Invariants
 *  1. Exactly one answer per request; once headers are out, a failure ends the connection instead of mixing two answers.
 *  2. An answer carries Content-Length and, up to 64 KiB, is one write; no ETag is computed, no template rendered.
 *  3. A client that still sends a body which nobody will read gets the whole answer first: the rest is drained, up to a
 *     bound in bytes and time, before the connection closes. Closing at once would reset it and lose the answer.
 *  4. While the gateway drains, every answer closes its connection.
 *  5. What answers hold while they wait for their readers is bounded (response-budget.ts).
 */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../src/domain/clock.js';
import type { HivekeepError } from '../../src/domain/errors.js';
import type { MetricsSink } from '../options.js';
import { ClientGone } from './body.js';
import { errorBody, errorHeaders, statusOf, toHivekeepError } from './error-envelope.js';
import type { GatewayRequest } from './prototypes.js';
import { type Responses, tooManyResponses } from './response-budget.js';
import { securityHeaders } from './security-headers.js';
import type { Logger } from '../../src/telemetry/logger.js';

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
    text: string,
    headers?: Record<string, string>,
  ): void;
  /** An answer that has no body at all: 204 and 304, which name no length either (RFC 9110, 8.6). */
  empty(req: GatewayRequest, res: ServerResponse, status: 204 | 304, headers?: Record<string, string>): void;
  fail(req: GatewayRequest, res: ServerResponse, thrown: unknown): void;
  /** Counts a request that was answered by someone else (a stream). */
  count(req: GatewayRequest, status: number, kind?: 'answer' | 'stream'): void;
  /** From now on every answer closes its connection. */
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

const drainBytes = 16 * 1024 * 1024;
const drainMs = 2000;
const countedMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** What nginx counts for a client that left before its answer; never sent. */
const clientClosedRequest = 499;

export function createResponder(deps: ResponderDeps): Responder {
  const { log, metrics, clock, monotonic, bodyLimit, responses } = deps;
  let draining = false;

  /** How long a stream was open says nothing of how fast requests are answered. */
  function count(req: GatewayRequest, status: number, kind: 'answer' | 'stream' = 'answer'): void {
    const exchange = req.exchange;
    const method = req.method !== undefined && countedMethods.has(req.method) ? req.method : 'OTHER';
    const seconds = exchange ? (monotonic() - exchange.startedAt) / 1000 : 0;
    metrics.request(exchange?.route ?? 'unmatched', method, status, kind === 'stream' ? null : seconds);
    log.debug(
      {
        request_id: exchange?.id,
        client_request_id: exchange?.clientId,
        method,
        route: exchange?.route,
        status,
        seconds,
      },
      'request',
    );
  }

  function text(
    req: GatewayRequest,
    res: ServerResponse,
    status: number,
    contentType: string,
    body: string,
    headers: Record<string, string> = {},
  ): void {
    const bytes = Buffer.byteLength(body);
    const workspace = req.exchange?.principal?.workspace ?? '';
    const changesNothing = req.method === 'GET' || req.exchange?.changesNothing === true;
    if (changesNothing && !responses.hasRoom(workspace, bytes)) {
      fail(req, res, tooManyResponses());
      return;
    }
    count(req, status);
    headers['Content-Type'] = contentType;
    headers['Content-Length'] = String(bytes);
    const pending = unreadBody(req, bodyLimit);
    if (draining || pending !== 'none') headers['Connection'] = 'close';
    res.writeHead(status, headers);
    if (pending === 'sending') endAfterDraining(req, res, body, clock);
    else if (req.method === 'HEAD') res.end();
    else responses.send(req.socket, res, workspace, body, bytes);
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

  function fail(req: GatewayRequest, res: ServerResponse, thrown: unknown): void {
    if (thrown instanceof ClientGone) {
      count(req, clientClosedRequest);
      res.destroy();
      return;
    }
    const id = req.exchange?.id ?? 'req_';
    const error = toHivekeepError(thrown);
    if (error.code === 'INTERNAL_ERROR')
      log.error(
        {
          err: error.cause ?? error,
          request_id: id,
          client_request_id: req.exchange?.clientId,
          method: req.method,
          route: req.exchange?.route,
        },
        'request failed',
      );
    if (res.headersSent || res.destroyed) {
      count(req, res.headersSent ? res.statusCode : clientClosedRequest);
      res.destroy();
      return;
    }
    text(req, res, statusOf[error.code], jsonType, errorBody(error, id), errorHeaders(error));
  }

  return {
    text,
    empty,
    fail,
    count,
    json: (req, res, status, value, headers) => text(req, res, status, jsonType, JSON.stringify(value), headers),
    drain: () => {
      draining = true;
    },
  };
}

const jsonType = 'application/json; charset=utf-8';

/** Whether the client may still send a body that the connection cannot simply skip: too long, of unknown length, or held back for a 100 Continue that will not come. */
function unreadBody(req: GatewayRequest, bodyLimit: number): 'none' | 'held' | 'sending' {
  if (req.complete) return 'none';
  if (req.awaitsContinue) return 'held';
  const declared = req.headers['content-length'];
  if (declared === undefined) return req.headers['transfer-encoding'] === undefined ? 'none' : 'sending';
  return Number(declared) > bodyLimit ? 'sending' : 'none';
}

function endAfterDraining(req: GatewayRequest, res: ServerResponse, body: string, clock: Clock): void {
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

/** The same envelope for a request that has no response of its own (bad HTTP, an upgrade): what goes on the socket as it is. */
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
