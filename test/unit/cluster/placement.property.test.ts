/** Random histories of a cluster: pauses, kills, drains, an emptied Redis, a bad network, clocks that jump. */
import { expect } from 'chai';
import fc from 'fast-check';
import { holders, leaseMs, type Process, shards, World } from './simulation.js';

type Step =
  | { do: 'wait' }
  | { do: 'start' }
  | { do: 'kill' | 'drain' | 'pause' | 'resume' | 'jump'; which: number; by: number }
  | { do: 'empty' }
  | { do: 'network'; which: number; delayMs: number; loss: number };

const which = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ do: 'wait' }),
  fc.constant<Step>({ do: 'start' }),
  fc.constant<Step>({ do: 'empty' }),
  fc.record({
    do: fc.constantFrom('kill' as const, 'drain' as const, 'pause' as const, 'resume' as const, 'jump' as const),
    which,
    by: fc.integer({ min: -5000, max: 5000 }),
  }),
  fc.record({
    do: fc.constant('network' as const),
    which,
    delayMs: fc.integer({ min: 0, max: 600 }),
    loss: fc.constantFrom(0, 0.1, 0.5, 1),
  }),
);
const history = fc.array(fc.record({ step, then: fc.integer({ min: 0, max: 1500 }) }), { maxLength: 14 });

/** A small generator, so that a failure is repeated by its seed. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function apply(world: World, one: Step, started: number): Promise<void> {
  if (one.do === 'wait') return;
  if (one.do === 'start') {
    if (world.living.length < 4) world.start(`new-${started}`);
    return;
  }
  if (one.do === 'empty') {
    world.leases.empty();
    return;
  }
  const target: Process | undefined = world.living[one.which % Math.max(1, world.living.length)];
  if (target === undefined) return;
  switch (one.do) {
    case 'kill':
      target.kill();
      break;
    case 'drain':
      target.placement.drain().then(
        () => {
          target.over = true;
        },
        (error: unknown) => {
          target.complaints.push(String(error));
        },
      );
      break;
    case 'pause':
      target.pause();
      break;
    case 'resume':
      target.resume();
      break;
    case 'jump':
      target.wallOffset += one.by;
      break;
    case 'network':
      target.network = { delayMs: one.delayMs, loss: one.loss };
      break;
  }
}

describe('placement: random histories', function () {
  this.timeout(60_000);

  it('never lets two processes hold a shard, and in the end each is held by one, evenly', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(), async (steps, seed) => {
        const world = new World(random(seed));
        for (const name of ['a', 'b', 'c']) world.start(name);
        const alone = (): void => {
          const seen = new Map<number, string>();
          for (const { name, placement } of world.living)
            for (const shard of placement.held()) {
              if (seen.has(shard)) throw new Error(`shard ${shard} is held by ${seen.get(shard)} and by ${name}`);
              seen.set(shard, name);
            }
        };
        await world.run(1500, alone);
        for (const [i, { step: one, then }] of steps.entries()) {
          await apply(world, one, i);
          await world.run(then, alone);
        }
        for (const process of world.living) {
          process.resume();
          process.network = { delayMs: 2, loss: 0 };
        }
        await world.run(6 * leaseMs, alone);
        if (world.living.length === 0) return;
        expect(
          shards.map((shard) => holders(world, shard).length).filter((n) => n !== 1),
          'shards not held by one',
        ).to.deep.equal([]);
        for (const { name, placement, has, complaints } of world.living) {
          expect(complaints, name).to.deep.equal([]);
          expect(
            [...has].sort((x, y) => x - y),
            `what ${name} runs`,
          ).to.deep.equal([...placement.held()].sort((x, y) => x - y));
          expect(placement.held().length).to.be.at.most(Math.ceil(256 / world.living.length));
          for (const shard of shards) expect(placement.ownerOf(shard)?.instance).to.equal(holders(world, shard)[0]);
        }
      }),
      {
        numRuns: Number(process.env['PROPERTY_RUNS'] ?? 25),
        // a worker takes a dead one's shards while another joins, to which some of them belong by then
        examples: [
          [
            [
              { step: { do: 'kill', which: 0, by: 0 }, then: 874 },
              { step: { do: 'start' }, then: 0 },
            ],
            704588853,
          ],
        ],
      },
    );
  });
});
