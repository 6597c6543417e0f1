/**
 * Checks whether a Redis is usable for a cluster. `doctor` and the start of a process both use it, so they agree. Every
 * finding is one sentence: the state, or the problem and what to do. None contains a password.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { compareClocks } from '../clock-skew.js';
import { urlsOf } from './connect.js';
import { failureSentence, isAway, serversOf } from './failure.js';

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

/** Checks all servers in the URL. Never rejects; changes nothing. */
export async function checkRedis(url: string, options: CheckRedis = {}): Promise<RedisFinding[]> {
  const urls = urlsOf(url);
  if (urls.length === 0) return [fail('HIVEKEEP_REDIS_URL names no server: set it to redis://host:port.')];
  return (await Promise.all(urls.map((one) => checkServer(one, urls.length > 1, options)))).flat();
}

const ok = (text: string): RedisFinding => ({ level: 'ok', text });
const warn = (text: string): RedisFinding => ({ level: 'warn', text });
const fail = (text: string): RedisFinding => ({ level: 'fail', text });

async function checkServer(
  url: string,
  asCluster: boolean,
  { now = Date.now, patienceMs = 3000 }: CheckRedis,
): Promise<RedisFinding[]> {
  const server = serversOf(url);
  if (!isRedisUrl(url))
    return [
      fail('HIVEKEEP_REDIS_URL is not of the form redis://user:password@host:port (or rediss:// for TLS): correct it.'),
    ];
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
    connectionName: 'hivekeep-check',
  });
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
    return [{ ...fail(failureSentence(cause, server)), ...(isAway(cause) && { away: true }) }];
  } finally {
    redis.disconnect();
  }
}

function isRedisUrl(url: string): boolean {
  try {
    const { protocol, hostname } = new URL(url);
    return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '';
  } catch {
    return false;
  }
}

/** The fields of INFO, by name. */
async function facts(redis: Redis): Promise<Map<string, string>> {
  const lines = (await redis.info()).split('\r\n').filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}

function about(info: ReadonlyMap<string, string>, server: string, asCluster: boolean): RedisFinding[] {
  const version = info.get('redis_version') ?? 'unknown';
  const clustered = info.get('cluster_enabled') === '1';
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  const findings = [
    parseInt(version, 10) >= oldestMajor
      ? ok(`Redis ${version} at ${server} answers.`)
      : fail(
          `Redis at ${server} is version ${version}, and hivekeep needs ${oldestMajor}.0 or newer (sharded pub/sub): upgrade it.`,
        ),
  ];
  if (clustered && !asCluster)
    findings.push(
      fail(
        `Redis at ${server} is part of a Redis Cluster: name several of its servers in HIVEKEEP_REDIS_URL, separated by commas.`,
      ),
    );
  if (!clustered && asCluster)
    findings.push(
      fail(
        `Redis at ${server} is no part of a Redis Cluster, but HIVEKEEP_REDIS_URL names several servers: name one, or servers of a cluster.`,
      ),
    );
  if (info.get('role') === 'slave' && !clustered)
    findings.push(
      fail(`Redis at ${server} is a replica, which takes no writes: name its primary in HIVEKEEP_REDIS_URL.`),
    );
  if (policy !== 'noeviction')
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
