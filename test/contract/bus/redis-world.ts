/** Buses of one cluster on a real Redis. */
import { randomUUID } from 'node:crypto';
import { createRedisBus, type RedisBus } from '../../../src/bus/redis/events.js';
import { connectRedis } from '../../../src/redis/connect.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Buses of several processes under a prefix of their own. */
export function openBuses(url: string) {
  const prefix = `hk:${randomUUID()}:`;
  const closes: (() => Promise<void>)[] = [];
  const open = () => {
    const client = connectRedis(url, 'test-publish', silent);
    const made = createRedisBus({ url, client, prefix, log: silent, tuning: { lingerMs: 300 } });
    closes.push(async () => {
      await made.close();
      client.disconnect();
    });
    return { bus: made, client };
  };
  const bus = (): RedisBus => open().bus;
  return {
    prefix,
    open,
    bus,
    close: async () => {
      await Promise.all(closes.map((close) => close()));
    },
  };
}
