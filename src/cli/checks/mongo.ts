/** MongoDB, as the store needs it: version, credentials, whose database it is, its schema, its indexes, its clock. */
import type { Config } from '../../config.js';
import { checkMongo } from '../../store/mongo/check.js';
import type { Finding } from './finding.js';

export async function checkMongoServer({ mongodbUrl }: Config): Promise<Finding[]> {
  return mongodbUrl === null
    ? []
    : (await checkMongo(mongodbUrl)).map((finding) => ({ ...finding, subject: 'mongodb' }));
}
