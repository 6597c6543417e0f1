/**
 * The configuration, which is read from the environment, checked and frozen once, at the start. Nothing else in
 * hivekeep reads the environment.
 *
 *  - Every name that starts with HIVEKEEP_ is known, or the start stops with a sentence that names it.
 *  - Every value is what its setting expects, or the start stops with a sentence that names the setting.
 *  - No sentence, and nothing else that is printed, contains the value of a secret setting.
 *  - The returned configuration is immutable.
 *
 * A variable that is set but empty counts as absent, because compose files and shells produce such variables.
 */
import { isIP } from 'node:net';
import { Bad } from './parse.js';
import { nearest } from '../domain/shared/text-forms.js';
import { envName, envPrefix, keyByEnvName, settings, type SettingKey, type Settings } from './settings.js';

type Values = { -readonly [K in SettingKey]: Settings[K]['default'] };
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Config extends Readonly<Omit<Values, 'logFormat'>> {
  readonly logFormat: 'json' | 'pretty';
  /** Whether `host` is a loopback address or name. Plain HTTP is served only on loopback. */
  readonly loopback: boolean;
}

/** The configuration cannot be used; each problem is a sentence that names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(problems.join(' '));
  }
}

/**
 * Reads all settings; `terminal` tells whether standard error is a terminal. Throws ConfigError with all problems, not
 * only the first.
 */
export function loadConfig(environment: Environment, terminal: boolean): Config {
  const problems = unknownNames(environment);
  const values: Record<string, unknown> = {};
  for (const [name, key] of keyByEnvName) {
    const text = environment[name]?.trim() ?? '';
    const value = text === '' ? settings[key].default : settings[key].parse(text);
    if (value instanceof Bad) problems.push(`${name} ${value.expected}.`);
    else values[key] = Array.isArray(value) ? Object.freeze(value) : value;
  }
  if (problems.length) throw new ConfigError(problems);
  const read = values as Values;
  problems.push(...contradictions(read, (key) => (environment[envName(key)]?.trim() ?? '') !== ''));
  if (problems.length) throw new ConfigError(problems);
  return Object.freeze({
    ...read,
    logFormat: read.logFormat ?? (terminal ? 'pretty' : 'json'),
    loopback: isLoopback(read.host),
  });
}

function unknownNames(environment: Environment): string[] {
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith(envPrefix) && !keyByEnvName.has(name))
    .sort();
  return unknown.map((name) => {
    const meant = nearest(
      name.slice(envPrefix.length),
      [...keyByEnvName.keys()].map((n) => n.slice(envPrefix.length)),
    );
    return `${name} is not a setting of hivekeep${meant ? `; did you mean ${envPrefix}${meant}?` : '; "hivekeep config" lists them.'}`;
  });
}

/** A commit contains the data of a request, and a MongoDB document is limited to 16 MiB. */
const mostBodyInMongo = 4 * 1024 * 1024;

/** `given` tells whether a setting was set explicitly: a setting must not be refused because of its default. */
function contradictions(values: Values, given: (key: SettingKey) => boolean): string[] {
  const problems: string[] = [];
  for (const [one, other] of [
    ['tlsCert', 'tlsKey'],
    ['mongodbUrl', 'redisUrl'],
  ] as const) {
    if (values[one] === null && values[other] !== null)
      problems.push(`${envName(other)} needs ${envName(one)} as well.`);
    if (values[one] !== null && values[other] === null)
      problems.push(`${envName(one)} needs ${envName(other)} as well.`);
  }
  if (values.secretKey !== null && values.secretKeyFile !== null)
    problems.push(`${envName('secretKey')} and ${envName('secretKeyFile')} are both set: unset one of them.`);
  if (values.oauthWorkspace !== null && values.oauthIssuer === null)
    problems.push(`${envName('oauthWorkspace')} needs ${envName('oauthIssuer')} as well.`);
  if (values.oauthWorkspace !== null && values.oauthAudience === null && values.publicUrl === null)
    problems.push(`${envName('oauthWorkspace')} needs ${envName('oauthAudience')} or ${envName('publicUrl')} as well.`);
  if (values.mongodbUrl === null && values.shards !== null)
    problems.push(`${envName('shards')} needs ${envName('mongodbUrl')}: the embedded store has no shards.`);
  if (values.mongodbUrl !== null) problems.push(...againstMongo(values, given));
  else if (values.role !== 'all' && values.redisUrl === null)
    problems.push(`${envName('role')}=${values.role} needs ${envName('mongodbUrl')} and ${envName('redisUrl')}.`);
  return problems;
}

function againstMongo({ bodyMaxBytes }: Values, given: (key: SettingKey) => boolean): string[] {
  const mongo = envName('mongodbUrl');
  const problems: string[] = [];
  if (given('dataDir'))
    problems.push(
      `${envName('dataDir')} and ${mongo} are both set, but data is in one or the other: unset one of them.`,
    );
  if (bodyMaxBytes > mostBodyInMongo)
    problems.push(`${envName('bodyMaxBytes')} must be at most ${mostBodyInMongo} with ${mongo}.`);
  return problems;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Returns a sentence for each setting that is allowed but probably a mistake. */
export function configWarnings(config: Config): string[] {
  const warnings: string[] = [];
  if (config.role === 'worker' || config.loopback || config.tlsCert !== null) return warnings;
  if (config.plainHttp === 'true') {
    warnings.push(
      `HIVEKEEP_PLAIN_HTTP serves plain HTTP on ${config.host}: whoever can read that network reads the keys. Publish the port on a loopback address alone.`,
    );
  } else if (config.trustedProxies.length === 0) {
    warnings.push(
      `HIVEKEEP_HOST=${config.host} is not a loopback address, so every request will be refused as HTTPS_REQUIRED: set HIVEKEEP_TLS_CERT and HIVEKEEP_TLS_KEY, or HIVEKEEP_TRUSTED_PROXIES; or HIVEKEEP_PLAIN_HTTP=true in a container whose port only its own host reaches.`,
    );
  }
  return warnings;
}
