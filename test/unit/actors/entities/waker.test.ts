/** Waking what a failure has stopped: actors/entities/waker.ts. */
import { expect } from 'chai';
import { Waker } from '../../../../actors/entities/waker.js';
import { unavailable } from '../../../../src/domain/shared/errors.js';
import { ManualClock } from '../runtime/kit.js';
import { entity, settle } from './writer-kit.js';

function bench(): {
  waker: Waker;
  clock: ManualClock;
  woken: number[];
  works: { now: boolean };
  pass(ms: number): Promise<void>;
} {
  const clock = new ManualClock(0);
  const woken: number[] = [];
  const works = { now: true };
  const waker = new Waker(clock, () => {
    woken.push(clock.now());
    return works.now ? Promise.resolve() : Promise.reject(unavailable('still down'));
  });
  return {
    waker,
    clock,
    woken,
    works,
    pass: async (ms) => {
      for (let i = 0; i < ms; i += 500) {
        clock.advance(500);
        await settle();
      }
    },
  };
}

describe('Waker', () => {
  it('wakes after a second, and again after longer and longer pauses until it works', async () => {
    const { waker, woken, works, pass } = bench();
    works.now = false;
    waker.later(entity);
    await pass(16_000);
    expect(woken).to.deep.equal([1000, 3000, 7000, 15_000]);
    works.now = true;
    await pass(40_000);
    expect(woken).to.deep.equal([1000, 3000, 7000, 15_000, 31_000]);
  });

  it('never waits longer than a minute', async () => {
    const { waker, woken, works, pass } = bench();
    works.now = false;
    waker.later(entity);
    await pass(400_000);
    const pauses = woken.slice(1).map((at, i) => at - (woken[i] ?? 0));
    expect(Math.max(...pauses)).to.equal(60_000);
    expect(pauses.filter((p) => p === 60_000)).to.have.length.above(2);
  });

  it('an entity that has got on since it was woken waits no longer than at first', async () => {
    const { waker, woken, pass } = bench();
    for (let i = 0; i < 4; i++) {
      waker.later(entity, i > 0);
      await pass(1000);
    }
    expect(woken).to.deep.equal([1000, 2000, 3000, 4000]);
  });

  it('one wake of an entity waits at a time; others have their own', async () => {
    const { waker, woken, pass } = bench();
    for (let i = 0; i < 5; i++) waker.later(entity);
    waker.later({ ...entity, id: 'b' });
    await pass(1000);
    expect(woken).to.deep.equal([1000, 1000]);
  });

  it('what fails again soon after it was woken waits longer; what has been well for a while starts anew', async () => {
    const { waker, woken, pass } = bench();
    waker.later(entity);
    await pass(1000);
    waker.later(entity); // it was loaded, and then its commit failed
    await pass(2000);
    expect(woken).to.deep.equal([1000, 3000]);
    await pass(20_000);
    expect(waker.size).to.equal(0);
    waker.later(entity);
    await pass(1000);
    expect(woken).to.deep.equal([1000, 3000, 24_000]);
  });

  it('wakes nobody after stop', async () => {
    const { waker, clock, woken, pass } = bench();
    waker.later(entity);
    waker.stop();
    waker.later(entity);
    await pass(5000);
    expect([woken, waker.size, clock.waiting]).to.deep.equal([[], 0, 0]);
  });
});
