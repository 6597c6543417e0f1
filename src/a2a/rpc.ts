/**
 * Errors of A2A with their codes in JSON-RPC and their status in HTTP+JSON (A2A 1.0, 5.4, 9.5 and 11.6; docs/api.md
 * 7.2). This table assigns both to each reason; the gateway assigns a reason to each service error.
 */
import type { A2AVersion } from '../domain/task/task.js';
import type { HivekeepError, Issue } from '../domain/shared/errors.js';

/** The media type of HTTP+JSON. */
export const httpJsonType = 'application/a2a+json';

const httpStatuses = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  NOT_FOUND: 404,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
} as const;

/**
 * The errors that are answered. `title` is the text of the protocol and begins every message, because clients and
 * conformance kits look for it. `status` is that of google.rpc.Code.
 */
export const rpcErrors = {
  PARSE_ERROR: { title: 'Invalid JSON payload', code: -32700, status: 'INVALID_ARGUMENT' },
  INVALID_REQUEST: { title: 'Request payload validation error', code: -32600, status: 'INVALID_ARGUMENT' },
  METHOD_NOT_FOUND: { title: 'Method not found', code: -32601, status: 'NOT_FOUND' },
  INVALID_PARAMS: { title: 'Invalid parameters', code: -32602, status: 'INVALID_ARGUMENT' },
  INTERNAL_ERROR: { title: 'Internal error', code: -32603, status: 'INTERNAL' },
  TASK_NOT_FOUND: { title: 'Task not found', code: -32001, status: 'NOT_FOUND' },
  TASK_NOT_CANCELABLE: { title: 'Task cannot be canceled', code: -32002, status: 'FAILED_PRECONDITION' },
  UNSUPPORTED_OPERATION: { title: 'This operation is not supported', code: -32004, status: 'FAILED_PRECONDITION' },
  CONTENT_TYPE_NOT_SUPPORTED: { title: 'Incompatible content types', code: -32005, status: 'INVALID_ARGUMENT' },
  VERSION_NOT_SUPPORTED: { title: 'Version not supported', code: -32009, status: 'FAILED_PRECONDITION' },
  QUOTA_EXCEEDED: { title: 'Quota exceeded', code: -32050, status: 'RESOURCE_EXHAUSTED' },
  AGENT_BUSY: { title: 'The agent is busy', code: -32051, status: 'ABORTED' },
} as const satisfies Record<string, { title: string; code: number; status: keyof typeof httpStatuses }>;
/** Whether an error is one that A2A defines, to which 1.0 adds an ErrorInfo; others are those of JSON-RPC or ours. */
const isOfA2A = (code: number): boolean => code <= -32001 && code > -32050;
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
export function rpcErrorObject(version: A2AVersion, error: RpcError): RpcErrorObject {
  const { code, message } = error;
  if (version !== '1.0') return { code, message };
  const data = [...(isOfA2A(code) ? [errorInfo(error)] : []), ...badRequest(error)];
  return data.length === 0 ? { code, message } : { code, message, data };
}

/** The error as HTTP+JSON has it: a google.rpc.Status with its HTTP status (A2A 1.0, 11.6). */
export function errorStatus(error: RpcError): { code: number; body: { error: object } } {
  const { status } = rpcErrors[error.reason];
  const code = httpStatuses[status];
  const details = [errorInfo(error), ...badRequest(error)];
  return { code, body: { error: { code, status, message: error.message, details } } };
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  409: 'ABORTED',
  412: 'FAILED_PRECONDITION',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** The same of an error that is said before the protocol: about the caller, the agent, the path or the rate. */
export const plainStatus = (
  { code: reason, message }: HivekeepError,
  code: number,
  requestId: string,
): { error: object } => ({
  error: {
    code,
    status: statusNames[code] ?? 'UNKNOWN',
    message,
    details: [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'hivekeep' },
      { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId },
    ],
  },
});

type Detail = Record<string, unknown>;

const errorInfo = ({ reason }: RpcError): Detail => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'a2a-protocol.org',
});

const badRequest = ({ violations }: RpcError): Detail[] =>
  violations.length === 0
    ? []
    : [
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: violations.map(({ path, message: description }) => ({ field: path, description })),
        },
      ];
