import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { createRedisTransport, type RedisTransport } from '../../../src/bus/redis/transport.js';
import type { Transport } from '../../../src/bus/transport.js';
import { redisService, type RedisService } from '../../helpers/redis-service.js';
import { transportContract, type TransportWorld } from './suite.js';

describe('the transport over Redis', () => {
  let service: RedisService | null = null;
  before(async function () {
    service = await redisService();
    if (service === null) this.skip(); // neither REDIS_URL nor redis-server on PATH
  });
  after(async () => { await service?.stop(); });

  transportContract('Redis', async () => redisWorld(service?.url ?? ''));
});

const log = { info: () => undefined, warn: () => undefined };

async function redisWorld(url: string): Promise<TransportWorld> {
  const prefix = `hk:${randomUUID()}:`, made: Transport[] = [], hand = new Redis(url);
  return {
    transport: () => {
      const transport = createRedisTransport({ url, prefix, self: randomUUID(), log });
      made.push(transport);
      return transport;
    },
    write: async (to, text) => { await hand.xadd(`${prefix}in:{${to}}`, '*', 'v', '1', 'f', 'somebody', 'm', text); },
    unreadable: (transport) => (transport as RedisTransport).stats().unreadable,
    close: async () => {
      await Promise.all(made.map((transport) => transport.close()));
      hand.disconnect();
    },
  };
}
