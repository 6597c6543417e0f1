/**
 * The Lua scripts against a real Redis: leases.ts, and that the table in memory, on which the unit tests stand, gives
 * the same answers.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { placementKeys, redisLeases } from '../../../src/cluster/redis/leases.js';
import { readPlacement } from '../../../src/cluster/redis/read.js';
import type { HeartbeatAnswer, Lease, LeaseTable, TableNews, TableVersion } from '../../../src/cluster/leases.js';
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
/** What the table says, without its name and times. */
const sorted = ({ version, since, members, leases }: TableNews) => ({
  version,
  since,
  members: [...members].sort(([a], [b]) => (a < b ? -1 : 1)),
  leases: [...leases].sort((a, b) => a.shard - b.shard),
});
/** Heartbeats of one process, which goes on from what it knows. */
function beating(leases: LeaseTable): (member: Member, tell?: boolean, leaseMs?: number) => Promise<HeartbeatAnswer> {
  let known: TableVersion | null = null;
  return async (member, tell = false, leaseMs = 5000) => {
    const answer = await leases.beat(member, leaseMs, tell, known);
    known = answer;
    return answer;
  };
}

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
        const memory = fake.direct();
        const [known, knownInMemory] = [new Map<string, TableVersion>(), new Map<string, TableVersion>()];
        const beats = async (who: string, draining: boolean, tell: boolean): Promise<void> => {
          const answer = await real.beat(member(who, draining), 60_000, tell, known.get(who) ?? null);
          const same = await memory.beat(member(who, draining), 60_000, tell, knownInMemory.get(who) ?? null);
          expect({ ...sorted(answer), fresh: answer.fresh }).to.deep.equal({ ...sorted(same), fresh: same.fresh });
          known.set(who, answer);
          knownInMemory.set(who, same);
        };
        for (const one of actions) {
          if (one.do === 'beat') await beats(one.who, one.draining, true);
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
            await beats(one.who, false, false);
            await client.zadd(placementKeys(own).alive, 1, one.who);
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
    await leases.beat(member('a'), 2000, false, null);
    expect(await leases.acquire('a', [1, 2], 5)).to.deep.equal([1, 2]);
    await leases.beat(member('b'), 5000, false, null);
    expect(await leases.acquire('b', [1], 6), 'held').to.deep.equal([]);
    await sleep(2100);
    expect(await leases.acquire('a', [3], 6), 'whoever has expired takes nothing').to.equal(null);
    expect(await leasesNow()).to.deep.equal([
      { shard: 1, epoch: 5, owner: null },
      { shard: 2, epoch: 5, owner: null },
    ]);
    expect(await leases.acquire('b', [1], 6), 'also before any beat has removed it').to.deep.equal([1]);
    const view = await leases.beat(member('b'), 5000, false, null);
    expect([...view.members.keys()]).to.deep.equal(['b']);
  });

  it("also where Redis' clock went back by an hour: what was held by the old one ends a lease later", async () => {
    await leases.beat(member('a'), 2000, false, null);
    await leases.acquire('a', [1, 2], 5);
    // Redis' own clock cannot be moved, so what it wrote is moved ahead instead.
    await client.zadd(placementKeys(prefix).alive, Date.now() + 3_600_000, 'a');
    const view = await leases.beat(member('b'), 2000, false, null);
    expect(view.firstEndMs).to.be.within(1900, 2000);
    await sleep(2100);
    await leases.beat(member('b'), 2000, false, null);
    expect(await leases.acquire('b', [1, 2], 6)).to.deep.equal([1, 2]);
  });

  it('an epoch that is not higher takes nothing', async () => {
    await leases.beat(member('a'), 5000, false, null);
    await leases.acquire('a', [1], 5);
    await leases.release('a', [{ shard: 1, epoch: 5 }], false);
    expect(await leases.acquire('a', [1], 5)).to.deep.equal([]);
    expect(await leases.acquire('a', [1], 4)).to.deep.equal([]);
    expect(await leases.acquire('a', [1], 10)).to.deep.equal([1]); // as a number, not as text
  });

  it('tells all of what has changed since it last told: who comes, goes and has something to say, and shards', async () => {
    let heard: (ReturnType<typeof sorted> | null)[] = [];
    const stop = leases.watch((news) => {
      heard.push(news && sorted(news));
    });
    let version = 0;
    let told = 0;
    /** What is told of the change: these members and leases, and that there is so much news. */
    const next = async (
      what: string,
      change: () => Promise<unknown>,
      members: [string, Member | null][] | null,
      changed: Lease[] = [],
      versions = 1,
    ): Promise<void> => {
      await allHeard();
      heard = [];
      await change();
      await allHeard();
      version += versions;
      expect(heard, what).to.deep.equal(members === null ? [] : [{ version, since: told, members, leases: changed }]);
      if (members !== null) told = version;
    };
    /** Notices come in order: when this one is heard, so is everything before it. */
    let marks = 0;
    const allHeard = async (): Promise<void> => {
      const mark = `mark${++marks}`;
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
      heard = heard.filter((news) => news !== null);
    };
    const [a, b, g] = [beating(leases), beating(leases), beating(leases)];
    const gateway = { ...member('g'), role: 'gateway' as const };
    const expireA = () => client.zadd(placementKeys(prefix).alive, 1, 'a');
    await next('a comes', () => a(member('a')), [['a', member('a')]]);
    await next('a gateway comes', () => g(gateway), null);
    await next('b comes', () => b(member('b')), [
      ['b', member('b')],
      ['g', gateway],
    ]);
    await next('b beats, a has expired', () => expireA().then(() => b(member('b'))), [['a', null]]);
    await next('b beats', () => b(member('b')), null, [], 0);
    await next('b drains', () => b(member('b', true), true), [['b', member('b', true)]]);
    await next(
      'b takes',
      () => leases.acquire('b', [1, 2], 3),
      [],
      [
        { shard: 1, epoch: 3, owner: 'b' },
        { shard: 2, epoch: 3, owner: 'b' },
      ],
    );
    await next('b gets nothing', () => leases.acquire('b', [1], 1), null, [], 0);
    await next(
      'b gives up',
      () => leases.release('b', [{ shard: 1, epoch: 3 }], false),
      [],
      [{ shard: 1, epoch: 3, owner: null }],
    );
    await next('the gateway leaves', () => leases.release('g', [], true), null);
    await next(
      'b leaves',
      () => leases.release('b', [], true),
      [
        ['b', null],
        ['g', null],
      ],
      [{ shard: 2, epoch: 3, owner: null }],
    );
    const large = (i: number): Member => ({ ...member(`g${i}`), role: 'gateway', about: { text: 'x'.repeat(5000) } });
    for (let i = 0; i < 20; i++) await beating(leases)(large(i));
    told = version + 21;
    await next('more than fits', () => a(member('a')), [], [], 21);
    stop();
    heard = [];
    await b(member('b'));
    await sleep(60);
    expect(heard, 'nobody listens').to.deep.equal([]);
  });

  it('a heartbeat at rest is answered in a few bytes, however many processes there are, and one after a change with that', async () => {
    const all = Array.from({ length: 60 }, () => beating(leases));
    for (const [i, beat] of all.entries()) await beat(member(`w${i}`));
    for (const [i, beat] of all.entries()) await beat(member(`w${i}`));
    const sent = async (): Promise<number> =>
      Number(/total_net_output_bytes:(\d+)/.exec(await (client as Redis).info('stats'))?.[1]);
    const perBeat = async (): Promise<number> => {
      const before = await sent();
      for (const [i, beat] of all.entries()) await beat(member(`w${i}`));
      return ((await sent()) - before) / all.length;
    };
    expect(await perBeat(), 'at rest').to.be.below(300);
    await leases.acquire('w0', [7], 3);
    expect(await perBeat(), 'after a change').to.be.below(400);
  });

  it('a table that was emptied has another name, and is read as a whole, as is one that has gone back', async () => {
    const beat = beating(leases);
    const first = await beat(member('a'));
    await sleep(5);
    const second = await beat(member('a'));
    expect([second.born, second.since, second.fresh]).to.deep.equal([first.born, first.version, false]);
    expect(second.ageMs).to.be.within(1, patient(1000));
    const later = { ...second, version: second.version + 5 };
    expect((await leases.beat(member('a'), 5000, false, later)).since, 'a replica that lacks the last').to.equal(null);
    await client.del(Object.values(placementKeys(prefix)));
    const third = await beat(member('a'));
    expect(third.born).not.to.equal(first.born);
    expect([third.since, third.fresh, third.ageMs]).to.deep.equal([null, true, 0]);
  });

  it('leaves out what cannot be read, and goes on', async () => {
    const keys = placementKeys(prefix);
    await leases.beat(member('a'), 5000, false, null);
    await leases.acquire('a', [1], 3);
    await client.hset(keys.leases, { 5000: '1 a', x: '1 a', 2: 'nonsense', 3: '', '-1': '5 a' });
    await client.hset(keys.members, {
      b: '{"instance"',
      c: '{"instance":"c","role":"king"}',
      d: JSON.stringify(member('e')),
    });
    await client.zadd(keys.alive, 9e15, 'b', 9e15, 'c', 9e15, 'd', 9e15, 'nobody');
    const view = await leases.beat(member('a'), 5000, false, null);
    expect(view.leases).to.deep.equal([{ shard: 1, epoch: 3, owner: 'a' }]);
    expect([...view.members].filter(([, one]) => one !== null)).to.deep.equal([['a', member('a')]]);
    const heard: unknown[] = [];
    const stop = leases.watch((news) => {
      heard.push(news && sorted(news));
    });
    await sleep(60);
    heard.length = 0;
    const notice = {
      born: 'x',
      since: 1,
      version: 2,
      first: 0,
      members: { b: 'x' },
      leases: { '2 b': [1, 9999], x: [3] },
    };
    for (const text of ['', 'nonsense', '{}', '[1]', JSON.stringify(notice)]) await client.publish(keys.channel, text);
    await until('all are heard', () => heard.length === 5);
    const read = { version: 2, since: 1, members: [['b', null]], leases: [{ shard: 1, epoch: 2, owner: 'b' }] };
    expect(heard).to.deep.equal([null, null, null, null, read]);
    stop();
    expect(await leases.acquire('a', [2, 3], 4), 'and can be taken').to.deep.equal([2, 3]);
  });

  it('forgets a cluster that nobody has been in for a day', async () => {
    await leases.beat(member('a'), 5000, false, null);
    await leases.acquire('a', [1], 3);
    await leases.beat(member('a'), 5000, false, null);
    const { channel, ...keys } = placementKeys(prefix);
    expect(channel).to.equal(`${prefix}{place}`);
    for (const key of Object.values(keys)) expect(await client.ttl(key), key).to.be.within(86_000, 86_400);
  });
});
