/**
 * The limits of many processes, counted in Redis: one script a call, run there one after the other, so that they are
 * exact whoever asks (Limits.L5). Each key of the port is one key of Redis for its bucket and one for its places, each
 * in a {tag} of its own; both expire when they say nothing that a new one would not.
 *
 * Invariants (beside Limits.L1-L6 of port.ts)
 *  RedisLimits.R1 Same numbers as in memory, to the digit: take.lua is bucket.ts, and what is told of the bucket is
 *     made by bucket.ts.
 *  RedisLimits.R2 A bucket that was found empty is remembered here and refilled by the same arithmetic: until it holds
 *     a request, no bucket from which others may have taken since can, so the key is refused without asking. What
 *     passes, passes in Redis only. At most `maxRemembered` are kept; one that is forgotten costs a call.
 *  RedisLimits.R3 Clocks that differ give nothing away again and again: a bucket's time never goes back for who is less
 *     than a window behind, so whatever the order of callers, what passes between two times of the clock that is
 *     furthest ahead is what Limits.L1 allows; by one true clock, `limit` times the difference more, once. A place is
 *     let go early by a clock that is more than two thirds of `holdMs` ahead of its holder's (who renews it after a
 *     third); beyond these bounds limits are not exact. So processes whose clocks are further apart than 20 s (with the
 *     gateway's 30 s for `holdMs`) are not to serve one cluster.
 *  RedisLimits.R4 A call whose answer is lost may have counted: nothing is ever given twice for it.
 *
 * When it fails: every call that needs Redis rejects UNAVAILABLE while it is away, and the gateway answers 503: who let
 * requests pass uncounted would make an outage the way around every limit, and commands need Redis in any case. When it
 * starts empty, keys begin with a full bucket and no place held; renewals put places back within a third of `holdMs`.
 */
import { unavailable } from '../../domain/errors.js';
import type { RedisClient } from '../../redis/connect.js';
import { loadScript } from '../../redis/script.js';
import { type Bucket, isEmpty, takenOf } from '../bucket.js';
import type { Limits, Policy, Taken } from '../port.js';

export interface RedisLimitsOptions {
  client: RedisClient;
  /** Of all its keys; limits with different prefixes know nothing of each other. Holds no braces. */
  prefix: string;
  /** How long a place lasts without being entered again, ms. */
  holdMs: number;
  /** Empty buckets that are remembered, about 200 bytes each. Default 10,000. */
  maxRemembered?: number;
}

const takeScript = loadScript(new URL('./take.lua', import.meta.url));
const enterScript = loadScript(new URL('./enter.lua', import.meta.url));

interface Empty {
  bucket: Bucket;
  policy: Policy;
}

export function createRedisLimits({ client, prefix, holdMs, maxRemembered = 10_000 }: RedisLimitsOptions): Limits {
  const empty = new Map<string, Empty>();
  const bucketKey = (key: string): string => `${prefix}bucket:{${key}}`;
  const placesKey = (key: string): string => `${prefix}places:{${key}}`;

  /** RedisLimits.R2. Null where Redis has to be asked. */
  function refused(key: string, policy: Policy, now: number): Taken | null {
    const known = empty.get(key);
    if (known === undefined) return null;
    // what a clock that goes back does to a bucket is Redis' to decide
    if (
      now >= known.bucket.at &&
      known.policy.limit === policy.limit &&
      known.policy.burst === policy.burst &&
      isEmpty(known.bucket, policy, now)
    )
      return takenOf(known.bucket, policy, now, false);
    empty.delete(key);
    return null;
  }

  function remember(key: string, found: Empty): void {
    empty.delete(key);
    if (empty.size >= maxRemembered)
      for (const oldest of empty.keys()) {
        empty.delete(oldest);
        break;
      }
    empty.set(key, found);
  }

  async function take(key: string, policy: Policy, now: number): Promise<Taken> {
    const [passes, sustained, spare, at] = (await asked(
      takeScript(client, [bucketKey(key)], [policy.limit, policy.burst, now]),
    )) as [number, number, number, number];
    const bucket: Bucket = { sustained, spare, at };
    if (passes !== 1) remember(key, { bucket, policy });
    return takenOf(bucket, policy, now, passes === 1);
  }

  return {
    take: (key, policy, now) => refused(key, policy, now) ?? take(key, policy, now),
    enter: async (key, max, id, now) =>
      (await asked(enterScript(client, [placesKey(key)], [max, id, now, holdMs]))) === 1,
    leave: async (key, id) => {
      await asked(client.zrem(placesKey(key), id));
    },
  };
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw unavailable('the limits cannot be counted, because Redis does not answer', { cause: error });
  }
}
