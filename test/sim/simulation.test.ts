/**
 * Schedules of faults over a whole cluster in virtual time (round.ts); SIM_SEEDS says how many, SIM_FROM the first
 * seed.
 */
import { expect } from 'chai';
import { Kernel } from './kernel.js';
import { simulate } from './round.js';
import { scheduleOf } from './schedule.js';

const seeds = Number(process.env['SIM_SEEDS'] ?? 200);
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
