/** The bus over Redis, and what happens to it when Redis is not as it should be. */
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { redisService, type OwnRedis, type RedisService } from '../../helpers/redis-service.js';
import { answer, change } from '../../unit/bus/support.js';
import { openBuses } from './redis-world.js';
import { busContract, freshTopic, hearRun, hearWorkspace, ids, seqs, until } from './suite.js';
import { patient } from '../../helpers/patience.js';

describe('the bus over Redis', function () {
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

  busContract('Redis', async () => openBuses(service.url));

  describe('in trouble', () => {
    let world: ReturnType<typeof openBuses>;
    beforeEach(() => {
      world = openBuses(service.url);
    });
    afterEach(async () => {
      await world.close();
    });
    const own = (test: Mocha.Context): OwnRedis => service.own ?? test.skip();

    it('what is published in one turn for one run is one message', async () => {
      const topic = freshTopic();
      const messages: string[] = [];
      const listen = new Redis(service.url);
      listen.on('smessage', (_, text: string) => messages.push(text));
      await listen.ssubscribe(`${world.prefix}r:${topic.run}`);
      const bus = world.bus();
      const ear = await hearRun(world.bus(), topic);
      for (let seq = 1; seq <= 5; seq++) bus.publish('run', topic, [answer(seq), answer(seq + 10)]);
      await until(() => ear.heard.length === 10 && messages.length > 0, 'all');
      listen.disconnect();
      expect([messages.length, seqs(ear)]).to.deep.equal([1, [1, 11, 2, 12, 3, 13, 4, 14, 5, 15]]);
    });

    it('everybody is told [] after a connection that was cut and made again, and hears what follows', async () => {
      const bus = world.bus();
      const there = world.bus();
      const topic = freshTopic();
      const run = await hearRun(there, topic);
      const live = await hearWorkspace(there, 'ws_1');
      expect([run.lost, live.lost]).to.deep.equal([1, 1]);
      await hand.call('CLIENT', 'KILL', 'TYPE', 'PUBSUB');
      await until(() => run.lost === 2 && live.lost === 2, 'the second []');
      bus.publish('run', topic, [answer(1)]);
      bus.publish('workspace', { workspace: 'ws_1' }, [change(1)]);
      await until(() => run.heard.length > 0 && live.heard.length > 0, 'what follows');
      expect([seqs(run), ids(live), run.lost, live.lost]).to.deep.equal([[1], ['mem_1'], 2, 2]);
    });

    it('who comes to a channel that others listen to already is told [] by itself', async () => {
      const there = world.bus();
      const first = await hearWorkspace(there, 'ws_1');
      const second = await hearWorkspace(there, 'ws_1');
      expect([first.lost, second.lost]).to.deep.equal([1, 1]);
    });

    it('RedisBus.B7: what could not be sent is told as a loss as soon as something can', async () => {
      const { bus, client } = world.open();
      const topic = freshTopic();
      const run = await hearRun(world.bus(), topic);
      const live = await hearWorkspace(world.bus(), 'ws_1');
      let refused = 0;
      client.spublish = () => {
        refused++;
        return Promise.reject(new Error('cut'));
      };
      bus.publish('run', topic, [answer(1)]);
      bus.publish('workspace', { workspace: 'ws_1' }, [change(1)]);
      await until(() => refused >= 2, 'that both are refused');
      expect([run.lost, live.lost]).to.deep.equal([1, 1]);
      Reflect.deleteProperty(client, 'spublish');
      await until(() => run.lost === 2 && live.lost === 2, 'the []');
      bus.publish('run', topic, [answer(2)]);
      await until(() => run.heard.length > 0, 'what follows');
      expect([seqs(run), live.heard]).to.deep.equal([[2], []]);
    });

    it('a server that was killed and started empty costs what was published meanwhile, and says so', async function () {
      const redis = own(this);
      const bus = world.bus();
      const live = await hearWorkspace(world.bus(), 'ws_1');
      await redis.kill();
      bus.publish('workspace', { workspace: 'ws_1' }, [change(1)]);
      await new Promise((resolve) => {
        setTimeout(resolve, 300);
      });
      await redis.start();
      await until(() => live.lost > 1, 'the [] of the new connection');
      bus.publish('workspace', { workspace: 'ws_1' }, [change(2)]);
      await until(() => live.heard.length > 0, 'what follows');
      expect(ids(live)).to.deep.equal(['mem_2']);
    });

    it('a server that hangs is waited for without a throw, and its connections are replaced', async function () {
      const redis = own(this);
      const bus = world.bus();
      const live = await hearWorkspace(world.bus(), 'ws_1');
      redis.pause();
      try {
        bus.publish('workspace', { workspace: 'ws_1' }, [change(1)]);
        await new Promise((resolve) => {
          setTimeout(resolve, 10_000);
        });
      } finally {
        redis.resume();
      }
      await until(() => live.lost > 1, 'the [] after the hang');
      bus.publish('workspace', { workspace: 'ws_1' }, [change(2)]);
      await until(() => ids(live).includes('mem_2'), 'what follows');
    });

    it('FLUSHALL costs nothing', async () => {
      const bus = world.bus();
      const live = await hearWorkspace(world.bus(), 'ws_1');
      await hand.flushall();
      bus.publish('workspace', { workspace: 'ws_1' }, [change(1)]);
      await until(() => live.heard.length > 0, 'the event');
      expect(live.lost).to.equal(1);
    });

    it('what cannot be read is counted and dropped, on either kind of channel', async () => {
      const bus = world.bus();
      const there = world.bus();
      const topic = freshTopic();
      const run = await hearRun(there, topic);
      const live = await hearWorkspace(there, 'ws_1');
      const about = [topic.workspace, topic.agent, topic.run];
      const wrongRuns = [
        '',
        'no JSON',
        '{}',
        '[]',
        '[2,"ws_1","agent_1","run",[]]',
        JSON.stringify([1, ...about]),
        JSON.stringify([1, ...about, [{ seq: 0, at: '', type: 'answer' }]]),
        JSON.stringify([1, ...about, [null]]),
        JSON.stringify([1, ...about, [{ seq: 1, at: '', type: 'unknown' }]]),
        JSON.stringify([1, 'ws_1', 'agent_1', 'another_run', [answer(1)]]),
        JSON.stringify([1, 'ws_1', [change(1)]]),
      ];
      const wrongLive = [
        'null',
        JSON.stringify([1, 'ws_1', 'x']),
        JSON.stringify([1, 'ws_2', [change(1)]]),
        JSON.stringify([1, 'ws_1', [{ type: 1, at: '', data: {} }]]),
        JSON.stringify([1, ...about, [answer(1)]]),
      ];
      for (const text of wrongRuns) await hand.spublish(`${world.prefix}r:${topic.run}`, text);
      for (const text of wrongLive) await hand.spublish(`${world.prefix}w:ws_1`, text);
      bus.publish('run', topic, [answer(7)]);
      bus.publish('workspace', { workspace: 'ws_1' }, [change(7)]);
      await until(() => run.heard.length > 0 && live.heard.length > 0, 'what follows');
      expect([seqs(run), ids(live), there.unreadable()]).to.deep.equal([
        [7],
        ['mem_7'],
        wrongRuns.length + wrongLive.length,
      ]);
    });

    it('a subscription that nobody wants is given up a little later, and not while somebody comes back', async () => {
      const there = world.bus();
      const channel = `${world.prefix}w:ws_1`;
      const listening = async (): Promise<boolean> =>
        ((await hand.call('PUBSUB', 'SHARDNUMSUB', channel)) as [string, number])[1] > 0;
      (await hearWorkspace(there, 'ws_1')).leave();
      const back = await hearWorkspace(there, 'ws_1');
      await new Promise((resolve) => {
        setTimeout(resolve, 500);
      });
      expect(await listening(), 'while somebody listens').to.equal(true);
      back.leave();
      for (const end = Date.now() + patient(2000); (await listening()) && Date.now() < end;);
      expect(await listening(), 'later').to.equal(false);
    });

    it('after close nobody is told anything, and nothing is published', async () => {
      const bus = world.bus();
      const there = world.bus();
      const live = await hearWorkspace(there, 'ws_1');
      bus.publish('workspace', { workspace: 'ws_1' }, [change(1)]);
      await bus.close();
      await until(() => live.heard.length > 0, 'what was published before');
      bus.publish('workspace', { workspace: 'ws_1' }, [change(2)]);
      await there.close();
      world.bus().publish('workspace', { workspace: 'ws_1' }, [change(3)]);
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      expect(ids(live)).to.deep.equal(['mem_1']);
    });
  });
});
