/**
 * The four headers that every response carries (docs/api.md 8.3), and the refusals that come with them (docs/api.md
 * 7.1).
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

/** A policy with what is said of it on each response, made once. */
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

/** Of a limit from which nothing was taken. */
export const untouched = ({ limit, text }: Metered, now: number): RateHeaders => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': limit,
  'X-RateLimit-Reset': String(Math.ceil(now / 1000)),
  'X-RateLimit-Policy': text,
});

/** `whose` completes "too many ...": requests of this key, searches of this key, requests without a valid key from this address. */
export function rateExceeded(whose: string, { limit, burst }: Policy, { retryAfter }: Taken): HivekeepError {
  return untraced(
    () =>
      new HivekeepError(
        'RATE_LIMIT_EXCEEDED',
        `too many ${whose}: ${limit} a minute, and ${burst} at once after a rest`,
        {
          retryAfter,
          details: { limit, window: `${windowSeconds}s`, retry_after: retryAfter },
        },
      ),
  );
}

/** Nobody can say when one of the requests in flight will end, so trying again soon is the advice. */
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

/** A refusal is no fault whose place anybody looks up, and to note the place would be a good part of what refusing costs. */
function untraced(make: () => HivekeepError): HivekeepError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
