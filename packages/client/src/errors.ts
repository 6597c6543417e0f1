/** What the client throws. */

/** The codes that the service answers (docs/api.md 7.1). A later version of the service may know more. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'UNSUPPORTED_VERSION'
  | 'UNAUTHENTICATED'
  | 'INSUFFICIENT_SCOPE'
  | 'QUOTA_EXCEEDED'
  | 'HTTPS_REQUIRED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'AGENT_INACTIVE'
  | 'RUN_NOT_RESUMABLE'
  | 'AGENT_BUSY'
  | 'PRECONDITION_FAILED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_MISMATCH'
  | 'RATE_LIMIT_EXCEEDED'
  | 'CONCURRENCY_LIMIT_EXCEEDED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE'
  | (string & {});

/** Everything that this client throws of its own; an aborted signal rejects with the signal's reason. */
export class HivekeepError extends Error {
  override name = 'HivekeepError';
}

/** The service refused the request, which has then changed nothing. */
export class ApiError extends HivekeepError {
  override name = 'ApiError';
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** What belongs to the code: `issues` of a VALIDATION_ERROR, `required_scope`, `retry_after`, ... */
  readonly details: Readonly<Record<string, unknown>>;
  /** By which the service's log finds the request; null where something before the service answered. */
  readonly requestId: string | null;
  /** After how many seconds the service asks to be tried again; null where it does not say. */
  readonly retryAfter: number | null;

  constructor(status: number, body: unknown, retryAfter: number | null = null) {
    const { error } = (body ?? {}) as { error?: Record<string, unknown> };
    const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
    super(text(error?.['message']) ?? `the service answered with status ${status}`);
    this.status = status;
    this.code = text(error?.['code']) ?? (status >= 500 ? 'UNAVAILABLE' : 'INTERNAL_ERROR');
    this.details = (error?.['details'] ?? {}) as Record<string, unknown>;
    this.requestId = text(error?.['request_id']) ?? null;
    this.retryAfter = retryAfter;
  }
}

/** No answer came from the service, after as many tries as were allowed; `cause` says why. */
export class ConnectionError extends HivekeepError {
  override name = 'ConnectionError';
}

/** What was waited for did not happen in the time given. */
export class TimeoutError extends HivekeepError {
  override name = 'TimeoutError';
}
