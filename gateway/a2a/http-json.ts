/**
 * The HTTP+JSON binding of A2A 1.0 (A2A 1.0, 11; docs/api.md 4.2): each operation is a method and a path below the
 * agent's URL. A request's params are its body or query, and what its path names.
 */
import type { ServerResponse } from 'node:http';
import { protoCodec } from '../../src/a2a/v1.js';
import { readVersion } from '../../src/a2a/codecs.js';
import type { A2aOperation } from '../../src/a2a/methods.js';
import { errorStatus, httpJsonType, RpcError } from '../../src/a2a/rpc.js';
import type { HivekeepError } from '../../src/domain/shared/errors.js';
import { errorHeaders } from '../http/error-envelope.js';
import type { GatewayRequest } from '../http/prototypes.js';
import { parseQueryString } from '../http/query.js';
import type { Responder } from '../http/responder.js';
import type { SseFrame } from '../streams/port.js';
import { requestedVersion } from './address.js';
import { type Binding, type Body, type RpcRequest, isEmpty, readObject } from './binding.js';
import type { FailedRequest } from './errors.js';

export interface HttpOperation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the agent's URL. */
  readonly path: string;
  readonly operation: A2aOperation;
}

const configs = 'tasks/:task/pushNotificationConfigs';

/** In the order in which paths are compared. */
export const httpOperations: readonly HttpOperation[] = [
  { method: 'POST', path: 'message:send', operation: 'send' },
  { method: 'POST', path: 'message:stream', operation: 'stream' },
  { method: 'GET', path: 'tasks', operation: 'list' },
  { method: 'POST', path: 'tasks/:task:cancel', operation: 'cancel' },
  { method: 'POST', path: 'tasks/:task:subscribe', operation: 'subscribe' },
  // POST in the text of the specification, and GET in a2a.proto
  { method: 'GET', path: 'tasks/:task:subscribe', operation: 'subscribe' },
  { method: 'GET', path: 'tasks/:task', operation: 'get' },
  { method: 'POST', path: configs, operation: 'setPush' },
  { method: 'GET', path: configs, operation: 'listPush' },
  { method: 'GET', path: `${configs}/:config`, operation: 'getPush' },
  { method: 'DELETE', path: `${configs}/:config`, operation: 'deletePush' },
  { method: 'GET', path: 'extendedAgentCard', operation: 'card' },
];

export const httpBinding =
  (operation: A2aOperation) =>
  (responder: Responder, req: GatewayRequest, res: ServerResponse): Binding =>
    new HttpJson(operation, responder, req, res);

class HttpJson implements Binding {
  readonly asked: FailedRequest & { operation: A2aOperation };
  readonly silent = false;

  constructor(
    operation: A2aOperation,
    private readonly responder: Responder,
    private readonly req: GatewayRequest,
    private readonly res: ServerResponse,
  ) {
    this.asked = { operation, version: '1.0' };
  }

  read(body: Body, authorize: (operation: A2aOperation) => void): RpcRequest {
    const { operation } = this.asked;
    checkVersion(requestedVersion(this.req));
    authorize(operation);
    const { task, config } = this.req.params;
    const named = {
      ...(task !== undefined && (operation.endsWith('Push') ? { taskId: task } : { id: task })),
      ...(config !== undefined && { id: config }),
    };
    const given = this.req.method === 'POST' && !isEmpty(body) ? readObject(body) : queryOf(this.req);
    return { operation, codec: protoCodec, params: { ...given, ...named } };
  }

  result(result: object | null): void {
    this.responder.text(this.req, this.res, 200, httpJsonType, JSON.stringify(result));
  }

  keepAlive(): void {
    this.responder.keepAlive(this.req, this.res, 200, httpJsonType);
  }

  failure(error: RpcError, cause: HivekeepError | null): void {
    const { code, body } = errorStatus(error);
    const headers = cause?.retryable === true ? errorHeaders(cause) : {};
    this.responder.text(this.req, this.res, code, httpJsonType, JSON.stringify(body), headers);
  }

  event(result: object): object {
    return result;
  }

  failureEvent(error: RpcError): SseFrame {
    return { event: 'error', data: errorStatus(error).body };
  }
}

/** Absent means 1.0 here: the binding of 0.3 has other paths, which are not served. */
function checkVersion(header: string | undefined): void {
  if (header?.trim() && readVersion(header) !== '1.0')
    throw new RpcError('VERSION_NOT_SUPPORTED', 'HTTP+JSON is served for 1.0, and JSON-RPC for 0.2, 0.3 and 1.0');
}

const queryNames = new Set([
  'contextId',
  'status',
  'pageSize',
  'pageToken',
  'historyLength',
  'statusTimestampAfter',
  'includeArtifacts',
]);

/** Numbers may be text in ProtoJSON; truth values may not. */
function queryOf({ url = '' }: GatewayRequest): object {
  const given: Record<string, unknown> = Object.fromEntries(parseQueryString(url, queryNames));
  const { includeArtifacts: flag } = given;
  if (flag === 'true' || flag === 'false') given['includeArtifacts'] = flag === 'true';
  return given;
}
