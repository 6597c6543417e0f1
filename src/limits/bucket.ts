/**
 * The bucket behind a rate limit (docs/api.md 8.2), as arithmetic.
 *
 * A policy says 100 a minute with bursts of 150. The bucket holds 150 requests and refills with 100 a minute, so a
 * spike of 150 passes, and the long run is 100 a minute. It is kept in two parts, because clients are told about the
 * first alone: `sustained` (here up to 100) is used first and refilled first, `spare` (up to 50) is what bursts may
 * take beyond it. Which part a request comes from changes nothing about whether it passes: that is the sum.
 *
 * So X-RateLimit-Remaining is the whole requests in `sustained`. It counts down from the limit, stays at 0 while the
 * spare part is used, and is the limit again at X-RateLimit-Reset, at most 60 s ahead.
 *
 * Parts are counted in 60,000ths of a request: a millisecond then refills exactly `limit` of them, and all numbers are
 * integers below 2^53 for limits up to a thousand million a minute. No rounding, no drift.
 *
 * When the clock goes back, the bucket stands still until the time that it knows is reached again; when that is more
 * than a window away it goes on from the new time, with what it holds.
 */
import { windowMs, type Policy, type Taken } from './port.js';

/** One request; `limit` of these come back each millisecond. */
const request = windowMs;

export interface Bucket {
  sustained: number;
  spare: number;
  /** The time up to which it has been refilled. */
  at: number;
}

export const fullBucket = ({ limit, burst }: Policy, now: number): Bucket => ({
  sustained: limit * request,
  spare: (burst - limit) * request,
  at: now,
});

/** Whether a new bucket would say the same of every later request. */
export function isFull(bucket: Bucket, policy: Policy, now: number): boolean {
  refill(bucket, policy, now);
  return bucket.sustained + bucket.spare >= policy.burst * request;
}

/** Whether it holds less than one request; changes nothing but the time up to which it has been refilled. */
export function isEmpty(bucket: Bucket, policy: Policy, now: number): boolean {
  refill(bucket, policy, now);
  return bucket.sustained + bucket.spare < request;
}

/** Takes one request out of the bucket, if it holds one. */
export function takeFrom(bucket: Bucket, policy: Policy, now: number): Taken {
  const allowed = !isEmpty(bucket, policy, now);
  if (allowed) {
    const first = Math.min(bucket.sustained, request);
    bucket.sustained -= first;
    bucket.spare -= request - first;
  }
  return takenOf(bucket, policy, now, allowed);
}

/** What is told of a request after which the bucket, refilled up to `now`, stands like this. */
export function takenOf(bucket: Bucket, { limit }: Policy, now: number, allowed: boolean): Taken {
  const wholeAgain = bucket.at + Math.ceil((limit * request - bucket.sustained) / limit);
  return {
    allowed,
    limit,
    remaining: Math.floor(bucket.sustained / request),
    // told in whole seconds: a window is never said to end more than a window after this second
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
  // no more than fills it: a key that was away for years must not leave the integers
  const gained = elapsed > 0 ? Math.min(elapsed * limit, burst * request) : 0;
  const sustained = Math.min(whole, bucket.sustained + gained);
  bucket.spare = Math.min(most, bucket.spare + Math.max(0, bucket.sustained + gained - whole));
  bucket.sustained = sustained;
}
