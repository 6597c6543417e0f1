/** The endpoints below /api/v1/a2a (docs/api.md 4.2): each agent in the bindings of A2A, and its cards. */
import type { ServerResponse } from 'node:http';
import type { A2aOperation } from '../../src/a2a/methods.js';
import { type RpcError, rpcErrorObject } from '../../src/a2a/rpc.js';
import type { HivekeepError } from '../../src/domain/shared/errors.js';
import { errorHeaders } from '../http/error-envelope.js';
import type { Endpoint, GatewayRequest } from '../http/prototypes.js';
import { type Responder, jsonType } from '../http/responder.js';
import type { SseFrame } from '../streams/port.js';
import { agentPath, requestedVersion } from './address.js';
import {
  type Binding,
  type Body,
  RpcCall,
  type RpcId,
  type RpcRequest,
  readRequest,
  sendEvents,
  versionOfErrors,
} from './binding.js';
import { type CardDeps, cardPaths, serveCard } from './card-routes.js';
import { type EndpointDeps, serveExchange } from './exchange.js';
import { httpBinding, httpOperations } from './http-json.js';

/*
 * The JSON-RPC binding (docs/api.md 4.2): POST at an agent's URL, one request at a time, in the dialects of A2A 0.2,
 * 0.3 and 1.0.
 *
 * Every JSON-RPC response has HTTP status 200, errors included: clients of A2A 0.2 fail on other statuses, and other
 * clients lose the error code.
 *
 * A failed streaming call is answered with an SSE event if the client accepts event streams, because clients of 0.2 and
 * 0.3 refuse a JSON body in that case. Without such an Accept header, message/stream is answered with JSON and
 * tasks/resubscribe with an event, as the compliance kit of 0.2.5 requires. 1.0 is always answered with JSON.
 *
 * Invariant
 *  - A request without an id that passed the checks gets 204 without a body, whatever its outcome. One that fails a
 *    check is answered with id null: A2A has no notifications, and a client that forgot the id should learn what is
 *    wrong.
 */

export interface RpcResult {
  jsonrpc: '2.0';
  id: RpcId;
  result: object | null;
}

export class JsonRpc implements Binding {
  private readonly version: string | undefined;
  private readonly call: RpcCall;

  constructor(
    private readonly responder: Responder,
    private readonly req: GatewayRequest,
    private readonly res: ServerResponse,
  ) {
    this.version = requestedVersion(req);
    this.call = new RpcCall(versionOfErrors(this.version));
  }

  get asked(): RpcCall {
    return this.call;
  }

  get silent(): boolean {
    return this.call.notification;
  }

  read(body: Body, authorize: (operation: A2aOperation) => void): RpcRequest {
    return readRequest(this.call, body, this.version, authorize);
  }

  result(result: object | null): void {
    if (this.silent) this.responder.empty(this.req, this.res, 204);
    else this.responder.text(this.req, this.res, 200, jsonType, JSON.stringify(this.event(result)));
  }

  keepAlive(): void {
    if (!this.silent) this.responder.keepAlive(this.req, this.res, 200, jsonType);
  }

  failure(error: RpcError, cause: HivekeepError | null): void {
    const headers: Record<string, string> = cause?.retryable === true ? errorHeaders(cause) : {};
    const frame = this.failureEvent(error);
    if (toldAsEvent(this.call, this.req.headers.accept))
      sendEvents(this.responder, this.req, this.res, [frame], headers);
    else this.responder.text(this.req, this.res, 200, jsonType, JSON.stringify(frame.data), headers);
  }

  event(result: object | null): RpcResult {
    return { jsonrpc: '2.0', id: this.call.id, result };
  }

  failureEvent(error: RpcError): SseFrame {
    return { data: { jsonrpc: '2.0', id: this.call.id, error: rpcErrorObject(this.call.version, error) } };
  }
}

function toldAsEvent(call: RpcCall, accept: string | undefined): boolean {
  if (call.version === '1.0' || call.notification) return false;
  if (call.operation === 'stream') return accept !== undefined && namesEvents.test(accept);
  return call.operation === 'subscribe' && (accept === undefined || admitsEvents.test(accept));
}

const namesEvents = /(^|,)\s*text\/event-stream\s*($|[,;])/i;
const admitsEvents = /(^|,)\s*(text\/event-stream|text\/\*|\*\/\*)\s*($|[,;])/i;

export const a2aRoutes = (deps: EndpointDeps & Pick<CardDeps, 'publicAgents'>): Endpoint[] => [
  {
    path: agentPath,
    method: 'POST',
    serve: serveExchange(deps, (responder, req, res) => new JsonRpc(responder, req, res)),
  },
  ...httpOperations.map(({ method, path, operation }): Endpoint => ({
    path: `${agentPath}/${path}`.replace(/(?<!\/):/g, '\\:'),
    method,
    serve: serveExchange(deps, httpBinding(operation)),
  })),
  ...Array.from(cardPaths, ([name, make]): Endpoint => ({
    path: name === '' ? agentPath : `${agentPath}/${name}`,
    method: 'GET',
    serve: serveCard(make, deps),
  })),
];
