import { expect } from 'chai';
import fc from 'fast-check';
import type { Limits } from '../../../src/limits/port.js';
import { holdMs, start, using, type OpenLimits } from './open.js';

export type { OpenLimits } from './open.js';

/** How many of these enter, one after the other. */
async function entered(limits: Limits, key: string, max: number, ids: readonly string[], now: number): Promise<number> {
  let count = 0;
  for (const id of ids) if (await limits.enter(key, max, id, now)) count++;
  return count;
}

const ids = (n: number, prefix = 'req'): string[] => Array.from({ length: n }, (_, i) => `${prefix}_${i}`);

export function slotsContract(open: OpenLimits): void {
  it('Limits.L3: as many as there are slots, and one more for each that leaves', () =>
    using(open, async (limits) => {
      expect(await entered(limits, 'a', 5, ids(8), start)).to.equal(5);
      await limits.leave('a', 'req_2');
      expect(await entered(limits, 'a', 5, ids(3, 'later'), start)).to.equal(1);
    }));

  it('Limits.L3: leaving what has no slot frees none', () =>
    using(open, async (limits) => {
      expect(await entered(limits, 'a', 2, ids(2), start)).to.equal(2);
      await limits.leave('a', 'nobody');
      await limits.leave('b', 'req_0');
      expect(await limits.enter('a', 2, 'late', start)).to.equal(false);
      await limits.leave('a', 'req_0');
      await limits.leave('a', 'req_0');
      expect(await entered(limits, 'a', 2, ids(3, 'later'), start)).to.equal(1);
    }));

  it('Limits.L3: who has a slot and enters again keeps it, and counts once', () =>
    using(open, async (limits) => {
      expect(await entered(limits, 'a', 2, ['x', 'x', 'x', 'y'], start)).to.equal(4);
      expect(await limits.enter('a', 2, 'z', start)).to.equal(false);
      await limits.leave('a', 'x');
      expect(await limits.enter('a', 2, 'z', start)).to.equal(true);
    }));

  it('Limits.L3: what a crashed process held comes back when its time is up, and not before', () =>
    using(open, async (limits) => {
      expect(await entered(limits, 'a', 3, ids(3), start)).to.equal(3);
      expect(await limits.enter('a', 3, 'next', start + holdMs - 1)).to.equal(false);
      expect(await entered(limits, 'a', 3, ids(5, 'next'), start + holdMs + 1)).to.equal(3);
    }));

  it('Limits.L3: what is renewed stays, however long', () =>
    using(open, async (limits) => {
      await limits.enter('a', 2, 'lost', start);
      for (let now = start; now < start + 10 * holdMs; now += holdMs / 3)
        expect(await limits.enter('a', 2, 'stream', now)).to.equal(true);
      const end = start + 10 * holdMs;
      expect(await entered(limits, 'a', 2, ids(3), end)).to.equal(1);
    }));

  it('Limits.L3: a smaller maximum lets nobody in until there is room', () =>
    using(open, async (limits) => {
      expect(await entered(limits, 'a', 5, ids(5), start)).to.equal(5);
      for (const id of ids(4)) {
        expect(await limits.enter('a', 2, 'late', start)).to.equal(false);
        await limits.leave('a', id);
      }
      expect(await limits.enter('a', 2, 'late', start)).to.equal(true);
    }));

  it('Limits.L4: keys have slots of their own, and buckets take none', () =>
    using(open, async (limits) => {
      expect(await entered(limits, 'a', 1, ids(2), start)).to.equal(1);
      expect(await entered(limits, 'b', 1, ids(2), start)).to.equal(1);
      expect((await limits.take('a', { limit: 1, burst: 1 }, start)).allowed).to.equal(true);
      await limits.leave('a', 'req_0');
      expect((await limits.take('a', { limit: 1, burst: 1 }, start)).allowed).to.equal(false);
    }));

  it('Limits.L5: of those that come together, exactly as many as there are slots', () =>
    using(open, async (limits) => {
      const told = await Promise.all(ids(100).map(async (id) => limits.enter('a', 7, id, start)));
      expect(told.filter(Boolean).length).to.equal(7);
    }));

  it('Limits.L3: never more than the maximum, and never fewer than a plain list of who is in would allow', async () => {
    const moves = fc.array(
      fc.record({
        id: fc.integer({ min: 0, max: 7 }),
        does: fc.constantFrom('enter', 'enter', 'leave'),
        wait: fc.constantFrom(0, 0, 1, 10_000, holdMs),
      }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), moves, (max, steps) =>
        using(open, async (limits) => {
          const until = new Map<number, number>();
          let now = start;
          for (const { id, does, wait } of steps) {
            now += wait;
            for (const [held, end] of until) if (end <= now) until.delete(held);
            if (does === 'leave') {
              await limits.leave('a', `${id}`);
              until.delete(id);
              continue;
            }
            const fits = until.has(id) || until.size < max;
            expect(await limits.enter('a', max, `${id}`, now)).to.equal(fits);
            if (fits) until.set(id, now + holdMs);
          }
        }),
      ),
      { numRuns: 60 },
    );
  });

  it('Limits.L6: a clock set back locks nobody out', async () => {
    for (const back of [1_000, holdMs + 1, 3_600_000]) {
      await using(open, async (limits) => {
        expect(await entered(limits, 'a', 2, ids(2), start)).to.equal(2);
        expect(await limits.enter('a', 2, 'late', start - back), 'still held').to.equal(false);
        expect(await limits.enter('a', 2, 'late', start - back + 2 * holdMs + 1), `${back} ms back`).to.equal(true);
      });
    }
  });
}
