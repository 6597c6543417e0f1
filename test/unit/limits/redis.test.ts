/**
 * What is refused without asking Redis (src/limits/redis/limits.ts), and what a failure comes to. The scripts
 * themselves are tested on a real Redis (test/contract/limits).
 */
import { expect } from 'chai';
import { createRedisLimits, type RedisLimitsOptions } from '../../../src/limits/redis/limits.js';
import type { Limits, Policy } from '../../../src/limits/port.js';
import type { RedisClient } from '../../../src/redis/connect.js';

const free: Policy = { limit: 100, burst: 150 };
const now = 1_800_000_000_000;

/** Limits over a Redis in which every bucket is empty at `now`. */
function overEmpty(options: Pick<RedisLimitsOptions, 'tuning'> & { fails?: () => boolean } = {}): {
  limits: Limits;
  asked: string[];
} {
  const asked: string[] = [];
  const client = {
    evalsha: async (_sha: string, _keys: number, key: string) => {
      asked.push(key);
      if (options.fails?.()) throw new Error('no connection');
      return [0, 0, 0, now];
    },
  };
  return {
    asked,
    limits: createRedisLimits({ client: client as unknown as RedisClient, prefix: 'hk:x:', holdMs: 1000, ...options }),
  };
}

describe('limits in Redis, as a process remembers them', () => {
  it('an empty bucket is refused at once until it holds a request, and told the same as by Redis', async () => {
    const { limits, asked } = overEmpty();
    const first = await limits.take('a', free, now);
    expect(first).to.deep.equal({ allowed: false, limit: 100, remaining: 0, resetAt: now / 1000 + 60, retryAfter: 1 });
    for (let ms = 0; ms < 600; ms++) expect(limits.take('a', free, now + ms)).to.deep.equal(first);
    expect(asked).to.deep.equal(['hk:x:bucket:{a}']);
    await limits.take('a', free, now + 600);
    expect(asked).to.have.length(2);
  });

  it('another policy, another key and a clock that went back are asked for', async () => {
    const { limits, asked } = overEmpty();
    await limits.take('a', free, now);
    await limits.take('b', free, now);
    await limits.take('a', free, now - 1);
    await limits.take('a', { limit: 100, burst: 151 }, now);
    expect(asked).to.have.length(4);
  });

  it('so many are remembered, and those that are forgotten cost a call', async () => {
    const { limits, asked } = overEmpty({ tuning: { maxRemembered: 10 } });
    for (let i = 0; i < 100; i++) await limits.take(`${i}`, free, now);
    for (let i = 90; i < 100; i++) expect(limits.take(`${i}`, free, now)).to.include({ allowed: false });
    expect(limits.take('89', free, now)).to.be.a('promise');
    expect(asked).to.have.length(101);
  });

  it('a Redis that does not answer is UNAVAILABLE, and nothing is remembered of it', async () => {
    let fails = true;
    const { limits, asked } = overEmpty({ fails: () => fails });
    const failure: unknown = await Promise.resolve(limits.take('a', free, now)).catch((error: unknown) => error);
    expect(failure)
      .to.include({ code: 'UNAVAILABLE', retryAfter: 1 })
      .and.have.nested.property('cause.message', 'no connection');
    fails = false;
    await limits.take('a', free, now);
    expect(asked).to.have.length(2);
  });
});
