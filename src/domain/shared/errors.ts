/**
 * What can go wrong, in terms that every layer shares. Nothing here depends on the transport: the gateway maps `code`
 * to a status (one table, one test), and an actor's reply carries the error unchanged.
 */
export const errorCodes = [
  'VALIDATION_ERROR',
  'UNSUPPORTED_VERSION',
  'UNAUTHENTICATED',
  'INSUFFICIENT_SCOPE',
  'QUOTA_EXCEEDED',
  'HTTPS_REQUIRED',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'AGENT_INACTIVE',
  'RUN_NOT_RESUMABLE',
  'AGENT_BUSY',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_MISMATCH',
  'RATE_LIMIT_EXCEEDED',
  'CONCURRENCY_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** One problem with an input: its location (`content`, `config.max_steps`) and what was expected. */
export interface Issue {
  path: string;
  message: string;
}

export interface ErrorOptions {
  cause?: unknown;
  details?: Record<string, unknown>;
  /** Seconds after which the same request may succeed; sent as Retry-After. */
  retryAfter?: number;
}

const retryableCodes: ReadonlySet<ErrorCode> = new Set([
  'RATE_LIMIT_EXCEEDED',
  'CONCURRENCY_LIMIT_EXCEEDED',
  'UNAVAILABLE',
  'AGENT_BUSY',
]);

export class HivekeepError extends Error {
  override readonly name: string = 'HivekeepError';
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.retryAfter = options.retryAfter;
  }

  get retryable(): boolean {
    return retryableCodes.has(this.code);
  }
}

export const invalid = (...issues: [Issue, ...Issue[]]): HivekeepError =>
  new HivekeepError('VALIDATION_ERROR', `${issues[0].path || 'body'}: ${issues[0].message}`, { details: { issues } });

export const notFound = (what: string, id: string): HivekeepError => new HivekeepError('NOT_FOUND', `no ${what} ${id}`);

/** Refuses `what` because the credential lacks the scope. */
export const insufficientScope = (scope: string, what: string): HivekeepError =>
  new HivekeepError('INSUFFICIENT_SCOPE', `${what} needs the scope ${scope}`, { details: { required_scope: scope } });

export const conflict = (message: string): HivekeepError => new HivekeepError('CONFLICT', message);

export const unavailable = (message: string, options: ErrorOptions = {}): HivekeepError =>
  new HivekeepError('UNAVAILABLE', message, { retryAfter: 1, ...options });
