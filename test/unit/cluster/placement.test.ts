/** leased-placement.ts and shard-worker.ts, one by one, in the test's own time. */
import { expect } from 'chai';
import { holders, leaseMs, type Process, shards, World } from './simulation.js';

const settled = (world: World): void => {
  expect(shards.filter((shard) => holders(world, shard).length !== 1)).to.deep.equal([]);
};

async function cluster(...names: string[]): Promise<[World, ...Process[]]> {
  const world = new World();
  const processes = names.map((name) => world.start(name, name.startsWith('g') ? 'gateway' : 'worker'));
  await world.run(2 * leaseMs); // ShardWorker.W3: nobody can know yet that no other process holds anything
  settled(world);
  return [world, ...processes];
}
/** Ms until it is so. */
async function until(world: World, test: () => boolean, limit = 5 * leaseMs): Promise<number> {
  const begun = world.time;
  while (!test()) {
    if (world.time - begun > limit) throw new Error(`not so after ${limit} ms`);
    await world.run(5);
  }
  return world.time - begun;
}

describe('placement', () => {
  it('beats every third of a lease, and no more often where nothing happens', async () => {
    const [world, a] = await cluster('a');
    const beats: number[] = [];
    const beat = world.leases.beat.bind(world.leases);
    world.leases.beat = (...args) => {
      beats.push(world.time);
      return beat(...args);
    };
    await world.run(10 * leaseMs);
    expect(beats).to.have.length.within(29, 31);
    expect(a!.told).to.deep.equal({ acquired: 256, lost: 0, handedOver: 0 });
  });

  it('the shards of a worker that died are taken as soon as its lease has run out', async () => {
    const [world, a, b] = await cluster('a', 'b');
    a!.kill();
    const took = await until(world, () => b!.placement.held().length === 256);
    expect(took).to.be.within((leaseMs * 2) / 3 - 20, leaseMs + 60);
  });

  it('also where Redis has failed over to a server whose clock is an hour behind', async () => {
    const [world, a, b] = await cluster('a', 'b');
    world.redisBehindMs = 3_600_000;
    a!.kill();
    await until(world, () => b!.placement.held().length === 256, 2 * leaseMs);
  });

  it('many who ask for a look get one', async () => {
    const [world, a] = await cluster('a');
    await until(world, () => true);
    let beats = 0;
    const beat = world.leases.beat.bind(world.leases);
    world.leases.beat = (...args) => {
      beats++;
      return beat(...args);
    };
    for (let i = 0; i < 100; i++) {
      a!.placement.refresh();
      await Promise.resolve();
    }
    await world.run(30);
    expect(beats).to.equal(1);
  });

  it('a network that loses most of it costs no shard as long as a beat comes through in time', async () => {
    let turn = 0;
    const world = new World(() => (turn++ % 3) / 3); // every third draw is below the loss
    const a = world.start('a');
    await world.run(2 * leaseMs);
    a.network = { delayMs: 5, loss: 0.3 };
    await world.run(20 * leaseMs);
    expect([a.told.lost, a.placement.held().length]).to.deep.equal([0, 256]);
  });

  it('without the table a worker stops by its own clock, says so, and begins anew when it is back', async () => {
    const [world, a, g] = await cluster('a', 'gateway');
    for (const process of [a!, g!]) process.network = { delayMs: 2, loss: 1 };
    expect(await until(world, () => a!.placement.held().length === 0)).to.be.within(
      leaseMs * 0.9 - leaseMs / 3 - 20,
      leaseMs * 0.9,
    );
    await world.run(20);
    expect([a!.told.lost, a!.has.size]).to.deep.equal([256, 0]);
    await world.run(leaseMs);
    for (const process of [a!, g!]) expect(process.placement.problem()).to.match(/^Redis has not answered for \d+ s/);
    for (const process of [a!, g!]) process.network = { delayMs: 2, loss: 0 };
    await until(world, () => a!.placement.held().length === 256, leaseMs);
    await until(
      world,
      () => g!.placement.problem() === null && g!.placement.ownerOf(0)?.instance === 'a',
      leaseMs / 3 + 20,
    );
  });

  it('a worker that joins gets its share by handover; everybody else is told, and reads nothing', async () => {
    const [world, a, g] = await cluster('a', 'gateway');
    const beats: string[] = [];
    const beat = world.leases.beat.bind(world.leases);
    world.leases.beat = (member, ...rest) => {
      beats.push(member.instance);
      return beat(member, ...rest);
    };
    const b = world.start('b');
    await until(world, () => b.placement.held().length === 128, 400);
    expect([a!.told.lost, a!.told.handedOver]).to.deep.equal([0, 128]);
    await world.run(20);
    for (const name of ['a', 'gateway'])
      expect(beats.filter((one) => one === name).length, `heartbeats of ${name}`).to.be.at.most(1);
    for (const shard of shards) expect(g!.placement.ownerOf(shard)?.instance).to.equal(holders(world, shard)[0]);
  });

  it('a shard that is handed over is without an owner for some calls only, in batches', async () => {
    const [world, a] = await cluster('a', 'b');
    const gaps = new Map<number, number>();
    a!.placement.drain().then(
      () => {
        a!.over = true;
      },
      () => undefined,
    );
    for (let i = 0; i < 300; i++) {
      await world.run(1);
      for (const shard of shards) if (holders(world, shard).length === 0) gaps.set(shard, (gaps.get(shard) ?? 0) + 1);
    }
    settled(world);
    expect(gaps.size).to.equal(128);
    // release, notice, look, epoch, take: five ways of at most 2 ms there and back, and a pause of 5 before the look; a
    // batch that comes while the last one is taken waits for that
    expect(Math.max(...gaps.values())).to.be.below(40);
  });

  it('shards with work in progress are handed over last, so that nothing else waits for it', async () => {
    const [world, a] = await cluster('a', 'b');
    const held = a!.placement.held();
    a!.working.add(held[0]!).add(held[70]!);
    a!.placement.drain().catch(() => undefined);
    await until(world, () => a!.placement.held().length === 0);
    expect(a!.handOvers.at(-1)).to.deep.equal([held[0]!, held[70]!].sort((x, y) => x - y));
  });

  it('ShardWorker.W3: with Redis emptied nothing moves, not even the shards of a worker that died just before, until a lease has passed', async () => {
    const [world, a, b, c] = await cluster('a', 'b', 'c');
    const kept = b!.placement.held().length + c!.placement.held().length;
    const dead = a!.placement.held()[0]!;
    a!.kill();
    world.leases.empty();
    await until(world, () => world.epoch > 3);
    const again = world.time;
    await world.run(leaseMs * 0.9);
    expect(b!.placement.held().length + c!.placement.held().length).to.equal(kept);
    await until(world, () => b!.placement.holds(dead) || c!.placement.holds(dead));
    expect(world.time - again).to.be.below(leaseMs + 100);
    expect([b!.told.lost, c!.told.lost]).to.deep.equal([0, 0]);
  });

  it('workers that start together share at once, without a handover', async () => {
    const [, ...started] = await cluster('a', 'b', 'c');
    expect(started.map(({ told }) => told.handedOver)).to.deep.equal([0, 0, 0]);
  });

  it('one epoch for a round of taking', async () => {
    const [world] = await cluster('a');
    expect(world.epoch).to.equal(1);
  });

  it('ShardWorker.W6: serves nothing that it has acquired before it reads what the owners before have committed', async () => {
    const [world, a] = await cluster('a');
    const [b, c] = [world.start('b'), world.start('c')];
    await world.run(2 * leaseMs);
    const waiting: (() => void)[] = [];
    world.upToDate = () =>
      new Promise((resolve) => {
        waiting.push(resolve);
      });
    const served = (): number[] => [b.told.acquired, c.told.acquired];
    const before = served();
    a!.kill();
    await world.run(2 * leaseMs);
    expect(served(), 'meanwhile').to.deep.equal(before);
    c.kill(); // whatever it has acquired becomes free again
    await world.run(2 * leaseMs);
    world.upToDate = () => undefined;
    for (const caughtUp of waiting) caughtUp();
    await world.run(2 * leaseMs);
    settled(world);
    expect(b.placement.held()).to.have.length(256);
  });

  it('ShardWorker.W6: asks again where the database does not say so, and serves nothing until then', async () => {
    const world = new World();
    world.upToDate = () => Promise.reject(new Error('the database does not answer'));
    const a = world.start('a');
    await world.run(4 * leaseMs);
    const meanwhile = a.placement.held().length;
    world.upToDate = () => undefined;
    await world.run(leaseMs);
    expect([meanwhile, a.placement.held().length]).to.deep.equal([0, 256]);
  });

  it('takes anew what an answer that was lost has taken already', async () => {
    const world = new World();
    const a = world.start('a');
    const acquire = world.leases.acquire.bind(world.leases);
    let lost = 0;
    world.leases.acquire = (...args) => {
      const taken = acquire(...args);
      if (lost++ === 0) throw new Error('cut');
      return taken;
    };
    await world.run(4 * leaseMs);
    expect([lost, a.placement.held().length, a.placement.ownerOf(0)?.epoch]).to.deep.equal([2, 256, 2]);
  });

  it('does not ask without pause for shards that it is refused', async () => {
    const world = new World();
    let asked = 0;
    world.start('a');
    world.leases.acquire = () => {
      asked++;
      return [];
    };
    await world.run(10 * leaseMs);
    expect(asked).to.be.within(2, (10 * leaseMs) / 100 + 5);
  });

  it('drains where there is nobody else, and where there is no Redis', async () => {
    const [world, a] = await cluster('a');
    let left = 0;
    a!.placement.drain().then(
      () => {
        left++;
      },
      () => undefined,
    );
    await world.run(500);
    expect([left, a!.has.size, a!.placement.held().length]).to.deep.equal([1, 0, 0]);
    expect(a!.placement.problem()).to.equal('This process has left the cluster.');

    const [cut, b] = await cluster('b');
    b!.network = { delayMs: 2, loss: 1 };
    b!.placement.drain().then(
      () => {
        left++;
      },
      () => undefined,
    );
    await cut.run(2 * leaseMs);
    expect([left, b!.has.size]).to.deep.equal([2, 0]);
  });

  it('start rejects where it is stopped before the table is known', async () => {
    const world = new World();
    const a = world.start('a');
    const starting = a.placement.start();
    await a.placement.stop();
    await starting.then(
      () => {
        throw new Error('it has started');
      },
      (error: Error) => {
        expect(error.message).to.contain('stopped');
      },
    );
  });
});
