/** 30 schedules by seed; CHAOS_SEED has one of them again, CHAOS_SCHEDULES says how many there are. */
import { surviveSchedule } from './round.js';

const one = process.env['CHAOS_SEED'];
const seeds =
  one === undefined
    ? Array.from({ length: Number(process.env['CHAOS_SCHEDULES'] ?? 30) }, (_, i) => i + 1)
    : [Number(one)];

describe('A cluster of 2 gateways and 3 workers, over MongoDB and Redis, under faults', () => {
  for (const seed of seeds) {
    it(`survives schedule ${seed}`, async function chaos() {
      const looked = await surviveSchedule(seed, { faultsMs: 24_000, clients: 8, restMs: 60 });
      if (looked === null) this.skip();
      process.stdout.write(`      seed ${seed}: ${looked}\n`);
    });
  }
});
