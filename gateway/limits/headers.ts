/**
 * The four rate-limit headers that every response carries (docs/api.md 8.3), and the errors of refused requests
 * (docs/api.md 7.1).
 */
import { HivekeepError } from '../../src/domain/errors.js';
import { windowMs, type Policy, type Taken } from '../../src/limits/port.js';

const windowSeconds = windowMs / 1000;

export interface RateHeaders extends Readonly<Record<string, string>> {
  'X-RateLimit-Limit': string;
  'X-RateLimit-Remaining': string;
  'X-RateLimit-Reset': string;
  'X-RateLimit-Policy': string;
}

/** A policy together with its precomputed header texts. */
export interface Metered {
  readonly policy: Policy;
  readonly limit: string;
  readonly text: string;
}

export const metered = (policy: Policy): Metered => ({
  policy,
  limit: String(policy.limit),
  text: `${policy.limit};w=${windowSeconds}`,
});

export const headersOf = ({ limit, text }: Metered, taken: Taken): RateHeaders => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': String(taken.remaining),
  'X-RateLimit-Reset': String(taken.resetAt),
  'X-RateLimit-Policy': text,
});

/** The headers of a limit from which nothing was taken. */
export const untouched = ({ limit, text }: Metered, now: number): RateHeaders => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': limit,
  'X-RateLimit-Reset': String(Math.ceil(now / 1000)),
  'X-RateLimit-Policy': text,
});

/**
 * `subject` completes the sentence "too many ...", for example: requests of this key, searches of this key, requests
 * without a valid key from this address.
 */
export function rateExceeded(subject: string, { limit, burst }: Policy, { retryAfter }: Taken): HivekeepError {
  return untraced(
    () =>
      new HivekeepError(
        'RATE_LIMIT_EXCEEDED',
        `too many ${subject}: ${limit} a minute, and ${burst} at once after a rest`,
        {
          retryAfter,
          details: { limit, window: `${windowSeconds}s`, retry_after: retryAfter },
        },
      ),
  );
}

/** The end of a request in progress cannot be predicted, so clients are advised to retry soon. */
const concurrencyRetrySeconds = 1;

export const concurrencyExceeded = (max: number): HivekeepError =>
  untraced(
    () =>
      new HivekeepError(
        'CONCURRENCY_LIMIT_EXCEEDED',
        `too many requests of this key at the same time: ${max} may be in progress, open streams included`,
        {
          retryAfter: concurrencyRetrySeconds,
          details: { limit: max, retry_after: concurrencyRetrySeconds },
        },
      ),
  );

/**
 * Creates the error without a stack trace: nobody needs one for a refusal, and capturing it would be a large part of
 * the cost of refusing.
 */
function untraced(make: () => HivekeepError): HivekeepError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
