/**
 * Maps the service's errors to A2A errors (docs/api.md 7.2; A2A 1.0, 5.4). A table with one entry for each code; an
 * entry is a function where the A2A reason depends on the protocol version.
 */
import { RpcError, type RpcReason } from '../../src/a2a/rpc.js';
import type { A2aOperation } from '../../src/a2a/methods.js';
import type { HivekeepError, ErrorCode, Issue } from '../../src/domain/shared/errors.js';
import { isTerminal } from '../../src/domain/model/model.js';
import type { RunStatus } from '../../src/domain/shared/vocabulary.js';
import type { A2AVersion } from '../../src/domain/task/task.js';

/** What is known of a request when its error is mapped. */
export interface FailedRequest {
  operation: A2aOperation | null;
  version: A2AVersion;
}
type Choice = RpcReason | ((error: HivekeepError, asked: FailedRequest) => RpcReason);

const reasonOf: Readonly<Record<ErrorCode, Choice>> = {
  VALIDATION_ERROR: 'INVALID_PARAMS',
  // refers to a task; a missing agent is answered in plain HTTP
  NOT_FOUND: 'TASK_NOT_FOUND',
  CONFLICT: (_error, { operation }) => (operation === 'cancel' ? 'TASK_NOT_CANCELABLE' : 'UNSUPPORTED_OPERATION'),
  // a message to a finished task: UNSUPPORTED_OPERATION in 1.0, an invalid request before it
  RUN_NOT_RESUMABLE: (error, { version }) =>
    version !== '1.0' && isOver(error) ? 'INVALID_REQUEST' : 'UNSUPPORTED_OPERATION',
  AGENT_INACTIVE: 'UNSUPPORTED_OPERATION',
  PAYLOAD_TOO_LARGE: 'INVALID_REQUEST',
  UNSUPPORTED_MEDIA_TYPE: 'CONTENT_TYPE_NOT_SUPPORTED',
  UNSUPPORTED_VERSION: 'VERSION_NOT_SUPPORTED',
  METHOD_NOT_ALLOWED: 'METHOD_NOT_FOUND',
  PRECONDITION_FAILED: 'UNSUPPORTED_OPERATION',
  IDEMPOTENCY_MISMATCH: 'INVALID_REQUEST',
  AGENT_BUSY: 'AGENT_BUSY',
  UNAVAILABLE: 'INTERNAL_ERROR',
  RATE_LIMIT_EXCEEDED: 'INTERNAL_ERROR',
  CONCURRENCY_LIMIT_EXCEEDED: 'INTERNAL_ERROR',
  QUOTA_EXCEEDED: 'QUOTA_EXCEEDED',
  // occurs on a stream whose credential has ended; other requests are answered in plain HTTP
  UNAUTHENTICATED: 'INVALID_REQUEST',
  INSUFFICIENT_SCOPE: 'INTERNAL_ERROR',
  HTTPS_REQUIRED: 'INTERNAL_ERROR',
  INTERNAL_ERROR: 'INTERNAL_ERROR',
};

/**
 * Errors that are answered in plain HTTP instead of JSON-RPC: those about the caller or its rate, and that the service
 * is unavailable.
 */
const plainCodes: ReadonlySet<ErrorCode> = new Set([
  'UNAUTHENTICATED',
  'INSUFFICIENT_SCOPE',
  'HTTPS_REQUIRED',
  'RATE_LIMIT_EXCEEDED',
  'CONCURRENCY_LIMIT_EXCEEDED',
  // with Retry-After, so that clients and proxies know that it passes
  'UNAVAILABLE',
]);
export const isPlain = (error: HivekeepError): boolean => plainCodes.has(error.code);

export function toRpcError(error: HivekeepError, asked: FailedRequest): RpcError {
  const choice = reasonOf[error.code];
  const violations = error.details['issues'];
  return new RpcError(typeof choice === 'function' ? choice(error, asked) : choice, messageOf(error), {
    cause: error,
    ...(Array.isArray(violations) && { violations: violations as Issue[] }),
  });
}

function messageOf(error: HivekeepError): string {
  if (error.code === 'RUN_NOT_RESUMABLE' && !isOver(error))
    return `${error.message}: wait until it has ended or asks for input`;
  if (error.retryable) return `${error.message}: try again in ${Math.max(1, Math.ceil(error.retryAfter ?? 1))} s`;
  return error.message;
}

const isOver = (error: HivekeepError): boolean => isTerminal(error.details['status'] as RunStatus);
