/**
 * Bus, transport and scripts on a Redis Cluster: whatever one script or one entry touches lies on one of its servers.
 */
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { checkRedis } from '../../../src/redis/check.js';
import { connectRedis, type RedisClient } from '../../../src/redis/connect.js';
import { redisCluster, type RedisCluster } from '../../helpers/redis-cluster.js';
import { change } from '../../unit/bus/support.js';
import { redisWorld } from '../transport/redis-world.js';
import { transportContract } from '../transport/suite.js';
import { openBuses } from './redis-world.js';
import { busContract, hearWorkspace, until } from './suite.js';

const slots = 16_384;
const silent = { info: () => undefined, warn: () => undefined };

describe('on a Redis Cluster', function () {
  this.timeout(60_000);
  let cluster: RedisCluster;
  let hand: RedisClient;
  before(async function () {
    const found = await redisCluster();
    if (found === null) return this.skip(); // no redis-server on PATH
    cluster = found;
    hand = connectRedis(cluster.url, 'test', silent);
  });
  after(async () => {
    hand?.disconnect();
    await cluster?.stop();
  });

  busContract('Redis Cluster', async () => openBuses(cluster.url));
  transportContract('Redis Cluster', async () => redisWorld(cluster.url, hand));

  it('is found by `doctor` for what it is, as one server is for being a part of one', async () => {
    expect((await checkRedis(cluster.url)).filter(({ level }) => level !== 'ok')).to.deep.equal([]);
    const [first] = cluster.servers;
    const findings = await checkRedis(first?.url ?? '');
    expect(findings.filter(({ level }) => level === 'fail').map(({ text }) => text)).to.deep.equal([
      `Redis at 127.0.0.1:${String(first?.own?.port)} is part of a Redis Cluster: name several of its servers in HIVEKEEP_REDIS_URL, separated by commas.`,
    ]);
  });

  it('a slot that moves takes its channel along: listeners are told [], and hear what follows', async () => {
    const buses = openBuses(cluster.url);
    const [from, to] = cluster.servers.slice(0, 2).map((server) => new Redis(server.url)) as [Redis, Redis];
    try {
      const bus = buses.bus();
      const there = buses.bus();
      const workspaces = Array.from({ length: 100 }, (_, i) => `ws_${i}`);
      const slotOf = (workspace: string) => from.cluster('KEYSLOT', `${buses.prefix}w:${workspace}`);
      let workspace = '';
      let slot = slots;
      for (const one of workspaces) if (slot >= slots / 3) [workspace, slot] = [one, await slotOf(one)]; // one of the first server's
      const live = await hearWorkspace(there, workspace);
      const id = String(await to.call('CLUSTER', 'MYID'));
      await to.call('CLUSTER', 'SETSLOT', slot, 'NODE', id);
      await from.call('CLUSTER', 'SETSLOT', slot, 'NODE', id);
      await until(() => live.lost > 1, 'the [] of the new place');
      for (let sent = 0; live.heard.length === 0; sent++) {
        expect(sent, 'tries of 100 ms each').to.be.below(1000);
        bus.publishWorkspace(workspace, [change(1)]);
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
      }
    } finally {
      from.disconnect();
      to.disconnect();
      await buses.close();
    }
  });
});
