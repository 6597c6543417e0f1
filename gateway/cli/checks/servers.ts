/**
 * Checks the servers below. MongoDB: version, credentials, ownership of the database, schema, indexes, clock. Redis:
 * its configuration, its clock, and the permissions of the configured user.
 */
import type { Config } from '../../../src/config/config.js';
import { checkRedis } from '../../../src/redis/check.js';
import { checkMongo } from '../../../src/store/mongo/check.js';
import type { Finding } from './finding.js';

export async function checkMongoServer({ mongodbUrl }: Config): Promise<Finding[]> {
  return mongodbUrl === null
    ? []
    : (await checkMongo(mongodbUrl)).map((finding) => ({ ...finding, subject: 'mongodb' }));
}

export async function checkRedisServer({ redisUrl }: Config): Promise<Finding[]> {
  return redisUrl === null ? [] : (await checkRedis(redisUrl)).map((finding) => ({ ...finding, subject: 'redis' }));
}
