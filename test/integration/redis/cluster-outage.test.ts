/**
 * src/redis/connect.ts: a client of a Redis Cluster finds a master again that was killed and came back without its
 * data, whatever the load on it, and nothing that a cluster does is thrown beside the calls. The masters know each
 * other again only after some seconds, so these run with the slow tests.
 */
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { connectRedis, type RedisClient } from '../../../src/redis/connect.js';
import { redisCluster, type RedisCluster } from '../../helpers/redis-cluster.js';
import { answer, change } from '../../unit/bus/support.js';
import { openBuses } from '../../contract/bus/redis-world.js';
import { freshTopic, hearRun, hearWorkspace, until } from '../../contract/bus/suite.js';
import { redisWorld } from '../../contract/transport/redis-world.js';
import { Peer } from '../../contract/transport/suite.js';

const silent = { info: () => undefined, warn: () => undefined };
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const settled = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => value,
    (error: unknown) => error,
  );

describe('a Redis Cluster that loses a master', function () {
  this.timeout(90_000);
  let cluster: RedisCluster;
  const clients: RedisClient[] = [];
  const open = (): RedisClient => {
    const client = connectRedis(cluster.url, 'test', silent);
    clients.push(client);
    return client;
  };
  beforeEach(async function () {
    const found = await redisCluster();
    if (found === null) return this.skip(); // no redis-server on PATH
    cluster = found;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.disconnect();
    await cluster?.stop();
  });
  const killAndEmpty = async (): Promise<void> => {
    await cluster.servers[1]?.own?.kill();
    await pause(300);
    await cluster.servers[1]?.own?.start();
  };

  it('every key can be written again, by a client that never stops writing', async () => {
    const client = open();
    const keys = Array.from({ length: 64 }, (_, i) => `key-${i}`);
    const write = async (): Promise<number> => {
      const outcomes = await Promise.all(keys.map((key) => settled(client.set(key, '1'))));
      return outcomes.filter((outcome) => outcome !== 'OK').length;
    };
    expect(await write()).to.equal(0);
    let stop = false;
    // Several writers that do not wait for each other: the load under which MOVED answers come for many slots at a
    // time.
    const writers = Array.from({ length: 4 }, async () => {
      while (!stop) {
        await write();
        await pause(1);
      }
    });
    try {
      await killAndEmpty();
      const began = performance.now();
      while ((await write()) > 0) {
        expect(performance.now() - began, 'ms after the master was back').to.be.below(45_000);
        await pause(50);
      }
    } finally {
      stop = true;
      await Promise.all(writers);
    }
  });

  it('a client that comes while slots are served by nobody has calls that reject, and throws nothing beside', async () => {
    const [, second] = cluster.servers;
    const hand = new Redis(second?.url ?? '');
    await hand.call('CLUSTER', 'FLUSHSLOTS').catch(() => undefined);
    for (const { url } of cluster.servers) {
      const redis = new Redis(url);
      const from = Math.floor(16_384 / 3);
      await redis.call('CLUSTER', 'DELSLOTSRANGE', from, Math.floor((16_384 * 2) / 3) - 1).catch(() => undefined);
      redis.disconnect();
    }
    hand.disconnect();
    const thrown: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => thrown.push(error));
    try {
      const client = open();
      const outcomes = await Promise.all(Array.from({ length: 64 }, (_, i) => settled(client.set(`key-${i}`, '1'))));
      await pause(50);
      expect(thrown).to.deep.equal([]);
      expect(outcomes.filter((outcome) => outcome === 'OK')).to.have.length.within(1, 63);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
  });

  it('has its inboxes and subscriptions back when the master is', async () => {
    const world = redisWorld(cluster.url, open());
    const buses = openBuses(cluster.url);
    try {
      const a = new Peer(world.transport());
      const many = Array.from({ length: 8 }, () => new Peer(world.transport()));
      await Promise.all([a, ...many].map((peer) => peer.start()));
      const bus = buses.bus();
      const there = buses.bus();
      const topics = Array.from({ length: 32 }, () => freshTopic()); // so many that the master has one of them, but for once in 400,000 times
      const runs = await Promise.all(topics.map((topic) => hearRun(there, topic)));
      const live = await hearWorkspace(there, 'ws_1');
      await killAndEmpty();
      for (
        let sent = 0;
        many.some((peer) => peer.received.length === 0) ||
        runs.some((run) => run.heard.length === 0) ||
        live.heard.length === 0;
        sent++
      ) {
        expect(sent, 'tries of 100 ms each').to.be.below(600);
        for (const peer of many) if (peer.received.length === 0) a.transport.send(peer.transport.self, 'hello');
        for (const topic of topics) bus.publish('run', topic, [answer(sent + 1)]);
        bus.publish('workspace', { workspace: 'ws_1' }, [change(sent)]);
        await pause(100);
      }
      await until(() => runs.some((run) => run.lost > 1), 'somebody is told of the cut');
    } finally {
      await Promise.all([world.close(), buses.close()]);
    }
  });
});
