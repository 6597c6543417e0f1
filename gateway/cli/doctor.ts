/**
 * `hivekeep doctor`: prints one line for each check, `ok`, `warn` or `fail`, with advice unless it is ok. The exit code
 * is 1 if any check fails. Apart from a temporary file in the data folder it changes nothing. If data is in MongoDB, it
 * checks MongoDB and Redis instead of the folder. `deep` also reads all data of the embedded store.
 */
import { existsSync } from 'node:fs';
import { configWarnings, type Config } from '../../src/config/config.js';
import { readCardKeys } from './card-keys.js';
import { checkClock } from './checks/clock.js';
import { checkDataFolder } from './checks/data.js';
import { checkCluster } from './checks/cluster.js';
import { findingsAbout, type Finding } from './checks/finding.js';
import { checkImports } from './checks/imports.js';
import { checkModels } from './checks/models.js';
import { checkPort } from './checks/port.js';
import { checkRedis } from '../../src/redis/check.js';
import { checkMongo } from '../../src/store/mongo/check.js';
import { sentences } from './failure.js';
import type { Io } from './io.js';
import { exposedSecrets } from './secret-file.js';
import { readTlsFiles } from './tls-files.js';

type Check = (config: Config) => Promise<Finding[]>;

/** By subject, in the order of output. */
const checksFor = ({ mongodbUrl, redisUrl }: Config, deep: boolean): Readonly<Record<string, Check>> =>
  mongodbUrl === null || redisUrl === null
    ? {
        configuration: checkConfig,
        data: (config) => checkDataFolder(config, deep),
        port: checkPort,
        clock: checkClock,
        imports: (config) => checkImports(config),
        models: checkModels,
      }
    : {
        configuration: checkConfig,
        mongodb: async () => (await checkMongo(mongodbUrl)).map((finding) => ({ ...finding, subject: 'mongodb' })),
        redis: async () => (await checkRedis(redisUrl)).map((finding) => ({ ...finding, subject: 'redis' })),
        cluster: checkCluster,
        port: checkPort,
        clock: checkClock,
        imports: (config) => checkImports(config),
        models: checkModels,
      };

export async function doctor(readConfig: () => Config, io: Io, deep = false): Promise<number> {
  let failed = false;
  const report = ({ level, subject, text }: Finding): void => {
    failed ||= level === 'fail';
    io.out(`${level.padEnd(4)}  ${subject}: ${text}`);
  };
  report(findingsAbout('node').ok(`${process.version} on ${process.platform} ${process.arch}`));
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    for (const text of sentences(error)) report(fail(text));
    return 1;
  }
  for (const [subject, check] of Object.entries(checksFor(config, deep))) {
    // unreachable servers have been reported already
    if (subject === 'cluster' && failed) continue;
    for (const finding of await attempt(subject, check, config)) report(finding);
  }
  return failed ? 1 : 0;
}

/** An exception in a check becomes a finding, and does not skip the other checks. */
async function attempt(subject: string, check: Check, config: Config): Promise<Finding[]> {
  try {
    return await check(config);
  } catch (error) {
    return [findingsAbout(subject).fail(sentences(error).join(' '))];
  }
}

const { ok, warn, fail } = findingsAbout('configuration');

async function checkConfig(config: Config): Promise<Finding[]> {
  const findings = [...configWarnings(config), ...exposedSecrets(config)].map(warn);
  try {
    const tls = readTlsFiles(config);
    return [
      ...findings,
      ok(`every setting is known and valid${tls ? '; certificate and key belong together' : ''}`),
      ...cardKey(config),
    ];
  } catch (error) {
    return [...findings, ...sentences(error).map(fail)];
  }
}

/** Throws Failure if the file holds no key that signs agent cards. */
function cardKey({ cardKeyFile, mongodbUrl }: Config): Finding[] {
  if (cardKeyFile === null) return [];
  if (mongodbUrl === null && !existsSync(cardKeyFile))
    return [ok(`${cardKeyFile} does not exist yet; the first start makes the key of agent cards`)];
  const { length } = readCardKeys(cardKeyFile);
  return [ok(`${cardKeyFile} holds ${length} ${length === 1 ? 'key' : 'keys'} of agent cards`)];
}
