/**
 * The limits of one process, in memory: exact, because each call runs within one turn of the event loop, and
 * synchronous.
 *
 * Invariants (in addition to Limits.L1-L6 of port.ts)
 *  - At most `maxBuckets` buckets are kept. The one that was not used for longest makes room for a new one.
 *  - The number of slots is that of the ids that hold one; a key without any is forgotten.
 *  - There are no timers, and no work outside of calls.
 * When the process ends, everything is forgotten: all keys start with a full bucket and no slot in use.
 */
import { type Limits, type Policy, type Taken, windowMs } from './port.js';

/*
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

export interface InMemoryOptions {
  /** How long a slot lasts without being renewed, ms. */
  holdMs: number;
  tuning?: Partial<InMemoryTuning>;
}

/** Values that only tests change. */
export interface InMemoryTuning {
  /** The number of buckets that are kept, about 250 bytes each. */
  maxBuckets: number;
}
const usualTuning: InMemoryTuning = { maxBuckets: 50_000 };

interface Entry {
  bucket: Bucket;
  movedAt: number;
}

/** The precision of the order by use, ms, so that a busy key need not be moved for each request. */
const orderMs = 1000;

export interface InMemoryLimits extends Limits {
  take(key: string, policy: Policy, now: number): Taken;
  enter(key: string, max: number, id: string, now: number): boolean;
  leave(key: string, id: string): void;
  /** The number of entries currently kept. */
  readonly size: { buckets: number; slots: number };
}

export function createInMemoryLimits({ holdMs, tuning }: InMemoryOptions): InMemoryLimits {
  const { maxBuckets } = { ...usualTuning, ...tuning };
  const entries = new Map<string, Entry>();
  const keys = new Map<string, ConcurrencySlots>();

  function entryOf(key: string, policy: Policy, now: number): Entry {
    const found = entries.get(key);
    if (found === undefined) {
      const [oldest] = entries.keys();
      if (entries.size >= maxBuckets && oldest !== undefined) entries.delete(oldest);
      const made: Entry = { bucket: fullBucket(policy, now), movedAt: now };
      entries.set(key, made);
      return made;
    }
    if (Math.abs(now - found.movedAt) >= orderMs) {
      found.movedAt = now;
      entries.delete(key);
      entries.set(key, found);
    }
    return found;
  }

  return {
    take: (key, policy, now) => takeFrom(entryOf(key, policy, now).bucket, policy, now),
    enter(key, max, id, now) {
      const held = keys.get(key);
      if (held !== undefined) return held.enter(max, id, now);
      const slots = new ConcurrencySlots(holdMs);
      const entered = slots.enter(max, id, now);
      if (entered) keys.set(key, slots);
      return entered;
    },
    leave(key, id) {
      const held = keys.get(key);
      if (held === undefined) return;
      held.leave(id);
      if (held.empty) keys.delete(key);
    },
    get size() {
      return { buckets: entries.size, slots: keys.size };
    },
  };
}

/**
 * The concurrency slots of one key (docs/api.md 8.1, "Concurrent").
 *
 *  1. An id holds at most one slot; entering again renews it and never fails.
 *  2. Expired slots are released when a slot is requested, the oldest first: a Map keeps insertion order, and renewing
 *     moves an entry to the end, so only the first entry needs checking.
 *  3. If the clock goes back by more than `holdMs`, every slot counts as entered now, so that it still expires.
 */
class ConcurrencySlots {
  private readonly until = new Map<string, number>();
  private latest = -Infinity;

  constructor(private readonly holdMs: number) {}

  get empty(): boolean {
    return this.until.size === 0;
  }

  enter(max: number, id: string, now: number): boolean {
    const until = this.until;
    if (now < this.latest - this.holdMs) for (const held of until.keys()) until.set(held, now + this.holdMs);
    this.latest = now;
    if (!until.delete(id) && until.size >= max) {
      this.release(now);
      if (until.size >= max) return false;
    }
    until.set(id, now + this.holdMs);
    return true;
  }

  leave(id: string): void {
    this.until.delete(id);
  }

  private release(now: number): void {
    for (const [id, until] of this.until) {
      if (until > now) return;
      this.until.delete(id);
    }
  }
}
