/** MongoDB and Redis as the cluster of a test has them: where they are, and what of them the test may break. */
import { setTimeout as pause } from 'node:timers/promises';
import { mongoService } from '../../helpers/mongo-service.js';
import { redisService } from '../../helpers/redis-service.js';
import type { Server } from './schedule.js';

export const serverNames: readonly Server[] = ['mongodb', 'redis'];

export interface BackingServer {
  readonly url: string;
  /**
   * Ends it at once, and starts it again after so many milliseconds: MongoDB on its data, Redis empty. Null for one
   * that was there before the test.
   */
  readonly restart: ((awayMs: number) => Promise<void>) | null;
  stop(): Promise<void>;
}

export type Servers = Readonly<Record<Server, BackingServer>>;

/** Null where one of them can neither be reached nor started. */
export async function startServers(): Promise<Servers | null> {
  const mongo = await mongoService();
  if (mongo === null) return null;
  const redis = await redisService();
  if (redis === null) {
    await mongo.stop();
    return null;
  }
  const url = mongo.freshUrl();
  const ends = (own: { kill(): Promise<void>; start(): Promise<void> } | null): BackingServer['restart'] =>
    own &&
    (async (ms) => {
      await own.kill();
      await pause(ms);
      await own.start();
    });
  return {
    mongodb: {
      url,
      restart: ends(mongo.own),
      stop: async () => {
        await mongo.drop(url);
        await mongo.stop();
      },
    },
    redis: { url: redis.url, restart: ends(redis.own), stop: () => redis.stop() },
  };
}
