/**
 * Limits counted in Redis for many processes: each call is one script, and scripts run one after the other, so the
 * counts are exact (Limits.L5). Each key of the port has one Redis key for its bucket and one for its slots, each with
 * its own {tag}; both expire when they no longer differ from new ones.
 *
 * Invariants (in addition to Limits.L1-L6 of port.ts)
 *  - The numbers are identical to those in memory: take.lua is in-memory.ts, and the description of a bucket is made by
 *    in-memory.ts.
 *  - Clock differences cannot be exploited repeatedly. A bucket's time never goes back for a caller less than a window
 *    behind, so whatever the order of callers, the requests granted between two times of the clock furthest ahead are
 *    those that Limits.L1 allows; measured by a true clock, `limit` times the difference more, once. A slot is
 *    released early by a clock more than two thirds of `holdMs` ahead of its holder's (who renews it after a third).
 *    Beyond these bounds limits are not exact, so processes whose clocks differ by more than 20 s (with the gateway's
 *    `holdMs` of 30 s) must not serve one cluster.
 *  - A call whose response is lost may have counted; it is never granted twice.
 *
 * On failure: while Redis is unreachable, every call that needs it rejects with UNAVAILABLE and the gateway answers
 * 503. Letting requests pass uncounted would turn an outage into a way around every limit, and commands need Redis in
 * any case. When Redis starts empty, keys begin with a full bucket and no slot in use; renewals restore the slots
 * within a third of `holdMs`.
 */
import { unavailable } from '../../domain/shared/errors.js';
import type { RedisClient } from '../../redis/connect.js';
import { isOutOfMemory } from '../../redis/failure.js';
import { loadScript } from '../../redis/script.js';
import { takenOf } from '../in-memory.js';
import type { Limits } from '../port.js';

export interface RedisLimitsOptions {
  client: RedisClient;
  /** The prefix of all its keys; limits with different prefixes are independent. Must not contain braces. */
  prefix: string;
  /** How long a slot lasts without being renewed, ms. */
  holdMs: number;
}

const takeScript = loadScript(new URL('./take.lua', import.meta.url));
const enterScript = loadScript(new URL('./enter.lua', import.meta.url));

export function createRedisLimits({ client, prefix, holdMs }: RedisLimitsOptions): Limits {
  const bucketKey = (key: string): string => `${prefix}bucket:{${key}}`;
  const slotsKey = (key: string): string => `${prefix}slots:{${key}}`;

  return {
    async take(key, policy, now) {
      const [passes, sustained, spare, at] = (await asked(
        takeScript(client, [bucketKey(key)], [policy.limit, policy.burst, now]),
      )) as [number, number, number, number];
      return takenOf({ sustained, spare, at }, policy, now, passes === 1);
    },
    enter: async (key, max, id, now) =>
      (await asked(enterScript(client, [slotsKey(key)], [max, id, now, holdMs]))) === 1,
    leave: async (key, id) => {
      await asked(client.zrem(slotsKey(key), id));
    },
  };
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const reason = isOutOfMemory(error) ? 'is out of memory' : 'does not answer';
    throw unavailable(`the limits cannot be counted, because Redis ${reason}`, { cause: error });
  }
}
