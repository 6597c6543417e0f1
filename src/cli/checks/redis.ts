/** Redis, as a cluster needs it: what it says of itself, its clock, and what this user may do there. */
import type { Config } from '../../config.js';
import { checkRedis } from '../../redis/check.js';
import type { Finding } from './finding.js';

export async function checkRedisServer({ redisUrl }: Config): Promise<Finding[]> {
  return redisUrl === null ? [] : (await checkRedis(redisUrl)).map((finding) => ({ ...finding, subject: 'redis' }));
}
