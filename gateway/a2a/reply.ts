/**
 * Writes the answers of one agent's JSON-RPC endpoint.
 *
 * Every JSON-RPC answer is HTTP 200, errors too: clients of 0.2 fail on other statuses, and others lose the code.
 * Plain HTTP says what is said before or beside the protocol: 401, 403, 404 of the agent, 429.
 *
 * A failed stream call is told as an event where a client that asked for a stream would not read anything else: clients of
 * 0.2 and 0.3 refuse a JSON body then. Without an Accept header that names event streams, message/stream answers
 * JSON and tasks/resubscribe an event (the kit of 0.2.5 wants both); 1.0 always answers JSON.
 */
import type { ServerResponse } from 'node:http';
import { errorObject, type RpcError } from '../../src/a2a/rpc.js';
import type { HivekeepError } from '../../src/domain/errors.js';
import { errorHeaders } from '../http/error-envelope.js';
import type { GatewayRequest } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import type { RpcCall, RpcId } from './call.js';

const jsonType = 'application/json; charset=utf-8';
const eventsType = 'text/event-stream; charset=utf-8';

export interface RpcResult {
  jsonrpc: '2.0';
  id: RpcId;
  result: object | null;
}

/** A whole answer, or one event of a stream. */
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

/** `cause` is the service's error where it was one: it may say when to try again. */
export function sendFailure(
  responder: Responder,
  req: GatewayRequest,
  res: ServerResponse,
  call: RpcCall,
  error: RpcError,
  cause: HivekeepError | null,
): void {
  const body = JSON.stringify(rpcFailure(call, error));
  const headers: Record<string, string> = cause?.retryable === true ? errorHeaders(cause) : {};
  if (!toldAsEvent(call, req.headers.accept)) {
    responder.text(req, res, 200, jsonType, body, headers);
    return;
  }
  headers['Cache-Control'] = 'no-cache, no-transform';
  responder.text(req, res, 200, eventsType, `data: ${body}\n\n`, headers);
}

function toldAsEvent(call: RpcCall, accept: string | undefined): boolean {
  if (call.version === '1.0' || call.notification) return false;
  if (call.operation === 'stream') return accept !== undefined && namesEvents.test(accept);
  return call.operation === 'subscribe' && (accept === undefined || admitsEvents.test(accept));
}

const namesEvents = /(^|,)\s*text\/event-stream\s*($|[,;])/i;
const admitsEvents = /(^|,)\s*(text\/event-stream|text\/\*|\*\/\*)\s*($|[,;])/i;
