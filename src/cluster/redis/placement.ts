/** The placement of a cluster: leases in Redis (leased-placement.ts over leases.ts). */
import type { RedisClient } from '../../redis/connect.js';
import { createLeasedPlacement, type PlacementOptions, type RunningPlacement } from '../leased-placement.js';
import { redisLeases } from './leases.js';

export interface RedisPlacementOptions extends PlacementOptions {
  client: RedisClient;
  /** A connection of its own, for notices. */
  subscriber: RedisClient;
  /** What all keys of the cluster begin with. */
  prefix: string;
}

/** Closes neither connection. */
export function createRedisPlacement(options: RedisPlacementOptions): RunningPlacement {
  return createLeasedPlacement(redisLeases(options.client, options.subscriber, options.prefix), options);
}
