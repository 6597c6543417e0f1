/**
 * Schedules of faults over a whole cluster in virtual time (round.ts); SIM_SEEDS says how many, SIM_FROM the first
 * seed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { Kernel } from './kernel.js';
import { simulate } from './round.js';
import { scheduleOf } from './schedule.js';

const seeds = Number(process.env['SIM_SEEDS'] ?? 100);
const from = Number(process.env['SIM_FROM'] ?? 1);

describe('The simulated cluster', () => {
  it('Kernel.T1: the same seed gives the same schedule, the same events and the same end', async function twice() {
    this.timeout(120_000);
    expect(scheduleOf(7, 30_000, 3)).to.deep.equal(scheduleOf(7, 30_000, 3));
    const [first, second] = [await simulate(7), await simulate(7)];
    expect(second).to.deep.equal(first);
    expect(first.events).to.be.greaterThan(1_000);
  });

  it('Kernel.T2: promises settle before the next event', async () => {
    const kernel = new Kernel(1);
    const order: string[] = [];
    await kernel.run(async () => {
      kernel.after(1, () => {
        order.push('event');
        void Promise.resolve()
          .then(() => undefined)
          .then(() => order.push('its promises'));
      });
      kernel.after(2.5, () => order.push('the next event'));
      await kernel.sleep(10);
    }, 1_000);
    expect(order).to.deep.equal(['event', 'its promises', 'the next event']);
  });

  it('a turn of the event loop is an event, before which nothing happens that comes later', async () => {
    const kernel = new Kernel(1);
    const took = await kernel.run(async () => {
      for (let ms = 0; ms < 3_000; ms += 10) kernel.after(ms, () => undefined);
      const began = kernel.time;
      for (let n = 0; n < 10; n++) {
        await new Promise((resolve) => setImmediate(resolve));
        await nextTurn();
      }
      return kernel.time - began;
    }, 10_000);
    expect(took).to.be.below(5);
  });

  it(`survives ${seeds} schedules of faults (Simulation.S1-S5, and the checks of the chaos tests)`, async function schedules() {
    this.timeout(seeds * 20_000);
    const failed: string[] = [];
    for (let seed = from; seed < from + seeds; seed++) {
      const { problems, diary } = await simulate(seed);
      if (problems.length > 0)
        failed.push(`seed ${seed}: ${problems.slice(0, 5).join('; ')}\n  ${diary.slice(0, 12).join('\n  ')}`);
    }
    expect(failed, failed.join('\n')).to.deep.equal([]);
  });
});
