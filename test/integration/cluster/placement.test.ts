/** Placement on a real Redis: leased-placement.ts, shard-worker.ts. */
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { placementKeys } from '../../../src/cluster/redis/leases.js';
import { readPlacement } from '../../../src/cluster/redis/read.js';
import { connectRedis } from '../../../src/redis/connect.js';
import { redisService, type RedisService } from '../../helpers/redis-service.js';
import { freshPrefix, heldBy, isSettled, type Node, sleep, startNode, until } from './placement-kit.js';
import { patient } from '../../helpers/patience.js';
import { fewestShards } from '../../../src/store/shards.js';

describe('placement on Redis', function () {
  this.timeout(30_000);
  let redis: RedisService | null;
  let nodes: Node[] = [];
  let prefix = '';
  const start = async (name: string, options: Parameters<typeof startNode>[3] = {}): Promise<Node> => {
    const node = await startNode(redis!.url, prefix, name, options);
    nodes.push(node);
    return node;
  };
  const three = async (options: Parameters<typeof startNode>[3] = {}): Promise<[Node, Node, Node]> => {
    const started: [Node, Node, Node] = await Promise.all([
      start('a', options),
      start('b', options),
      start('c', options),
    ]);
    await until('three share', () => isSettled(started));
    return started;
  };
  before(async function () {
    redis = await redisService();
    if (!redis) this.skip();
  });
  after(async () => redis?.stop());
  beforeEach(() => {
    prefix = freshPrefix();
  });
  afterEach(async () => {
    for (const node of nodes)
      expect(node.host.heard, `what the host of ${node.name} complains about`).to.deep.equal([]);
    await Promise.all(nodes.map((node) => node.end()));
    nodes = [];
  });

  it('takes shards at once whose epochs are ahead of a database that was restored from a backup', async () => {
    const client = connectRedis(redis!.url, 'backup');
    const leases = Array.from({ length: fewestShards.count }, (_, shard) => [
      String(shard),
      String(1_000_000 + shard),
    ]).flat();
    await client.hset(placementKeys(prefix).leases, ...leases);
    client.disconnect();
    const a = await start('a');
    await until('a has all', () => isSettled([a]), 3000);
  });

  it('lets a worker join: its share is handed over, a gateway sees it, and a reader too', async () => {
    const a = await start('a');
    const gateway = await start('g', { role: 'gateway', host: null });
    await until('a has all', () => isSettled([a], [a, gateway]));
    const b = await start('b');
    await until('both share', () => isSettled([a, b], [a, b, gateway]));
    expect(a.host.lostEvents).to.equal(0);
    expect(
      gateway.placement
        .members()
        .map(({ instance }) => instance)
        .sort(),
    ).to.deep.equal(['a', 'b', 'g']);
    expect(gateway.placement.held()).to.deep.equal([]);
    const client = connectRedis(redis!.url, 'reader');
    const table = await readPlacement(client, prefix);
    client.disconnect();
    expect(table.members.map(({ member }) => member.instance).sort()).to.deep.equal(['a', 'b', 'g']);
    expect(table.leases.filter(({ owner }) => owner === 'b')).to.have.length(128);
  });

  it('lets a worker leave: everything is handed over, nothing is lost', async () => {
    const [a, b, c] = await three();
    await a.placement.drain();
    expect(a.placement.held()).to.deep.equal([]);
    await until('the others share', () => isSettled([b, c]));
    expect([a, b, c].map(({ host }) => host.lostEvents)).to.deep.equal([0, 0, 0]);
    await until(
      'a is no member',
      () =>
        b.placement
          .members()
          .map(({ instance }) => instance)
          .sort()
          .join() === 'b,c',
    );
  });

  it('takes over the shards of a worker that died, as soon as its lease has run out', async () => {
    const [a, b, c] = await three();
    await a.end();
    const took = await until('the others share', () => isSettled([b, c]));
    expect(took).to.be.within(1000, patient(3500));
  });

  it('stops a worker that was paused beyond its lease before it serves again, then lets it in anew (RedisConnect.C1, RedisConnect.C2)', async () => {
    const [a, b, c] = await three();
    const before = a.placement.held();
    const lostBefore = a.host.lostEvents;
    a.clock.pause();
    await until('the others share', () => isSettled([b, c]));
    expect(a.host.lostEvents, 'it has not run yet').to.equal(lostBefore);
    expect(
      before.filter((shard) => a.placement.holds(shard)),
      'says no although no timer of its own has run',
    ).to.deep.equal([]);
    a.clock.resume();
    // a machine that is held up for longer than a lease may take it from anybody, so a's losses are not counted
    await until('three share', () => isSettled([a, b, c]));
    expect(a.host.lostEvents).to.be.greaterThan(lostBefore);
  });

  it('keeps every shard where it is when Redis loses all its data, under new epochs (RedisConnect.C3, ShardWorker.W3)', async function () {
    if (!redis!.own) this.skip();
    const [a, b, c] = await three({ mayBeHeld: async () => true, leaseMs: 3000 });
    const before = [a, b, c].map(({ placement }) => [...placement.held()].sort((x, y) => x - y));
    const shard = before[0]![0]!;
    const epoch = b.placement.ownerOf(shard)!.epoch;
    const client = connectRedis(redis!.url, 'flush');
    await client.flushall();
    client.disconnect();
    await until('new epochs are known', () => (b.placement.ownerOf(shard)?.epoch ?? 0) > epoch && isSettled([a, b, c]));
    await sleep(3300);
    expect([a, b, c].map(({ placement }) => [...placement.held()].sort((x, y) => x - y))).to.deep.equal(before);
    expect([a, b, c].map(({ host, counts }) => [host.lostEvents, counts.handedOver])).to.deep.equal([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it('stops serving when Redis is away, says so, and takes everything again when it is back', async function () {
    if (!redis!.own) this.skip();
    const [a, b, c] = await three();
    expect(a.placement.problem()).to.equal(null);
    redis!.own.pause();
    try {
      await until('the hosts are told', () => [a, b, c].every(({ host }) => host.lostEvents > 0));
      expect(heldBy([a, b, c])).to.deep.equal([0, 0, 0]);
      expect([a, b, c].map(({ host }) => host.lostEvents)).to.deep.equal([1, 1, 1]);
      expect(a.placement.problem()).to.match(/Redis has not answered for \d+ s/);
    } finally {
      redis!.own.resume();
    }
    await until('three share', () => isSettled([a, b, c]));
    expect(a.placement.problem()).to.equal(null);
  });

  it('goes on without notices: a beat sees everything', async () => {
    const a = await start('a');
    await until('a has all', () => isSettled([a]));
    const client = connectRedis(redis!.url, 'killer');
    const b = await start('b');
    for (let i = 0; i < 20 && !isSettled([a, b]); i++) {
      await (client as Redis).call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      await sleep(50);
    }
    client.disconnect();
    await until('both share', () => isSettled([a, b]));
  });

  it('does not start where there is no Redis, until there is', async function () {
    if (!redis!.own) this.skip();
    await redis!.own.kill();
    const starting = start('a');
    await sleep(300);
    await redis!.own.start();
    const a = await starting;
    await until('a has all', () => isSettled([a]));
  });
});
