/**
 * The Lua scripts against a real Redis: leases.ts, and that the table in memory, on which the unit tests stand, gives
 * the same answers.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { placementKeys, redisLeases } from '../../../src/cluster/redis/leases.js';
import { readPlacement } from '../../../src/cluster/redis/read.js';
import type { Lease, LeaseTable, LeaseTableView } from '../../../src/cluster/leases.js';
import type { Member } from '../../../src/cluster/placement.js';
import { connectRedis, type RedisClient } from '../../../src/redis/connect.js';
import { redisService, type RedisService } from '../../helpers/redis-service.js';
import { FakeLeases } from '../../unit/cluster/fake-lease-table.js';
import { freshPrefix, sleep, until } from './placement-kit.js';
import { patient } from '../../helpers/patience.js';

const member = (instance: string, draining = false): Member => ({
  instance,
  role: 'worker',
  draining,
  about: { pid: 1 },
  stats: { shards: 2 },
});
const sorted = (view: LeaseTableView) => ({
  fresh: view.fresh,
  members: [...view.members].sort((a, b) => (a.instance < b.instance ? -1 : 1)),
  leases: [...view.leases].sort((a, b) => a.shard - b.shard),
});

describe('lease table in Redis', function () {
  this.timeout(20_000);
  let redis: RedisService | null;
  let client: RedisClient;
  let notices: RedisClient;
  let prefix: string;
  let leases: LeaseTable;
  before(async function () {
    redis = await redisService();
    if (!redis) this.skip();
    client = connectRedis(redis.url, 'scripts');
    notices = connectRedis(redis.url, 'scripts-notices');
  });
  after(async () => {
    client?.disconnect();
    notices?.disconnect();
    await redis?.stop();
  });
  beforeEach(() => {
    prefix = freshPrefix();
    leases = redisLeases(client, notices, prefix);
  });
  const leasesNow = async () => (await readPlacement(client, prefix)).leases.sort((a, b) => a.shard - b.shard);

  it('answers as the table in memory does, whatever is done in whatever order', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const some = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 });
    const action = fc.oneof(
      fc.record({ do: fc.constant('beat' as const), who: name, draining: fc.boolean() }),
      fc.record({ do: fc.constant('die' as const), who: name }),
      fc.record({
        do: fc.constant('acquire' as const),
        who: name,
        shards: some,
        epoch: fc.integer({ min: 1, max: 12 }),
      }),
      fc.record({
        do: fc.constant('release' as const),
        who: name,
        shards: some,
        epoch: fc.integer({ min: 1, max: 12 }),
        leave: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        const own = freshPrefix();
        const real = redisLeases(client, notices, own);
        const fake = new FakeLeases(() => 0);
        const memory = fake.direct('test');
        for (const one of actions) {
          if (one.do === 'beat')
            expect(sorted(await real.beat(member(one.who, one.draining), 60_000, true))).to.deep.equal(
              sorted(await memory.beat(member(one.who, one.draining), 60_000, true)),
            );
          if (one.do === 'acquire')
            expect(await real.acquire(one.who, one.shards, one.epoch)).to.deep.equal(
              await memory.acquire(one.who, one.shards, one.epoch),
            );
          if (one.do === 'release') {
            const given = one.shards.map((shard) => ({ shard, epoch: one.epoch }));
            expect(await real.release(one.who, given, one.leave)).to.deep.equal(
              await memory.release(one.who, given, one.leave),
            );
          }
          if (one.do === 'die') {
            // its lease has run out
            await real.beat(member(one.who), 60_000, false);
            await client.zadd(placementKeys(own).alive, 1, one.who);
            await memory.beat(member(one.who), 60_000, false);
            fake.expire(one.who);
          }
        }
      }),
      {
        numRuns: 60,
        examples: [
          [
            [
              { do: 'beat', who: 'c', draining: false },
              { do: 'acquire', who: 'c', shards: [0], epoch: 1 },
              { do: 'die', who: 'c' },
              { do: 'beat', who: 'c', draining: false },
            ],
          ],
        ],
      },
    );
  });

  it("a process lives for its lease by Redis' clock, and its shards are free after that, with their epochs", async () => {
    await leases.beat(member('a'), 2000, false);
    expect(await leases.acquire('a', [1, 2], 5)).to.deep.equal([1, 2]);
    await leases.beat(member('b'), 5000, false);
    expect(await leases.acquire('b', [1], 6), 'held').to.deep.equal([]);
    await sleep(2100);
    expect(await leases.acquire('a', [3], 6), 'whoever has expired takes nothing').to.equal(null);
    expect(await leasesNow()).to.deep.equal([
      { shard: 1, epoch: 5, owner: null },
      { shard: 2, epoch: 5, owner: null },
    ]);
    expect(await leases.acquire('b', [1], 6), 'also before any beat has removed it').to.deep.equal([1]);
    const view = await leases.beat(member('b'), 5000, false);
    expect(view.members.map((one) => one.instance)).to.deep.equal(['b']);
  });

  it("also where Redis' clock went back by an hour: what was held by the old one ends a lease later", async () => {
    await leases.beat(member('a'), 2000, false);
    await leases.acquire('a', [1, 2], 5);
    // Redis' own clock cannot be moved, so what it wrote is moved ahead instead.
    await client.zadd(placementKeys(prefix).alive, Date.now() + 3_600_000, 'a');
    const view = await leases.beat(member('b'), 2000, false);
    expect(view.firstEndMs).to.be.within(1900, 2000);
    await sleep(2100);
    await leases.beat(member('b'), 2000, false);
    expect(await leases.acquire('b', [1, 2], 6)).to.deep.equal([1, 2]);
  });

  it('an epoch that is not higher takes nothing', async () => {
    await leases.beat(member('a'), 5000, false);
    await leases.acquire('a', [1], 5);
    await leases.release('a', [{ shard: 1, epoch: 5 }], false);
    expect(await leases.acquire('a', [1], 5)).to.deep.equal([]);
    expect(await leases.acquire('a', [1], 4)).to.deep.equal([]);
    expect(await leases.acquire('a', [1], 10)).to.deep.equal([1]); // as a number, not as text
  });

  it('tells of who comes, goes and has something to say, and of shards; not the one who did it', async () => {
    let heard: (readonly Lease[] | null)[] = [];
    await leases.beat(member('a'), 5000, false);
    const stop = leases.watch((changed) => {
      heard.push(changed);
    });
    const next = async (what: string, change: () => Promise<unknown>, told: typeof heard): Promise<void> => {
      await leases.beat(member('a'), 5000, false);
      await allHeard();
      heard = [];
      await change();
      await allHeard();
      expect(
        heard.filter((one) => one?.length !== 0),
        what,
      ).to.deep.equal(told);
    };
    /** Notices come in order: when this one is heard, so is everything before it. */
    let marks = 0;
    const allHeard = async (): Promise<void> => {
      const mark = `+ mark${++marks} r=0`; // which says nothing new
      let isHeard = false;
      const hear = (_: string, text: string): void => {
        isHeard ||= text === mark;
      };
      notices.on('message', hear);
      while (!isHeard) {
        await client.publish(placementKeys(prefix).channel, mark);
        await sleep(20);
      }
      notices.off('message', hear);
    };
    const others = redisLeases(client, notices, prefix);
    await next('b comes', () => others.beat(member('b'), 5000, false), [null]);
    const expireA = () => client.zadd(placementKeys(prefix).alive, 1, 'a');
    await next('b beats, a has expired', () => expireA().then(() => others.beat(member('b'), 5000, false)), [null]);
    await next('b beats', () => others.beat(member('b'), 5000, false), []);
    await next('b drains', () => others.beat(member('b', true), 5000, true), [null]);
    await next('b takes', () => others.acquire('b', [1, 2], 3), [
      [
        { shard: 1, epoch: 3, owner: 'b' },
        { shard: 2, epoch: 3, owner: 'b' },
      ],
    ]);
    await next('b gets nothing', () => others.acquire('b', [1], 1), []);
    await next('b gives up', () => others.release('b', [{ shard: 1, epoch: 3 }], false), [
      [{ shard: 1, epoch: 3, owner: null }],
    ]);
    await next('b leaves', () => others.release('b', [{ shard: 2, epoch: 3 }], true), [
      [{ shard: 2, epoch: 3, owner: null }],
      null,
    ]);
    await next('a comes itself', () => expireA().then(() => leases.beat(member('a'), 5000, false)), []);
    const gateway = { ...member('g'), role: 'gateway' as const };
    await next('a gateway comes', () => others.beat(gateway, 5000, false), []);
    await next('a gateway leaves', () => others.release('g', [], true), []);
    stop();
    heard = [];
    await others.beat(member('b'), 5000, false);
    await sleep(60);
    expect(heard, 'nobody listens').to.deep.equal([]);
  });

  it('a heartbeat at rest is answered in a few bytes, however many processes there are, and one after a change with that', async () => {
    const all = Array.from({ length: 60 }, () => redisLeases(client, notices, prefix));
    for (const [i, one] of all.entries()) await one.beat(member(`w${i}`), 60_000, false);
    for (const [i, one] of all.entries()) {
      const view = await one.beat(member(`w${i}`), 60_000, false);
      expect(view.members.length, 'it knows of all').to.equal(60);
    }
    const sent = async (): Promise<number> =>
      Number(/total_net_output_bytes:(\d+)/.exec(await (client as Redis).info('stats'))?.[1]);
    const perBeat = async (): Promise<number> => {
      const before = await sent();
      for (const [i, one] of all.entries()) await one.beat(member(`w${i}`), 60_000, false);
      return ((await sent()) - before) / all.length;
    };
    expect(await perBeat(), 'at rest').to.be.below(300);
    await all[0]!.acquire('w0', [7], 3);
    expect(await perBeat(), 'after a change').to.be.below(400);
    expect((await all[59]!.beat(member('w59'), 60_000, false)).leases).to.deep.equal([
      { shard: 7, epoch: 3, owner: 'w0' },
    ]);
  });

  it('a table that was emptied has another name', async () => {
    const first = await leases.beat(member('a'), 5000, false);
    await sleep(5);
    const second = await leases.beat(member('a'), 5000, false);
    expect([second.born, second.fresh]).to.deep.equal([first.born, false]);
    expect(second.ageMs).to.be.within(1, patient(1000));
    await client.del(Object.values(placementKeys(prefix)));
    const third = await leases.beat(member('a'), 5000, false);
    expect(third.born).not.to.equal(first.born);
    expect([third.fresh, third.ageMs]).to.deep.equal([true, 0]);
  });

  it('leaves out what cannot be read, and goes on', async () => {
    const keys = placementKeys(prefix);
    await leases.beat(member('a'), 5000, false);
    await leases.acquire('a', [1], 3);
    await client.hset(keys.leases, { 5000: '1 a', x: '1 a', 2: 'nonsense', 3: '', '-1': '5 a' });
    await client.hset(keys.members, {
      b: '{"instance"',
      c: '{"instance":"c","role":"king"}',
      d: JSON.stringify(member('e')),
    });
    await client.zadd(keys.alive, 9e15, 'b', 9e15, 'c', 9e15, 'd', 9e15, 'nobody');
    const view = await redisLeases(client, notices, prefix).beat(member('a'), 5000, false);
    expect(view.leases).to.deep.equal([{ shard: 1, epoch: 3, owner: 'a' }]);
    expect(view.members.map((one) => one.instance)).to.deep.equal(['a']);
    const heard: unknown[] = [];
    const stop = leases.watch((changed) => {
      heard.push(changed);
    });
    await sleep(60);
    heard.length = 0;
    for (const text of ['', '+', '+ b', '+ b x:y 1:2 9999:3 :', 'nonsense']) await client.publish(keys.channel, text);
    await until('all are heard', () => heard.length === 5);
    expect(heard).to.deep.equal([null, [], [], [{ shard: 1, epoch: 2, owner: 'b' }], null]);
    stop();
    expect(await leases.acquire('a', [2, 3], 4), 'and can be taken').to.deep.equal([2, 3]);
  });

  it('forgets a cluster that nobody has been in for a day', async () => {
    await leases.beat(member('a'), 5000, false);
    await leases.acquire('a', [1], 3);
    await leases.beat(member('a'), 5000, false);
    const { channel, ...keys } = placementKeys(prefix);
    expect(channel).to.equal(`${prefix}{place}`);
    for (const key of Object.values(keys)) expect(await client.ttl(key), key).to.be.within(86_000, 86_400);
  });
});
