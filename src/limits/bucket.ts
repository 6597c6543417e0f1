/**
 * The arithmetic of the token bucket behind a rate limit (docs/api.md 8.2).
 *
 * Take a policy of 100 a minute with bursts of 150. The bucket holds 150 requests and refills by 100 a minute, so a
 * spike of 150 passes, and the long-term rate is 100 a minute. It has two parts, because clients are told about the
 * first only: `sustained` (here up to 100) is used first and refilled first, and `spare` (up to 50) is what bursts may
 * take beyond it. Whether a request passes depends only on the sum.
 *
 * X-RateLimit-Remaining is the number of whole requests in `sustained`. It counts down from the limit, stays at 0 while
 * the spare part is used, and is at the limit again at X-RateLimit-Reset, at most 60 s ahead.
 *
 * Both parts are counted in 60,000ths of a request: each millisecond then refills exactly `limit` of them, and all
 * numbers are integers below 2^53 for limits up to a thousand million a minute. There is no rounding and no drift.
 *
 * When the clock goes back, the bucket does not refill until its own time is reached again. If the clock went back by
 * more than a window, the bucket continues from the new time with its current contents.
 */
import { windowMs, type Policy, type Taken } from './port.js';

/** The cost of one request; `limit` of these units refill each millisecond. */
const request = windowMs;

export interface Bucket {
  sustained: number;
  spare: number;
  /** The time up to which the bucket has been refilled. */
  at: number;
}

export const fullBucket = ({ limit, burst }: Policy, now: number): Bucket => ({
  sustained: limit * request,
  spare: (burst - limit) * request,
  at: now,
});

/** Takes one request out of the bucket, if it holds one. */
export function takeFrom(bucket: Bucket, policy: Policy, now: number): Taken {
  refill(bucket, policy, now);
  const allowed = bucket.sustained + bucket.spare >= request;
  if (allowed) {
    const first = Math.min(bucket.sustained, request);
    bucket.sustained -= first;
    bucket.spare -= request - first;
  }
  return takenOf(bucket, policy, now, allowed);
}

/** Describes the bucket, refilled up to `now`, for the response to a request. */
export function takenOf(bucket: Bucket, { limit }: Policy, now: number, allowed: boolean): Taken {
  const wholeAgain = bucket.at + Math.ceil((limit * request - bucket.sustained) / limit);
  return {
    allowed,
    limit,
    remaining: Math.floor(bucket.sustained / request),
    // in whole seconds: a reset is never announced more than a window after the current second
    resetAt: Math.min(Math.ceil(wholeAgain / 1000), Math.floor((now + windowMs) / 1000)),
    retryAfter: allowed ? 0 : secondsUntilNext(bucket, limit, now),
  };
}

function secondsUntilNext(bucket: Bucket, limit: number, now: number): number {
  const next = bucket.at + Math.ceil((request - bucket.sustained - bucket.spare) / limit);
  return Math.max(1, Math.ceil((next - now) / 1000));
}

function refill(bucket: Bucket, { limit, burst }: Policy, now: number): void {
  const whole = limit * request;
  const most = (burst - limit) * request;
  const elapsed = now - bucket.at;
  if (elapsed >= 0 || elapsed < -windowMs) bucket.at = now;
  // at most what fills the bucket, so that a key unused for years stays within the safe integers
  const gained = elapsed > 0 ? Math.min(elapsed * limit, burst * request) : 0;
  const sustained = Math.min(whole, bucket.sustained + gained);
  bucket.spare = Math.min(most, bucket.spare + Math.max(0, bucket.sustained + gained - whole));
  bucket.sustained = sustained;
}
