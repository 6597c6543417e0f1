/**
 * Writes the responses of an agent's JSON-RPC endpoint.
 *
 * Every JSON-RPC response has HTTP status 200, errors included: clients of A2A 0.2 fail on other statuses, and other
 * clients lose the error code. Failures outside the protocol are plain HTTP: 401, 403, 404 for the agent, and 429.
 *
 * A failed streaming call is answered with an SSE event if the client accepts event streams, because clients of 0.2 and
 * 0.3 refuse a JSON body in that case. Without such an Accept header, message/stream is answered with JSON and
 * tasks/resubscribe with an event, as the compliance kit of 0.2.5 requires. 1.0 is always answered with JSON.
 */
import type { ServerResponse } from 'node:http';
import { errorObject, type RpcError } from '../../src/a2a/rpc.js';
import type { HivekeepError } from '../../src/domain/errors.js';
import { errorHeaders } from '../http/error-envelope.js';
import type { GatewayRequest } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import type { SseFrame } from '../streams/port.js';
import { encodeFrame, streamHeaders } from '../streams/sse.js';
import type { RpcCall, RpcId } from './call.js';

const jsonType = 'application/json; charset=utf-8';

export interface RpcResult {
  jsonrpc: '2.0';
  id: RpcId;
  result: object | null;
}

/** A complete response, or one event of a stream. */
export const rpcResult = (id: RpcId, result: object | null): RpcResult => ({ jsonrpc: '2.0', id, result });

export const rpcFailure = (call: RpcCall, error: RpcError): object => ({
  jsonrpc: '2.0',
  id: call.id,
  error: errorObject(call.version, error),
});

export function sendResult(
  responder: Responder,
  req: GatewayRequest,
  res: ServerResponse,
  call: RpcCall,
  result: object | null,
): void {
  if (call.notification) responder.empty(req, res, 204);
  else responder.text(req, res, 200, jsonType, JSON.stringify(rpcResult(call.id, result)));
}

/** `cause` is the service's error, if there was one: it may contain a retry delay. */
export function sendFailure(
  responder: Responder,
  req: GatewayRequest,
  res: ServerResponse,
  call: RpcCall,
  error: RpcError,
  cause: HivekeepError | null,
): void {
  const headers: Record<string, string> = cause?.retryable === true ? errorHeaders(cause) : {};
  if (!toldAsEvent(call, req.headers.accept)) {
    responder.text(req, res, 200, jsonType, JSON.stringify(rpcFailure(call, error)), headers);
    return;
  }
  sendEvents(responder, req, res, [{ data: rpcFailure(call, error) }], headers);
}

/** A stream that is over, in one piece. */
export function sendEvents(
  responder: Responder,
  req: GatewayRequest,
  res: ServerResponse,
  frames: readonly SseFrame[],
  more: Readonly<Record<string, string>> = {},
): void {
  const text = frames.map(encodeFrame).join('');
  responder.text(req, res, 200, streamHeaders['Content-Type'], text, { ...streamHeaders, ...more });
}

function toldAsEvent(call: RpcCall, accept: string | undefined): boolean {
  if (call.version === '1.0' || call.notification) return false;
  if (call.operation === 'stream') return accept !== undefined && namesEvents.test(accept);
  return call.operation === 'subscribe' && (accept === undefined || admitsEvents.test(accept));
}

const namesEvents = /(^|,)\s*text\/event-stream\s*($|[,;])/i;
const admitsEvents = /(^|,)\s*(text\/event-stream|text\/\*|\*\/\*)\s*($|[,;])/i;
