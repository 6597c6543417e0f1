/**
 * Checks whether a Redis is usable for a cluster. `doctor` and the start of a process both use it, so they agree. Every
 * finding is one sentence: the state, or the problem and what to do. None contains a password.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { compareClocks } from '../base/clock-skew.js';
import { clusterUrl, isClusterUrl, urlsOf } from './connect.js';
import { failureSentence, isRedisAway, serversOf } from './failure.js';

export interface RedisFinding {
  level: 'ok' | 'warn' | 'fail';
  text: string;
  /** The server could not be reached, or is not ready yet. */
  away?: boolean;
}

export interface CheckRedis {
  /** The wall clock, ms. */
  now?: () => number;
  /** How long a server has to answer, ms. */
  patienceMs?: number;
}

const oldestMajor = 7;

/** Checks all servers in the URL, which the configuration has parsed. Never rejects; changes nothing. */
export async function checkRedis(url: string, options: CheckRedis = {}): Promise<RedisFinding[]> {
  return (await Promise.all(urlsOf(url).map((one) => checkServer(one, isClusterUrl(url), options)))).flat();
}

/**
 * The URL to connect with: where the one server in `url` belongs to a Redis Cluster, which is what the configuration
 * endpoint of a cluster leads to, that of the cluster. Rejects if the server does not answer.
 */
export async function redisUrlFor(url: string): Promise<string> {
  if (isClusterUrl(url)) return url;
  const redis = briefly(url, 3000);
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return (await facts(redis)).mode === 'cluster' ? clusterUrl(url) : url;
  } finally {
    redis.disconnect();
  }
}

/** A connection that is tried once. */
const briefly = (url: string, patienceMs: number): Redis =>
  new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
    connectionName: 'hivekeep-check',
    enableReadyCheck: false,
  });

const ok = (text: string): RedisFinding => ({ level: 'ok', text });
const warn = (text: string): RedisFinding => ({ level: 'warn', text });
const fail = (text: string): RedisFinding => ({ level: 'fail', text });

async function checkServer(
  url: string,
  asCluster: boolean,
  { now = Date.now, patienceMs = 3000 }: CheckRedis,
): Promise<RedisFinding[]> {
  const server = serversOf(url);
  const redis = briefly(url, patienceMs);
  let reason: unknown = null;
  redis.on('error', (error) => {
    reason = error;
  });
  try {
    await redis.connect();
    const findings = [...about(await facts(redis), server, asCluster), await clock(redis, server, now)];
    return findings.some(({ level }) => level === 'fail')
      ? findings
      : [...findings, ...(await permissions(redis, server))];
  } catch (error) {
    const cause = reason ?? error;
    return [{ ...fail(failureSentence(cause, server)), ...(isRedisAway(cause) && { away: true }) }];
  } finally {
    redis.disconnect();
  }
}

interface Facts {
  version: string;
  /** `standalone`, `cluster` or `sentinel`. */
  mode: string;
  isReplica: boolean;
  /** What happens when the memory is full; null where this user may not know. */
  policy: string | null;
}

/** HELLO is for every user, INFO only for those who may use dangerous commands. Before Redis 6 there is no HELLO. */
async function facts(redis: Redis): Promise<Facts> {
  const [hello, info] = await Promise.allSettled([redis.call('HELLO'), redis.info()]);
  if (hello.status === 'rejected' && info.status === 'rejected') throw hello.reason;
  const told = hello.status === 'fulfilled' ? pairsOf(hello.value) : new Map<string, string>();
  const more = info.status === 'fulfilled' ? fieldsOf(info.value) : new Map<string, string>();
  return {
    version: told.get('version') ?? more.get('redis_version') ?? 'unknown',
    mode: told.get('mode') ?? more.get('redis_mode') ?? 'standalone',
    isReplica: told.get('role') === 'replica' || more.get('role') === 'slave',
    policy: more.get('maxmemory_policy') ?? null,
  };
}

const pairsOf = (flat: unknown): Map<string, string> => {
  const items = Array.isArray(flat) ? (flat as unknown[]) : Object.entries(flat as object).flat();
  return new Map(Array.from({ length: items.length / 2 }, (_, i) => [String(items[2 * i]), String(items[2 * i + 1])]));
};
const fieldsOf = (info: string): Map<string, string> =>
  new Map(
    info
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );

function about({ version, mode, isReplica, policy }: Facts, server: string, asCluster: boolean): RedisFinding[] {
  const clustered = mode === 'cluster';
  const findings = [
    parseInt(version, 10) >= oldestMajor
      ? ok(`Redis ${version} at ${server} answers.`)
      : fail(
          `Redis at ${server} is version ${version}, and hivekeep needs ${oldestMajor}.0 or newer (sharded pub/sub): upgrade it.`,
        ),
  ];
  if (!clustered && asCluster)
    findings.push(
      fail(
        `Redis at ${server} is no part of a Redis Cluster, but HIVEKEEP_REDIS_URL names several servers: name one, or servers of a cluster.`,
      ),
    );
  if (isReplica && !clustered)
    findings.push(
      fail(`Redis at ${server} is a replica, which takes no writes: name its primary in HIVEKEEP_REDIS_URL.`),
    );
  if (policy !== null && policy !== 'noeviction')
    findings.push(
      warn(
        `Redis at ${server} may drop keys when its memory is full (maxmemory-policy ${policy}): set it to noeviction, or limits are forgotten and shards change hands.`,
      ),
    );
  return findings;
}

const clock = (redis: Redis, server: string, now: () => number): Promise<RedisFinding> =>
  compareClocks(
    `Redis at ${server}`,
    async () => {
      const [seconds, micros] = await redis.time();
      return Number(seconds) * 1000 + Number(micros) / 1000;
    },
    now,
  );

/** The user of an ACL may lack permissions: tries one command of each kind, with an unused key. */
async function permissions(redis: Redis, server: string): Promise<RedisFinding[]> {
  const key = `hk:check:${randomUUID()}`;
  try {
    await redis.spublish(key, '');
    await redis.eval('return redis.call("EXISTS", KEYS[1])', 1, key);
    await redis.xread('STREAMS', key, '0');
    return [];
  } catch (error) {
    // another server of the cluster owns the key
    if (error instanceof Error && error.message.startsWith('MOVED')) return [];
    return [fail(failureSentence(error, server))];
  }
}
