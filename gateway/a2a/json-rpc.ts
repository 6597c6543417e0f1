/**
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
import type { ServerResponse } from 'node:http';
import type { Operation } from '../../src/a2a/methods.js';
import { errorObject, type RpcError } from '../../src/a2a/rpc.js';
import type { HivekeepError } from '../../src/domain/errors.js';
import { errorHeaders } from '../http/error-envelope.js';
import type { GatewayRequest } from '../http/prototypes.js';
import { jsonType, type Responder } from '../http/responder.js';
import type { SseFrame } from '../streams/port.js';
import { requestedVersion } from './address.js';
import { sendEvents, type Binding } from './binding.js';
import { type Body, readRequest, RpcCall, versionOfErrors, type RpcId, type RpcRequest } from './call.js';

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

  read(body: Body, authorize: (operation: Operation) => void): RpcRequest {
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
    return { data: { jsonrpc: '2.0', id: this.call.id, error: errorObject(this.call.version, error) } };
  }
}

function toldAsEvent(call: RpcCall, accept: string | undefined): boolean {
  if (call.version === '1.0' || call.notification) return false;
  if (call.operation === 'stream') return accept !== undefined && namesEvents.test(accept);
  return call.operation === 'subscribe' && (accept === undefined || admitsEvents.test(accept));
}

const namesEvents = /(^|,)\s*text\/event-stream\s*($|[,;])/i;
const admitsEvents = /(^|,)\s*(text\/event-stream|text\/\*|\*\/\*)\s*($|[,;])/i;
