/** Checks Redis for use by a cluster: its configuration, its clock, and the permissions of the configured user. */
import type { Config } from '../../config.js';
import { checkRedis } from '../../redis/check.js';
import type { Finding } from './finding.js';

export async function checkRedisServer({ redisUrl }: Config): Promise<Finding[]> {
  return redisUrl === null ? [] : (await checkRedis(redisUrl)).map((finding) => ({ ...finding, subject: 'redis' }));
}
