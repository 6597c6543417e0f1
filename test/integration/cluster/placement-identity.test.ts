/** The name of the table in Redis, and Redis' clock (identity.ts). */
import { expect } from 'chai';
import { compareClocks } from '../../../src/base/clock-skew.js';
import { redisTable, redisTime } from '../../../src/cluster/identity.js';
import { redisLeases } from '../../../src/cluster/redis/leases.js';
import { connectRedis, type RedisClient } from '../../../src/redis/connect.js';
import { redisService, type RedisService } from '../../helpers/redis-service.js';
import { freshPrefix } from './placement-kit.js';

describe('identity of a cluster in Redis', () => {
  let redis: RedisService | null;
  let client: RedisClient;
  before(async function () {
    redis = await redisService();
    if (!redis) this.skip();
    client = connectRedis(redis.url, 'identity');
  });
  after(async () => {
    client?.disconnect();
    await redis?.stop();
  });

  it('names the table once, whoever asks first: a start or a beat', async () => {
    const prefix = freshPrefix();
    const names = await Promise.all(Array.from({ length: 5 }, () => redisTable(client, prefix)));
    expect(new Set(names).size).to.equal(1);
    const view = await redisLeases(client, client, prefix).beat(
      { instance: 'a', role: 'gateway', draining: false, about: {}, stats: {} },
      1000,
      false,
      null,
    );
    expect(view.born).to.equal(names[0]);
    expect(view.ageMs).to.be.below(2000);
    expect(await redisTable(client, freshPrefix())).not.to.equal(names[0]);
  });

  it('reads the clock of the server', async () => {
    expect((await compareClocks('Redis', () => redisTime(client, 'any'), Date.now)).level).to.equal('ok');
    expect(
      (
        await compareClocks(
          'Redis',
          () => redisTime(client, 'any'),
          () => Date.now() + 300_000,
        )
      ).level,
    ).to.equal('fail');
  });
});
