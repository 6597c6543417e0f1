/** Places in a quota (actors/quota/): each ends once, whatever becomes of who took it; unlimited ones are none. */
import { expect } from 'chai';
import { MonthlyQuota } from '../../../../actors/quota/monthly-quota.js';
import type { QuotaReservation } from '../../../../actors/quota/reservation.js';
import { HivekeepError, unavailable } from '../../../../src/domain/shared/errors.js';
import type { Tier } from '../../../../src/domain/shared/vocabulary.js';
import type { QuotaExceeded } from '../../../../src/domain/workspace/usage.js';
import { ManualClock } from '../runtime/kit.js';
import { turn } from '../../../helpers/turn.js';

function bench({ used = 999, tier = 'free', fails = false }: { used?: number; tier?: Tier; fails?: boolean } = {}) {
  const clock = new ManualClock();
  const asked: QuotaExceeded[] = [];
  const warnings: string[] = [];
  const sums: string[] = [];
  const world = { used, fails };
  const store = {
    exactSum: (workspace: string, name: string) => {
      sums.push(`${workspace} ${name}`);
      return Promise.resolve(world.used);
    },
    head: (entity: { id: string }) => (entity.id === 'none' ? null : ({ entity, snapshot: { tier } } as never)),
  };
  const log = {
    info: () => undefined,
    error: () => undefined,
    warn: (_: object, message: string) => {
      warnings.push(message);
    },
  };
  const quota = new MonthlyQuota({
    store,
    clock,
    log,
    alert: (_, usage) => {
      asked.push(usage);
      return world.fails ? Promise.reject(unavailable('full')) : Promise.resolve();
    },
  });
  const take = async (n = 1): Promise<QuotaReservation> => (await quota.take({ workspace: 'w', tier }, n))!;
  return { quota, clock, take, asked, warnings, sums, world };
}
const signal = (): AbortController => new AbortController();
const waits = async (work: Promise<QuotaReservation>): Promise<boolean> =>
  Promise.race([
    work.then(() => false),
    new Promise<boolean>((resolve) => {
      setImmediate(resolve, true);
    }),
  ]);

describe('A place in the quota', () => {
  it('is none where there is no limit: at once, and nothing is read', () => {
    const { quota, sums } = bench({ tier: 'enterprise' });
    expect(quota.take({ workspace: 'w', tier: 'enterprise' }, 1)).to.equal(null);
    expect(quota.takeFor('w', 1)).to.equal(null);
    expect(quota.takeFor('none', 1)).to.equal(null);
    expect(sums).to.deep.equal([]);
  });
  it("has the limit of the workspace's tier", async () => {
    const { quota, sums } = bench({ used: 99, tier: 'sandbox' });
    expect(await quota.takeFor('w', 3)).to.deep.include({
      granted: 1,
      full: { month: '1970-01', limit: 100, used: 99 },
    });
    expect(await quota.take({ workspace: 'v', tier: 'free' }, 3)).to.deep.include({
      granted: 3,
      full: null,
    });
    expect(sums).to.include.members(['w used:1970-01:live', 'v used:1970-01:live']);
  });
  it('is free for the next when it is released, however often that is', async () => {
    const { take } = bench({ used: 998 });
    const [a, b] = [await take(), await take()];
    const third = take();
    expect(await waits(third)).to.equal(true);
    a.release();
    a.release();
    a.release();
    expect(await waits(third), 'one of two is still under way').to.equal(true);
    b.release();
    expect((await third).granted).to.equal(1);
  });

  describe('during a command', () => {
    const outcomes: [string, () => Promise<unknown>, boolean][] = [
      ['that is done', () => Promise.resolve('done'), true],
      ['that is refused', () => Promise.reject(new HivekeepError('NOT_FOUND', 'no')), true],
      ['whose outcome a crash leaves open', () => Promise.reject(unavailable('crashed')), false],
      ['that throws', () => Promise.reject(new Error('defect')), false],
    ];
    for (const [what, work, atOnce] of outcomes) {
      it(`${what} it ends ${atOnce ? 'with the answer' : '5 s after it'}`, async () => {
        const { take, clock } = bench();
        const place = await take();
        await place.during(work).catch(() => undefined);
        const next = take();
        expect(await waits(next)).to.equal(!atOnce);
        clock.advance(5000);
        expect((await next).granted).to.equal(1);
      });
    }
    it('tells what is full to who needs it', async () => {
      const { take } = bench({ used: 1000 });
      expect(await (await take()).during((full) => Promise.resolve(full))).to.deep.equal({
        month: '1970-01',
        limit: 1000,
        used: 1000,
      });
    });
  });

  describe('of a step', () => {
    it('that is aborted ends at once, and cannot be claimed', async () => {
      const { take, clock } = bench();
      const place = await take();
      const abort = signal();
      place.expire(abort.signal);
      abort.abort();
      expect(place.claim()).to.equal(false);
      expect((await take()).granted).to.equal(1);
      expect(clock.waiting).to.equal(0);
    });
    it('that was aborted while it waited for its place ends at once', async () => {
      const { take } = bench();
      const place = await take();
      const abort = signal();
      abort.abort();
      place.expire(abort.signal);
      expect(place.claim()).to.equal(false);
      expect((await take()).granted).to.equal(1);
    });
    it('that never comes to its decision ends after 30 s, and cannot be claimed', async () => {
      const { take, clock } = bench();
      const place = await take();
      place.expire(signal().signal);
      clock.advance(29_999);
      expect(await waits(take())).to.equal(true);
      clock.advance(1);
      expect(place.claim()).to.equal(false);
    });
    it('that was claimed ends with its commit only', async () => {
      const { take, clock } = bench();
      const place = await take();
      const abort = signal();
      place.expire(abort.signal);
      expect([place.claim(), place.claim()]).to.deep.equal([true, false]);
      abort.abort();
      clock.advance(60_000);
      const next = take();
      expect(await waits(next)).to.equal(true);
      place.release();
      expect((await next).granted).to.equal(1);
    });
  });

  describe('alerts', () => {
    it('the desk is asked once for each, and not for every memory', async () => {
      const { take, world, asked, sums } = bench({ used: 39_998, tier: 'pro' });
      for (let i = 0; i < 50; i++) {
        const place = await take();
        world.used++;
        place.release();
        await turn();
      }
      expect(asked.map((a) => a.used)).to.deep.equal([40_000]);
      expect(sums.length).to.be.at.most(4);
    });
    it('one that could not be told is tried again with the next memory', async () => {
      const { take, world, asked, warnings } = bench({ used: 40_000, tier: 'pro', fails: true });
      (await take()).release();
      await turn();
      world.fails = false;
      (await take()).release();
      await turn();
      (await take()).release();
      await turn();
      expect([asked.length, warnings.length]).to.deep.equal([2, 1]);
    });
  });
});
