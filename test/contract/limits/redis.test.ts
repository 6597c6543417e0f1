/** The limits on a real Redis: the contract, and what src/limits/redis/limits.ts promises beside it. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { HivekeepError } from '../../../src/domain/shared/errors.js';
import { createInMemoryLimits } from '../../../src/limits/in-memory.js';
import type { Limits, Policy } from '../../../src/limits/port.js';
import { createRedisLimits } from '../../../src/limits/redis/limits.js';
import { connectRedis, type RedisClient } from '../../../src/redis/connect.js';
import { redisService, type RedisService } from '../../helpers/redis-service.js';
import { holdMs, start } from './open.js';
import { limitsContract } from './suite.js';

const free: Policy = { limit: 100, burst: 150 };
const codeOf = (work: unknown): Promise<string> =>
  Promise.resolve(work).then(
    () => 'none',
    (error: unknown) => (error as HivekeepError).code,
  );

describe('limits on a real Redis', function suite() {
  this.timeout(60_000);
  let redis: RedisService | null = null;
  let opened = 0;
  const clients: RedisClient[] = [];
  before(async function begin() {
    redis = await redisService();
    if (!redis) {
      process.stdout.write('      skipped: there is no redis-server on PATH and no REDIS_URL\n');
      this.skip();
    }
    for (const name of ['one', 'another']) clients.push(connectRedis(redis.url, `limits-${name}`));
  });
  after(async () => {
    for (const client of clients) client.disconnect();
    await redis?.stop();
  });

  const freshPrefix = (): string => `hk:limits-${process.pid}-${Date.now()}-${++opened}:`;
  const client = (i = 0): RedisClient => clients[i % 2] as RedisClient;
  const on = (prefix: string, i = 0): Limits => createRedisLimits({ client: client(i), prefix, holdMs });
  /** As two processes see the same limits. */
  const pair = (): [Limits, Limits] => {
    const prefix = freshPrefix();
    return [on(prefix, 0), on(prefix, 1)];
  };

  limitsContract('redis', async (ms) => ({
    limits: createRedisLimits({ client: client(), prefix: freshPrefix(), holdMs: ms }),
    close: async () => undefined,
  }));

  it('tells the same as in memory, to the digit, whichever process asks and also when clocks differ', async () => {
    const policies = fc
      .tuple(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 0, max: 1000 }))
      .map(([limit, more]): Policy => ({ limit, burst: limit + more }));
    // a crowd takes what is there, so that refusals come up too
    const steps = fc.array(
      fc.record({
        wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 200_000 })),
        behind: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 59_000 })),
        crowd: fc.integer({ min: 1, max: 60 }),
        who: fc.integer({ min: 0, max: 1 }),
      }),
      { minLength: 1, maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(policies, steps, async (policy, all) => {
        const memory = createInMemoryLimits({ holdMs });
        const both = pair();
        let ahead = start;
        for (const { wait, behind, crowd, who } of all) {
          ahead += wait;
          const now = ahead - behind;
          const limits = both[who] as Limits;
          const told = Array.from({ length: crowd }, () => limits.take('a', policy, now));
          for (const each of told) expect(await each).to.deep.equal(memory.take('a', policy, now));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('Limits.L1, Limits.L5: two processes that hammer one key get what one would, whatever the order', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 5, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 30 }),
        gaps,
        async (limit, more, waits) => {
          const both = pair();
          const policy: Policy = { limit, burst: limit + more };
          let now = start;
          let passed = 0;
          for (const wait of waits) {
            now += wait;
            const told = await Promise.all(
              Array.from({ length: 120 }, async (_, i) => (both[i % 2] as Limits).take('a', policy, now)),
            );
            passed += told.filter((t) => t.allowed).length;
          }
          // each time more came than there can be, so it is both the most and the least that may pass
          const spans = Math.floor((limit * (now - start - (waits[0] ?? 0))) / 60_000);
          expect(passed).to.be.at.most(policy.burst + spans);
          if (policy.burst <= 120) expect(passed).to.equal(policy.burst + spans);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('Limits.L3, Limits.L5: of slots too, there are never more than the maximum', async () => {
    const both = pair();
    for (let round = 0; round < 20; round++) {
      const ids = Array.from({ length: 40 }, (_, i) => `${round}-${i}`);
      const entered = await Promise.all(
        ids.map(async (id, i) => (both[i % 2] as Limits).enter('a', 7, id, start + round)),
      );
      expect(entered.filter(Boolean)).to.have.length(7);
      for (const [i, id] of ids.entries()) if (entered[i]) await (both[(i + 1) % 2] as Limits).leave('a', id);
    }
  });

  it('clocks that are apart give away their difference once, not with every request', async () => {
    const [ahead, behind] = pair();
    const skew = 30_000;
    let passed = 0;
    while ((await behind.take('a', free, start)).allowed) passed++;
    for (let ms = 0; ms <= 60_000; ms += 100) {
      for (const [limits, now] of [
        [behind, start + ms],
        [ahead, start + ms + skew],
      ] as const) {
        for (let i = 0; i < 3; i++) passed += (await limits.take('a', free, now)).allowed ? 1 : 0;
      }
    }
    expect(passed).to.equal(150 + 100 + 50);
  });

  it('a slot is not let go by a clock 19 s ahead while its holder renews it', async () => {
    const [behind, ahead] = pair();
    expect(await behind.enter('a', 1, 'stream', start)).to.equal(true);
    for (let ms = 0; ms < 120_000; ms += 1000) {
      if (ms % 10_000 === 0) expect(await behind.enter('a', 1, 'stream', start + ms)).to.equal(true);
      expect(await ahead.enter('a', 1, 'other', start + ms + 19_000), `after ${ms} ms`).to.equal(false);
    }
  });

  it('keys expire when they say nothing any more: a bucket a window after it is full, slots two holds after the last', async () => {
    const prefix = freshPrefix();
    const limits = on(prefix);
    const policy: Policy = { limit: 60, burst: 90 };
    // the scripts are there from here on, so that a command goes out together with the question for the time left
    await limits.take('b', policy, start);
    await limits.enter('b', 2, 'x', start);
    const leftAfter = async (key: string, command: () => unknown): Promise<number> =>
      (await Promise.all([command(), client().pttl(prefix + key)]))[1];
    const take = (): unknown => limits.take('a', policy, start);
    expect(await leftAfter('bucket:{a}', take)).to.be.within(60_000, 61_000);
    for (let i = 0; i < 88; i++) await take();
    expect(await leftAfter('bucket:{a}', take)).to.be.within(149_000, 150_000);
    const enter = (): unknown => limits.enter('a', 2, 'x', start);
    expect(await leftAfter('slots:{a}', enter)).to.be.within(2 * holdMs - 1000, 2 * holdMs);
    await limits.leave('a', 'x');
    expect(await client().exists(`${prefix}slots:{a}`)).to.equal(0);
  });

  describe('when Redis fails', () => {
    /** A server of our own, to do as we like with. */
    async function withOwn(
      context: Mocha.Context,
      test: (own: NonNullable<RedisService['own']>, limits: Limits, mine: RedisClient) => Promise<void>,
    ): Promise<void> {
      if (redis?.own === null) context.skip();
      const service = await redisService(['--loglevel', 'warning']);
      if (!service?.own) throw new Error('redis-server was there a moment ago');
      const mine = connectRedis(service.url, 'limits-failures');
      try {
        await test(service.own, createRedisLimits({ client: mine, prefix: 'hk:limits:', holdMs }), mine);
      } finally {
        mine.disconnect();
        await service.stop();
      }
    }

    it('FLUSHALL and SCRIPT FLUSH: keys begin with a full bucket, and nothing else happens', async function flushed() {
      await withOwn(this, async (_own, limits, mine) => {
        const drain = async (now: number): Promise<number> => {
          for (let passed = 0; ; passed++) if (!(await limits.take('a', free, now)).allowed) return passed;
        };
        expect(await drain(start)).to.equal(150);
        expect(await limits.enter('a', 1, 'x', start)).to.equal(true);
        await mine.flushall();
        await mine.script('FLUSH');
        expect(await drain(start + 600)).to.equal(150);
        expect(await limits.enter('a', 1, 'y', start)).to.equal(true);
        await limits.leave('a', 'x');
      });
    });

    it('out of memory: UNAVAILABLE, and told as that', async function full() {
      await withOwn(this, async (_own, limits, mine) => {
        await mine.config('SET', 'maxmemory', '1');
        const error = await Promise.resolve(limits.take('a', free, start)).catch((thrown: unknown) => thrown);
        expect(error).to.include({
          code: 'UNAVAILABLE',
          message: 'the limits cannot be counted, because Redis is out of memory',
        });
      });
    });

    it('away: UNAVAILABLE, and when it is back, empty, it is served again', async function away() {
      await withOwn(this, async (own, limits) => {
        await limits.take('a', free, start);
        await own.kill();
        expect(await codeOf(limits.take('a', free, start))).to.equal('UNAVAILABLE');
        expect(await codeOf(limits.enter('a', 1, 'x', start))).to.equal('UNAVAILABLE');
        expect(await codeOf(limits.leave('a', 'x'))).to.equal('UNAVAILABLE');
        await own.start();
        for (let left = 200; (await codeOf(limits.take('a', free, start))) !== 'none'; left--) {
          if (left === 0) throw new Error('it was not served again');
          await new Promise((resolve) => {
            setTimeout(resolve, 20);
          });
        }
        expect((await limits.take('a', free, start)).remaining).to.be.within(96, 98);
      });
    });

    it('answers that are lost give nothing twice', async function lost() {
      await withOwn(this, async (own, limits) => {
        await limits.take('a', free, start);
        own.pause();
        const early = Array.from({ length: 50 }, () => codeOf(limits.take('a', free, start)));
        expect(await Promise.all(early)).to.deep.equal(Array.from({ length: 50 }, () => 'UNAVAILABLE'));
        own.resume();
        let passed = 0;
        for (let i = 0; i < 300; i++)
          passed += await Promise.resolve(limits.take('a', free, start)).then(
            (t) => (t.allowed ? 1 : 0),
            () => 0,
          );
        expect(passed).to.be.at.most(149);
      });
    });
  });
});
