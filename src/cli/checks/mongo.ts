/** Checks MongoDB as a store: version, credentials, ownership of the database, schema, indexes, clock. */
import type { Config } from '../../config.js';
import { checkMongo } from '../../store/mongo/check.js';
import type { Finding } from './finding.js';

export async function checkMongoServer({ mongodbUrl }: Config): Promise<Finding[]> {
  return mongodbUrl === null
    ? []
    : (await checkMongo(mongodbUrl)).map((finding) => ({ ...finding, subject: 'mongodb' }));
}
