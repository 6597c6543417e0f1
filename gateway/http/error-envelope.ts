/**
 * Encodes errors for REST (docs/api.md 7.1): one table from codes to statuses, one encoder. Anything but a
 * HivekeepError is a defect: 500 without details, which go to the log.
 */
import { HivekeepError, type ErrorCode } from '../../src/domain/shared/errors.js';

export const statusOf: Readonly<Record<ErrorCode, number>> = {
  VALIDATION_ERROR: 400,
  UNSUPPORTED_VERSION: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_SCOPE: 403,
  QUOTA_EXCEEDED: 403,
  HTTPS_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  AGENT_INACTIVE: 409,
  RUN_NOT_RESUMABLE: 409,
  AGENT_BUSY: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMIT_EXCEEDED: 429,
  CONCURRENCY_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
};

/** Converts a thrown value into an error that is safe to show to a client. */
export function toHivekeepError(thrown: unknown): HivekeepError {
  if (thrown instanceof HivekeepError) return thrown;
  // thrown by the router for a path with invalid percent-encoding
  if (thrown instanceof URIError)
    return new HivekeepError('VALIDATION_ERROR', 'path: is not valid percent-encoded UTF-8', {
      details: { issues: [{ path: 'path', message: 'is not valid percent-encoded UTF-8' }] },
    });
  return new HivekeepError('INTERNAL_ERROR', 'an internal error occurred; the log has it under the request id', {
    cause: thrown,
  });
}

/** The error object of docs/api.md 7.1. */
export const errorObject = (error: HivekeepError, requestId: string): object => ({
  error: {
    code: error.code,
    message: error.message,
    status: statusOf[error.code],
    details: error.details,
    request_id: requestId,
  },
});

export const errorBody = (error: HivekeepError, requestId: string): string =>
  JSON.stringify(errorObject(error, requestId));

/**
 * Headers that accompany an error: how to authenticate (RFC 6750), and when to retry where time alone may help
 * (docs/api.md 7.1). A conflict may have a `retryAfter` for other protocols, but tells it in no header.
 */
export function errorHeaders(error: HivekeepError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.code === 'UNAUTHENTICATED') headers['WWW-Authenticate'] = 'Bearer realm="hivekeep"';
  const needed = error.details['required_scope'];
  if (error.code === 'INSUFFICIENT_SCOPE')
    headers['WWW-Authenticate'] =
      typeof needed === 'string'
        ? `Bearer error="insufficient_scope", scope="${needed}"`
        : 'Bearer error="insufficient_scope"';
  if (error.code === 'METHOD_NOT_ALLOWED' && typeof error.details['allow'] === 'string')
    headers['Allow'] = error.details['allow'];
  const status = statusOf[error.code];
  if (error.retryAfter !== undefined && (status === 429 || status === 503))
    headers['Retry-After'] = String(Math.max(1, Math.ceil(error.retryAfter)));
  return headers;
}
