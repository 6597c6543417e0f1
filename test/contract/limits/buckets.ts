import { expect } from 'chai';
import fc from 'fast-check';
import { windowMs, type Limits, type Policy, type Taken } from '../../../src/limits/port.js';
import { start, using, type OpenLimits } from './open.js';

const free: Policy = { limit: 100, burst: 150 };

/** As many requests at once as pass. */
async function drain(limits: Limits, key: string, policy: Policy, now: number): Promise<number> {
  for (let passed = 0; ; passed++) if (!(await limits.take(key, policy, now)).allowed) return passed;
}

/**
 * The promise, told as plainly as can be: a request passes if with it, in every span of time that begins at an earlier
 * one that passed (or at the rest before the first), no more have passed than burst + what the span refills.
 */
class Naive {
  readonly #passed: number[] = [];
  constructor(readonly policy: Policy) {}
  passes(now: number): boolean {
    const { limit, burst } = this.policy;
    const fits = [...this.#passed, now].every(
      (from, i) => (this.#passed.length - i + 1 - burst) * windowMs <= limit * (now - from),
    );
    if (fits) this.#passed.push(now);
    return fits;
  }
}

const policies = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 20 }))
  .map(([limit, more]): Policy => ({ limit, burst: limit + more }));
/** Mostly crowds, some pauses, now and then a rest. */
const gaps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 2_000, max: 200_000 }) },
  ),
  { minLength: 1, maxLength: 120 },
);

export function bucketsContract(open: OpenLimits): void {
  it('Limits.L1: a spike of the burst passes, the next is refused, and the long run is the sustained limit', () =>
    using(open, async (limits) => {
      expect(await drain(limits, 'a', free, start)).to.equal(150);
      for (let minute = 1; minute <= 5; minute++)
        expect(await drain(limits, 'a', free, start + minute * windowMs)).to.equal(100);
      expect(await drain(limits, 'a', free, start + 24 * 60 * windowMs), 'after a rest').to.equal(150);
    }));

  it('Limits.L1: passes exactly what the naive model passes, in any order of crowds and pauses', async () => {
    await fc.assert(
      fc.asyncProperty(policies, gaps, (policy, waits) =>
        using(open, async (limits) => {
          const naive = new Naive(policy);
          let now = start;
          for (const [i, wait] of waits.entries()) {
            now += wait;
            expect(
              (await limits.take('a', policy, now)).allowed,
              `request ${i} of ${policy.limit}/${policy.burst} at +${now - start}`,
            ).to.equal(naive.passes(now));
          }
        }),
      ),
      { numRuns: 60 },
    );
  });

  it('what it says is true: remaining requests pass, retryAfter is enough and a second less is not, at resetAt the limit is whole', async () => {
    await fc.assert(
      fc.asyncProperty(policies, gaps, (policy, waits) =>
        using(open, async (limits) => {
          let now = start;
          let last: Taken | null = null;
          for (const wait of waits) {
            now += wait;
            last = await limits.take('a', policy, now);
            expect(last.remaining).to.be.within(0, policy.limit - (last.allowed ? 1 : 0));
            expect(last.resetAt).to.be.within(now / 1000, Math.floor(now / 1000) + windowMs / 1000);
            expect(last.retryAfter).to.satisfy((s: number) =>
              last?.allowed ? s === 0 : Number.isInteger(s) && s >= 1,
            );
          }
          if (last === null) return;
          if (!last.allowed) {
            if (last.retryAfter > 1)
              expect(
                (await limits.take('a', policy, now + (last.retryAfter - 1) * 1000)).allowed,
                'a second less',
              ).to.equal(false);
            now += last.retryAfter * 1000;
            expect((await limits.take('a', policy, now)).allowed, 'after retryAfter').to.equal(true);
            return;
          }
          const whole = await limits.take('a', policy, Math.max(now, last.resetAt * 1000));
          // what is told in whole seconds may be less than one early, where a whole window is to be told
          const early = last.resetAt === Math.floor(now / 1000) + windowMs / 1000 ? Math.ceil(policy.limit / 60) : 0;
          expect(whole.remaining, 'at resetAt').to.be.within(policy.limit - 1 - early, policy.limit - 1);
          for (let i = 0; i < whole.remaining; i++)
            expect(
              (await limits.take('a', policy, Math.max(now, last.resetAt * 1000))).allowed,
              'one of the remaining',
            ).to.equal(true);
        }),
      ),
      { numRuns: 60 },
    );
  });

  it('remaining counts down from the sustained limit, is 0 while the burst is used, and resetAt is at most a window ahead', () =>
    using(open, async (limits) => {
      const told: Taken[] = [];
      for (let i = 0; i < 151; i++) told.push(await limits.take('a', free, start));
      expect(told.map((t) => t.remaining)).to.deep.equal([
        ...Array.from({ length: 100 }, (_, i) => 99 - i),
        ...Array.from({ length: 51 }, () => 0),
      ]);
      expect(told[0]).to.deep.equal({
        allowed: true,
        limit: 100,
        remaining: 99,
        resetAt: start / 1000 + 1,
        retryAfter: 0,
      });
      expect(told[149]).to.deep.equal({
        allowed: true,
        limit: 100,
        remaining: 0,
        resetAt: start / 1000 + 60,
        retryAfter: 0,
      });
      expect(told[150]).to.deep.equal({
        allowed: false,
        limit: 100,
        remaining: 0,
        resetAt: start / 1000 + 60,
        retryAfter: 1,
      });
    }));

  it('retryAfter is the time of one request, in seconds rounded up', () =>
    using(open, async (limits) => {
      const slow: Policy = { limit: 4, burst: 6 };
      await drain(limits, 'a', slow, start);
      expect((await limits.take('a', slow, start)).retryAfter).to.equal(15);
      expect((await limits.take('a', slow, start + 14_999)).allowed).to.equal(false);
      expect((await limits.take('a', slow, start + 15_000)).allowed).to.equal(true);
    }));

  it('Limits.L2: hammering brings nothing, and costs nothing', () =>
    using(open, async (limits) => {
      await drain(limits, 'a', free, start);
      let passed = 0;
      for (let ms = 1; ms <= 6_000; ms += 20) passed += (await limits.take('a', free, start + ms)).allowed ? 1 : 0;
      expect(passed).to.equal(9); // 6 s at 100 a minute are 10, of which the last is due at 6,000 ms
      expect((await limits.take('a', free, start + 6_000)).allowed).to.equal(true);
    }));

  it('Limits.L4: keys have buckets of their own', () =>
    using(open, async (limits) => {
      expect(await drain(limits, 'a', free, start)).to.equal(150);
      expect(await drain(limits, 'b', free, start)).to.equal(150);
      expect((await limits.take('a', free, start)).allowed).to.equal(false);
    }));

  it('Limits.L5: what comes together passes exactly as often as one after the other', () =>
    using(open, async (limits) => {
      const told = await Promise.all(
        Array.from({ length: 400 }, async (_, i) => limits.take(i % 2 ? 'a' : 'b', free, start)),
      );
      expect(told.filter((t, i) => t.allowed && i % 2).length).to.equal(150);
      expect(told.filter((t, i) => t.allowed && !(i % 2)).length).to.equal(150);
      expect(
        new Set(told.filter((t, i) => i % 2 && t.allowed && t.remaining > 0).map((t) => t.remaining)).size,
        'each is told another number',
      ).to.equal(99);
    }));

  it('Limits.L6: a clock that goes back and forth gives nothing away', async () => {
    const steps = fc.array(fc.integer({ min: -50_000, max: 50_000 }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(policies, steps, (policy, jumps) =>
        using(open, async (limits) => {
          let now = start;
          let passed = await drain(limits, 'a', policy, now);
          let forward = 0;
          for (const jump of jumps) {
            now += jump;
            forward += Math.max(0, jump);
            passed += await drain(limits, 'a', policy, now);
            expect(passed).to.be.at.most(policy.burst + Math.floor((forward * policy.limit) / windowMs));
          }
        }),
      ),
      { numRuns: 40 },
    );
  });

  it('Limits.L6: within a window, time that was there before refills nothing', () =>
    using(open, async (limits) => {
      await drain(limits, 'a', free, start);
      for (const back of [1, 30_000, 59_999]) {
        expect(await drain(limits, 'a', free, start - back), `${back} ms back`).to.equal(0);
        expect(await drain(limits, 'a', free, start), 'and forth').to.equal(0);
      }
    }));

  it('Limits.L6: a clock set back locks nobody out', async () => {
    for (const back of [1_000, 59_000, 61_000, 3_600_000, 10 * 365 * 86_400_000]) {
      await using(open, async (limits) => {
        await drain(limits, 'a', free, start);
        expect(await drain(limits, 'a', free, start - back)).to.equal(0);
        const told = await limits.take('a', free, start - back);
        expect(told.retryAfter).to.be.at.most(windowMs / 1000 + 1);
        expect(
          (await limits.take('a', free, start - back + told.retryAfter * 1000)).allowed,
          `${back} ms back`,
        ).to.equal(true);
      });
    }
  });

  it('a key whose policy changes keeps what it holds, within the new bounds', () =>
    using(open, async (limits) => {
      const pro: Policy = { limit: 1000, burst: 1500 };
      await drain(limits, 'up', free, start);
      expect((await limits.take('up', pro, start)).allowed).to.equal(false);
      expect(await drain(limits, 'up', pro, start + windowMs)).to.equal(1000);
      await limits.take('down', pro, start);
      expect(await drain(limits, 'down', free, start)).to.equal(150);
    }));

  it('holds the largest limits exactly, and after years', () =>
    using(open, async (limits) => {
      const vast: Policy = { limit: 1_000_000_000, burst: 1_500_000_000 };
      expect((await limits.take('a', vast, start)).remaining).to.equal(999_999_999);
      expect((await limits.take('a', vast, start)).remaining).to.equal(999_999_998);
      expect((await limits.take('a', vast, start + 50 * 365 * 86_400_000)).remaining).to.equal(999_999_999);
    }));
}
