/** The placement of a cluster with leases in Redis (leased-placement.ts over leases.ts). */
import type { RedisClient } from '../../redis/connect.js';
import { createLeasedPlacement, type PlacementOptions, type RunningPlacement } from '../leased-placement.js';
import { redisLeases } from './leases.js';

export interface RedisPlacementOptions extends PlacementOptions {
  client: RedisClient;
  /** A dedicated connection for notices. */
  subscriber: RedisClient;
  /** The prefix of all keys of the cluster. */
  prefix: string;
}

/** Does not close the connections. */
export function createRedisPlacement(options: RedisPlacementOptions): RunningPlacement {
  return createLeasedPlacement(redisLeases(options.client, options.subscriber, options.prefix), options);
}
