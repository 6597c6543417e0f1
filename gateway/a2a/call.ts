/**
 * One JSON-RPC request on its way (JSON-RPC 2.0, section 4): what is known of it so far, so that whatever it is refused
 * for can be answered in its own words.
 *
 * Invariants
 *  1. `id` is the request's as soon as it is known to be a fit one, and null until then; it is echoed exactly.
 *  2. `version` is the dialect that errors are written in: the A2A-Version header's until the method's name tells more.
 *  3. Checks go from outside to inside: JSON, envelope, method, version, scope. Params are the codecs' to check.
 */
import type { Codec } from '../../src/a2a/codec.js';
import { codecFor } from '../../src/a2a/codecs.js';
import { methods, type Operation } from '../../src/a2a/methods.js';
import { RpcError } from '../../src/a2a/rpc.js';
import { readVersion } from '../../src/a2a/versions.js';
import { HivekeepError, type Issue } from '../../src/domain/errors.js';
import type { A2AVersion } from '../../src/domain/task.js';
import { decodeJson, refuseUnsafe, type DecodedJson } from '../http/json.js';

export type RpcId = string | number | null;

export class RpcCall {
  id: RpcId = null;
  /** Without an id nobody waits for an answer. */
  notification = false;
  operation: Operation | null = null;
  version: A2AVersion;

  constructor(version: A2AVersion) {
    this.version = version;
  }
}

/** What a call asks for, checked but for its params. */
export interface RpcRequest {
  operation: Operation;
  codec: Codec;
  params: unknown;
}

/**
 * A request of the body's bytes; `call` learns on the way. Throws RpcError: PARSE_ERROR, INVALID_REQUEST,
 * METHOD_NOT_FOUND, VERSION_NOT_SUPPORTED, and INVALID_PARAMS for text that cannot be stored; and what `authorize` throws,
 * which is asked once it is known what is wanted.
 */
export function readRequest(
  call: RpcCall,
  body: Buffer,
  versionSaid: string | undefined,
  authorize: (operation: Operation) => void,
): RpcRequest {
  const json = decoded(body);
  const { value } = json;
  if (Array.isArray(value))
    throw new RpcError('INVALID_REQUEST', 'batches are not supported: send one request at a time');
  if (value === null || typeof value !== 'object')
    throw new RpcError('INVALID_REQUEST', 'a request must be a JSON object');
  const { jsonrpc, method: name, params } = value as Record<string, unknown>;
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
  const version = readVersion(versionSaid);
  authorize(method.operation);
  checkText(json);
  return { operation: method.operation, codec: codecFor(method.dialect, version), params };
}

/** How much of a method's name an answer repeats. */
const maxNamed = 100;

/** The version to write errors in before the method is known; who asks for a version of tomorrow reads today's newest. */
export function versionOfErrors(versionSaid: string | undefined): A2AVersion {
  try {
    return readVersion(versionSaid);
  } catch {
    return '1.0';
  }
}

function decoded(body: Buffer): DecodedJson {
  try {
    return decodeJson(body);
  } catch (error) {
    throw asRpc(error, 'PARSE_ERROR', 'the body ');
  }
}

/** JSON-RPC allows any number; one that JSON.parse has rounded could not be echoed. */
function readId(call: RpcCall, request: object): void {
  if (!Object.hasOwn(request, 'id')) {
    call.notification = true;
    return;
  }
  const { id } = request as { id: unknown };
  if (id !== null && typeof id !== 'string' && !Number.isSafeInteger(id))
    throw new RpcError('INVALID_REQUEST', 'id must be a string, an integer of at most 53 bits, or null');
  call.id = id as RpcId;
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

/** The gateway's words for what is wrong with a body, said in JSON-RPC. */
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
