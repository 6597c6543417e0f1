/** The status of each error code, written a second time beside the gateway's own table (docs/api.md 7.1). */
import type { ErrorCode } from '../../src/domain/shared/errors.js';

export const expectedStatus: Readonly<Record<ErrorCode, number>> = {
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
