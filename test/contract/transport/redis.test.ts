/** The transport over Redis, and what happens to it when Redis is not as it should be. */
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { redisService, type OwnRedis, type RedisService } from '../../helpers/redis-service.js';
import { redisWorld, type RedisWorld } from './redis-world.js';
import { Peer, peers, transportContract } from './suite.js';
import { patient } from '../../helpers/patience.js';

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe('the transport over Redis', function () {
  this.timeout(60_000);
  let service: RedisService;
  let hand: Redis;
  before(async function () {
    const found = await redisService();
    if (found === null) return this.skip(); // neither REDIS_URL nor redis-server on PATH
    service = found;
    hand = new Redis(service.url);
    hand.on('error', () => undefined);
  });
  after(async () => {
    hand?.disconnect();
    await service?.stop();
  });

  transportContract('Redis', async () => redisWorld(service.url, hand));

  describe('in trouble', () => {
    let world: RedisWorld;
    beforeEach(() => {
      world = redisWorld(service.url, hand);
    });
    afterEach(async () => {
      await world.close();
    });
    const own = (test: Mocha.Context): OwnRedis => service.own ?? test.skip();

    /** Sends until one arrives, as a router does, and says how many were sent. */
    async function arrives(from: Peer, to: Peer, what: string): Promise<number> {
      for (let sent = 1; sent < 300; sent++) {
        from.transport.send(to.transport.self, what);
        await wait(50);
        if (to.messages.includes(what)) return sent;
      }
      throw new Error(`${what} never arrives`);
    }

    it("a turn's messages for one process are one entry, and what was read is deleted", async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      const inbox = world.inbox(b.transport);
      for (let i = 0; i < 100; i++) a.transport.send(b.transport.self, i);
      await b.until(() => b.received.length === 100, 'all');
      expect(((await hand.xinfo('STREAM', inbox)) as unknown[]).join().match(/entries-added,(\d+)/)?.[1]).to.equal('1');
      await wait(50);
      expect(await hand.xlen(inbox)).to.equal(0);
    });

    it('the inbox of a process that does not renew it goes, and is not made again by who sends', async () => {
      const [a] = (await peers(world, 1)) as [Peer];
      const b = world.open({ tuning: { inboxMs: 300, renewMs: 100_000 } });
      await b.start({ received: () => undefined, gone: () => undefined });
      expect(await hand.exists(world.inbox(b))).to.equal(1);
      await wait(600);
      a.transport.send(b.self, 'anybody?');
      await a.until(() => a.gone.length > 0, 'gone');
      expect([a.gone, await hand.exists(world.inbox(b))]).to.deep.equal([[b.self], 0]);
    });

    it('one that is read is there for as long as it is read', async () => {
      const [a] = (await peers(world, 1)) as [Peer];
      const b = new Peer(world.open({ tuning: { inboxMs: 300, renewMs: 50 } }));
      await b.start();
      await wait(900);
      a.transport.send(b.transport.self, 'still there?');
      await b.until(() => b.received.length > 0, 'the message');
      expect(a.gone).to.deep.equal([]);
    });

    it('what is too much to wait is dropped, and counted', async () => {
      const a = world.open({ tuning: { maxWaiting: 1000 } });
      const b = new Peer(world.open());
      await a.start({ received: () => undefined, gone: () => undefined });
      await b.start();
      for (let i = 0; i < 100; i++) a.send(b.transport.self, 'x'.repeat(98));
      await b.until(() => b.received.length > 0, 'some');
      await wait(100);
      expect([b.received.length, a.stats().dropped]).to.deep.equal([10, 90]);
      a.send(b.transport.self, 'x'.repeat(98));
      await b.until(() => b.received.length === 11, 'what is sent later');
    });

    it('entries that others wrote by hand are counted, logged once, and dropped', async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      const inbox = world.inbox(b.transport);
      for (const fields of [
        ['foo', 'bar'],
        ['v', '2', 'f', 'x', 'm', '[1]'],
        ['v', '1', 'f', 'x', 'm', '[1', 'n', ''],
        ['v', '1', 'm', '[1]', 'f', 'x'],
        ['v', '1', 'f', 'x', 'm', '\u0000\u00ff'],
      ])
        await hand.xadd(inbox, '*', ...fields);
      a.transport.send(b.transport.self, 'good');
      await b.until(() => b.received.length > 0, 'what follows');
      expect([b.messages, world.unreadable(b.transport)]).to.deep.equal([['good'], 5]);
      expect(world.log.lines.filter((line) => line.startsWith('dropped'))).to.have.length(1);
    });

    it('an inbox that something else has put in place of ours is made again', async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      await hand.set(world.inbox(b.transport), 'a string');
      await arrives(a, b, 'hello');
    });

    it('after FLUSHALL senders are told `gone`, and within about a second everything works again', async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      await arrives(a, b, 'before');
      await hand.flushall();
      const began = performance.now();
      await arrives(a, b, 'after');
      expect(performance.now() - began, 'ms').to.be.below(patient(5000));
      expect(a.gone.every((to) => to === b.transport.self)).to.equal(true);
    });

    it('connections that are cut are made again; nothing arrives changed, or out of order the first time', async () => {
      const [a, b] = (await peers(world)) as [Peer, Peer];
      let sent = 0;
      for (let cut = 0; cut < 10; cut++) {
        for (let i = 0; i < 20; i++) {
          a.transport.send(b.transport.self, ++sent);
          if (i % 5 === 0) await wait(1);
        }
        await hand.call('CLIENT', 'KILL', 'TYPE', 'NORMAL', 'SKIPME', 'YES');
        await wait(20);
      }
      await arrives(a, b, 'last');
      // what was given out comes again where its deletion was lost with the connection, as the port has it
      const first = [...new Set(b.messages.filter((m): m is number => typeof m === 'number'))];
      expect(first, 'in order').to.deep.equal([...first].sort((x, y) => x - y));
      expect(first.at(-1), 'nothing that was not sent').to.be.at.most(sent);
    });

    it('a server that was killed and started empty has everybody back within seconds, and the outage is one line a connection', async function () {
      const redis = own(this);
      const [a, b] = (await peers(world)) as [Peer, Peer];
      await arrives(a, b, 'before');
      await redis.kill();
      for (let i = 0; i < 20; i++) {
        a.transport.send(b.transport.self, 'lost');
        await wait(50);
      }
      await redis.start();
      const began = performance.now();
      await arrives(a, b, 'after');
      await arrives(b, a, 'and back');
      expect(performance.now() - began, 'ms').to.be.below(patient(8000));
      expect(world.log.lines.filter((line) => line.startsWith('Redis cannot'))).to.have.length(4); // two connections each
      expect(world.log.lines.filter((line) => line.startsWith('Redis can be reached again'))).to.have.length(4);
    });

    it('also where the empty server counts its entries from an earlier time', async function () {
      const redis = own(this);
      const [a, b] = (await peers(world)) as [Peer, Peer];
      await hand.xadd(
        world.inbox(b.transport),
        `${Date.now() + 3_600_000}-1`,
        'v',
        '1',
        'f',
        'somebody',
        'm',
        '["an hour ahead"]',
      );
      await b.until(() => b.received.length > 0, 'the entry of the clock that was ahead');
      await redis.restartEmpty();
      await arrives(a, b, 'after');
    });

    it('a server that hangs is waited for; what is sent then is lost or late, and all works again when it goes on', async function () {
      const redis = own(this);
      const [a, b] = (await peers(world)) as [Peer, Peer];
      redis.pause();
      try {
        for (let i = 0; i < 20; i++) {
          a.transport.send(b.transport.self, i);
          await wait(400);
        }
      } finally {
        redis.resume();
      }
      await arrives(a, b, 'after');
    });

    it('start rejects where there is no server, and close returns all the same', async () => {
      const nowhere = world.open({ url: 'redis://127.0.0.1:1' });
      const failed = await nowhere.start({ received: () => undefined, gone: () => undefined }).then(
        () => false,
        () => true,
      );
      expect(failed).to.equal(true);
      await nowhere.close();
    });
  });
});
