/**
 * What a protocol binding of A2A adds to an exchange: how a request is read, and how its answer is written. Both bindings
 * read a call alike.
 */
import type { ServerResponse } from 'node:http';
import type { Codec } from '../../src/a2a/codec.js';
import { codecFor, readVersion } from '../../src/a2a/codecs.js';
import { isObject } from '../../src/a2a/message.js';
import { type A2aOperation, methods } from '../../src/a2a/methods.js';
import { RpcError } from '../../src/a2a/rpc.js';
import { HivekeepError, type Issue } from '../../src/domain/shared/errors.js';
import type { A2AVersion } from '../../src/domain/task/task.js';
import { type DecodedJson, decodeInTurns, decodeJson, refuseUnsafe } from '../http/json.js';
import type { SseFrame } from '../streams/port.js';
import type { GatewayRequest } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import { encodeFrame, streamHeaders } from '../streams/sse.js';
import type { FailedRequest } from './errors.js';

/*
 * Parses and checks one JSON-RPC request (JSON-RPC 2.0, section 4). What is known of the request so far is kept in
 * `RpcCall`, so that an error found at any stage is answered with the right id and in the right dialect.
 *
 * Invariants
 *  - `id` is null until a valid id has been read, and then the request's own; responses echo it exactly.
 *  - `version` is the dialect that errors are written in: that of the A2A-Version header until the method name
 *    determines it.
 *  - Checks run from the outside in: JSON, envelope, method, version, scope. Params are validated by the codecs.
 */

export type RpcId = string | number | null;

export class RpcCall {
  id: RpcId = null;
  /** A request without an id, whose sender expects no response. */
  notification = false;
  operation: A2aOperation | null = null;
  version: A2AVersion;

  constructor(version: A2AVersion) {
    this.version = version;
  }
}

/** The requested operation; everything but its params has been checked. */
export interface RpcRequest {
  operation: A2aOperation;
  codec: Codec;
  params: unknown;
}

/**
 * Parses the request in `body` and records in `call` what it learns. Calls `authorize` as soon as the operation is
 * known, and lets its error pass. Throws RpcError with PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND,
 * VERSION_NOT_SUPPORTED, or INVALID_PARAMS for text that cannot be stored.
 */
export function readRequest(
  call: RpcCall,
  body: Body,
  versionHeader: string | undefined,
  authorize: (operation: A2aOperation) => void,
): RpcRequest {
  const json = decoded(body);
  const { value } = json;
  if (Array.isArray(value))
    throw new RpcError('INVALID_REQUEST', 'batches are not supported: send one request at a time');
  if (!isObject(value)) throw new RpcError('INVALID_REQUEST', 'a request must be a JSON object');
  const { jsonrpc, method: name, params } = value;
  readId(call, value);
  if (jsonrpc !== '2.0') throw new RpcError('INVALID_REQUEST', 'jsonrpc must be "2.0"');
  if (typeof name !== 'string')
    throw new RpcError(
      'INVALID_REQUEST',
      `method ${name === undefined ? 'is required (a string)' : 'must be a string'}`,
    );
  const method = methods.get(name);
  if (method === undefined)
    throw new RpcError(
      'METHOD_NOT_FOUND',
      `there is no method ${JSON.stringify(name.slice(0, maxNamed).toWellFormed())}`,
    );
  call.operation = method.operation;
  call.version = method.dialect === 'pascal' ? '1.0' : call.version === '0.2' ? '0.2' : '0.3';
  const version = readVersion(versionHeader);
  authorize(method.operation);
  checkText(json);
  return { operation: method.operation, codec: codecFor(method.dialect, version), params };
}

/** An error message repeats at most this many characters of the method name. */
const maxNamed = 100;

/** The version in which errors are written before the method is known. An unknown version gets the newest one. */
export function versionOfErrors(versionHeader: string | undefined): A2AVersion {
  try {
    return readVersion(versionHeader);
  } catch {
    return '1.0';
  }
}

/** The JSON object in the body of a request of HTTP+JSON. Throws RpcError with PARSE_ERROR or INVALID_PARAMS. */
export function readObject(body: Body): object {
  const json = decoded(body);
  if (!isObject(json.value)) throw new RpcError('INVALID_PARAMS', 'the body must be a JSON object');
  try {
    refuseUnsafe(json);
  } catch (error) {
    throw asRpc(error, 'INVALID_PARAMS', '');
  }
  return json.value;
}

/** The body of a request, or what was decoded of it in several turns. */
export type Body = Buffer | DecodedJson;

export const isEmpty = (body: Body): boolean => Buffer.isBuffer(body) && body.length === 0;

/** One that cannot be decoded stays as it is: whoever reads it says so in its own form. */
export const inTurns = (body: Buffer): Promise<Body> => decodeInTurns(body).catch(() => body);

function decoded(body: Body): DecodedJson {
  try {
    return Buffer.isBuffer(body) ? decodeJson(body) : body;
  } catch (error) {
    throw asRpc(error, 'PARSE_ERROR', 'the body ');
  }
}

/** Ids are given back as they came, so an integer that JSON.parse may have rounded is refused. */
function readId(call: RpcCall, request: object): void {
  if (!Object.hasOwn(request, 'id')) {
    call.notification = true;
    return;
  }
  const { id } = request as { id: unknown };
  const isNumber = typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER;
  if (id !== null && typeof id !== 'string' && !isNumber)
    throw new RpcError('INVALID_REQUEST', 'id must be a string, a number of at most 53 bits, or null');
  call.id = id;
}

function checkText(json: DecodedJson): void {
  try {
    refuseUnsafe(json);
  } catch (error) {
    throw asRpc(
      error,
      issuesOf(error).some(({ path }) => path.startsWith('params')) ? 'INVALID_PARAMS' : 'INVALID_REQUEST',
      '',
    );
  }
}

/** Converts a body error of the gateway into a JSON-RPC error. */
function asRpc(error: unknown, reason: 'PARSE_ERROR' | 'INVALID_REQUEST' | 'INVALID_PARAMS', subject: string): unknown {
  const [issue] = issuesOf(error);
  if (issue === undefined) return error;
  const path = issue.path.replace(/^params\./, '');
  return new RpcError(
    reason,
    `${path === '' ? subject : `${path} `}${issue.message}`,
    path === '' ? {} : { violations: [{ path, message: issue.message }] },
  );
}

function issuesOf(error: unknown): readonly Issue[] {
  return error instanceof HivekeepError && Array.isArray(error.details['issues'])
    ? (error.details['issues'] as Issue[])
    : [];
}

/** One request and its answer. */
export interface Binding {
  /** What is known of the request so far. */
  readonly asked: FailedRequest;
  /** The sender expects no answer. */
  readonly silent: boolean;
  /**
   * Reads the request; its params are validated by the codec. Calls `authorize` as soon as the operation is known, and
   * lets its error pass.
   */
  read(body: Body, authorize: (operation: A2aOperation) => void): RpcRequest;
  result(result: object | null): void;
  /** A result is certain, and is waited for. */
  keepAlive(): void;
  /** `cause` is the service's error, if there was one: it may contain a retry delay. */
  failure(error: RpcError, cause: HivekeepError | null): void;
  /** The data of one event of a stream. */
  event(result: object): object;
  failureEvent(error: RpcError): SseFrame;
}

/** Writes a stream that is over, in one piece. */
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
