/**
 * JSON-RPC errors with the codes of A2A (A2A 1.0, 5.4 and 9.5; docs/api.md 7.2). This table assigns a code to each
 * reason; the gateway assigns a reason to each service error.
 */
import type { A2AVersion } from '../domain/task.js';
import type { Issue } from '../domain/errors.js';

/**
 * `title` is the text of the protocol and begins every message, because clients and conformance kits look for it. `a2a`
 * marks errors defined by A2A, to which 1.0 adds an ErrorInfo; the others are those of JSON-RPC.
 */
export const rpcErrors = {
  PARSE_ERROR: { title: 'Invalid JSON payload', code: -32700, a2a: false },
  INVALID_REQUEST: { title: 'Request payload validation error', code: -32600, a2a: false },
  METHOD_NOT_FOUND: { title: 'Method not found', code: -32601, a2a: false },
  INVALID_PARAMS: { title: 'Invalid parameters', code: -32602, a2a: false },
  INTERNAL_ERROR: { title: 'Internal error', code: -32603, a2a: false },
  TASK_NOT_FOUND: { title: 'Task not found', code: -32001, a2a: true },
  TASK_NOT_CANCELABLE: { title: 'Task cannot be canceled', code: -32002, a2a: true },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { title: 'Push notification is not supported', code: -32003, a2a: true },
  UNSUPPORTED_OPERATION: { title: 'This operation is not supported', code: -32004, a2a: true },
  CONTENT_TYPE_NOT_SUPPORTED: { title: 'Incompatible content types', code: -32005, a2a: true },
  INVALID_AGENT_RESPONSE: { title: 'Invalid agent response', code: -32006, a2a: true },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { title: 'Extended agent card is not configured', code: -32007, a2a: true },
  EXTENSION_SUPPORT_REQUIRED: { title: 'Extension support required', code: -32008, a2a: true },
  QUOTA_EXCEEDED: { title: 'Quota exceeded', code: -32050, a2a: false },
  AGENT_BUSY: { title: 'The agent is busy', code: -32051, a2a: false },
  VERSION_NOT_SUPPORTED: { title: 'Version not supported', code: -32009, a2a: true },
} as const satisfies Record<string, { title: string; code: number; a2a: boolean }>;
export type RpcReason = keyof typeof rpcErrors;

export interface RpcErrorOptions {
  /** Invalid fields; 1.0 clients get them as BadRequest.fieldViolations. */
  violations?: readonly Issue[];
  cause?: unknown;
}

/** An error response: `<title>: <detail>`. The detail is sent to the client and must not reveal internals. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly reason: RpcReason;
  readonly code: number;
  readonly violations: readonly Issue[];

  constructor(reason: RpcReason, detail = '', options: RpcErrorOptions = {}) {
    const { title, code } = rpcErrors[reason];
    super(
      detail === '' ? title : `${title}: ${detail}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.reason = reason;
    this.code = code;
    this.violations = options.violations ?? [];
  }
}

export interface RpcErrorObject {
  code: number;
  message: string;
  data?: readonly Record<string, unknown>[];
}

/**
 * The `error` of a response. In 0.2 and 0.3 it has only code and message, because the meaning of `data` is not
 * specified there. 1.0 adds an ErrorInfo to A2A errors, and a BadRequest if fields are invalid (A2A 1.0, 9.5).
 */
export function errorObject(version: A2AVersion, error: RpcError): RpcErrorObject {
  const { code, message } = error;
  if (version !== '1.0') return { code, message };
  const data: Record<string, unknown>[] = [];
  if (rpcErrors[error.reason].a2a)
    data.push({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: error.reason,
      domain: 'a2a-protocol.org',
    });
  if (error.violations.length > 0) {
    data.push({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: error.violations.map(({ path, message: description }) => ({ field: path, description })),
    });
  }
  return data.length === 0 ? { code, message } : { code, message, data };
}
