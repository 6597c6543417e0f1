/**
 * Connections to Redis: one server, or a cluster if the URL has a comma (several servers, or `clusterUrl` of one).
 *
 * Invariants
 *  RedisConnect.C1 A command is sent once. If its response is lost with the connection, it rejects and is never
 *     repeated by the client: it may or may not have taken effect. (In a Redis Cluster a server that redirects a
 *     command has not executed it.)
 *  RedisConnect.C2 A command settles within `commandTimeoutMs`, even if the server hangs or is unreachable. A
 *     connection with pending commands on which nothing arrives is replaced after `silenceMs`.
 *  RedisConnect.C3 An outage is logged once when it begins and once when it ends. No log line, and no error that
 *     reaches a caller, contains a password.
 *  - A client of a Redis Cluster recovers a master that was killed and came back without its data, under any load, and
 *    throws nothing outside its calls. It therefore never pipelines automatically: ioredis redirects a pipeline only
 *    if all of its MOVED answers are equal, and throws out of a timer while a slot is unassigned.
 *  RedisConnect.C5 A server that takes no writes (a primary that became a replica, or one that still loads its data) is
 *     left, and the address is asked anew, until a write is taken; the log says so once. A connection that only reads
 *     or listens would not notice, so it leaves when one that writes does: a client emits `refused` for that.
 *  - In a Redis Cluster, names of servers are connected to as names, so that certificates for names hold.
 * Commands that users of an ACL often lack (the category @dangerous) are not used.
 * On failure it reconnects for ever, at least once a second. A command issued without a connection waits for the next
 * attempt and rejects if that fails.
 */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { backoffMs, type Backoff } from '../domain/shared/clock.js';
import { failureText, serversOf } from './failure.js';
import type { Logger } from '../telemetry/logger-port.js';

export type RedisClient = Redis | Cluster;
type Log = Pick<Logger, 'info' | 'warn'> | undefined;

const commandTimeoutMs = 5000;
const silenceMs = 6000;
const connectTimeoutMs = 5000;
const reconnect: Backoff = { firstMs: 100, longestMs: 1000, jitter: 0.5 };

export interface ConnectOptions {
  /**
   * Sends the commands of one turn together, and holds them back while others are in progress: higher throughput at a
   * slightly higher latency. Default true; never in a Redis Cluster.
   */
  autoPipelining?: boolean;
}

/**
 * `url` is redis:// or rediss://, or a comma-separated list of them for a Redis Cluster. `name` is shown in CLIENT
 * LIST.
 */
export function connectRedis(
  url: string,
  name: string,
  log?: Pick<Logger, 'info' | 'warn'>,
  { autoPipelining: enableAutoPipelining = true }: ConnectOptions = {},
): RedisClient {
  const urls = urlsOf(url);
  const fields = { connection: name, server: serversOf(urls.join()) };
  if (!isClusterUrl(url))
    return single(fields, log, (more) => new Redis(url, { ...connection(name), ...more, enableAutoPipelining }));
  const client = cluster(urls, name);
  watchNodes(client, fields, log);
  watch(client, fields, log);
  return client;
}

/** Whether the URL is that of a Redis Cluster, rather than of one server. */
export const isClusterUrl = (url: string): boolean => url.includes(',');
/** The URL of the Redis Cluster that the one server of `url` belongs to. */
export const clusterUrl = (url: string): string => `${url},`;

export const urlsOf = (url: string): string[] =>
  url
    .split(',')
    .map((u) => u.trim())
    .filter((u) => u !== '');

/**
 * A connection for subscriptions, which the caller renews each time it is `ready`: to the first server of `url`, or to
 * `server` (host:port) with the same credentials.
 */
export function connectSubscriber(
  url: string,
  server: string | null,
  name: string,
  log?: Pick<Logger, 'info' | 'warn'>,
): Redis {
  const first = urlsOf(url)[0] ?? url;
  const fields = { connection: name, server: server ?? serversOf(first) };
  // No offline queue, because the caller subscribes again on `ready`.
  const options = { ...connection(name), enableOfflineQueue: false };
  if (server === null) return single(fields, log, (more) => new Redis(first, { ...options, ...more }));
  const at = server.lastIndexOf(':');
  const redis = new Redis({
    ...options,
    ...credentials(first),
    retryStrategy,
    host: server.slice(0, at).replace(/^\[|\]$/g, ''),
    port: Number(server.slice(at + 1)),
  });
  watch(redis, fields, log);
  return redis;
}

const connection = (name: string) =>
  ({
    connectionName: name,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    socketTimeout: silenceMs,
    keepAlive: 10_000,
    enableReadyCheck: false, // it needs INFO; RedisConnect.C5 sees to a server that is not ready
  }) as const satisfies RedisOptions;

const retryStrategy = (times: number): number => backoffMs(reconnect, times, Math.random);

// Only configured servers have credentials in a URL; servers that the cluster announces get the first one's.
function cluster(urls: readonly string[], name: string): Cluster {
  return new Cluster([...urls], {
    dnsLookup: (name, found) => {
      found(null, name);
    },
    enableAutoPipelining: false,
    retryDelayOnFailover: 0,
    slotsRefreshTimeout: connectTimeoutMs,
    clusterRetryStrategy: (times) => retryStrategy(times),
    redisOptions: { ...connection(name), ...credentials(urls[0] ?? '') },
  });
}

function credentials(url: string): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  const { username, password, protocol } = new URL(url);
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}

/** A server that answers so takes no writes: it is a replica, or has no data yet. */
const refusal = /^(READONLY|LOADING|MASTERDOWN|UNBLOCKED)\b/;
/** No key has this name. Deleting it changes nothing, and is refused like any write. */
const noKey = 'hk:none';

/** A connection to one server, which it leaves while that takes no writes (RedisConnect.C5). */
function single(fields: object, log: Log, open: (options: RedisOptions) => Redis): Redis {
  let refusals = 0;
  let isLeaving = false;
  const redis = open({
    retryStrategy: (times) => retryStrategy(Math.max(times, refusals)),
    reconnectOnError: (error) => {
      if (!refusal.test(error.message)) return false;
      if (!isLeaving) {
        isLeaving = true;
        refusals++;
        lost(failureText(error));
        redis.emit('refused');
      }
      return true;
    },
  });
  const lost = watch(redis, fields, log, async () => {
    isLeaving = false;
    await redis.del(noKey).catch(strip); // a user who lacks the right to do so was not refused, either
    if (isLeaving) return false;
    refusals = 0;
    return true;
  });
  return redis;
}

/**
 * Logs the begin and end of an outage, and strips the command from errors, because that of a handshake contains the
 * password. `isOver` tells of a connection that was just made whether the outage is over. Returns a function that says
 * that there is an outage.
 */
function watch(
  client: RedisClient,
  fields: object,
  log: Log,
  isOver: () => Promise<boolean> = () => Promise.resolve(true),
): (reason: string) => void {
  let away = false;
  const lost = (reason: string): void => {
    if (!away)
      log?.warn(
        { ...fields, event: 'redis.unreachable', reason },
        'Redis cannot be reached; reconnecting until it can',
      );
    away = true;
  };
  client.on('error', (error: Error) => {
    strip(error);
    lost(failureText(error));
  });
  client.on('reconnecting', () => {
    lost('the connection was closed');
  });
  client.on('ready', () => {
    void isOver().then((over) => {
      if (!over || client.status !== 'ready') return;
      if (away) log?.info({ ...fields, event: 'redis.reconnected' }, 'Redis can be reached again');
      away = false;
    });
  });
  return lost;
}

/* Single servers of a cluster may be unreachable while the others serve. */
function watchNodes(client: Cluster, fields: object, log: Log): void {
  const away = new Set<string>();
  client.on('node error', (error: Error, node: string) => {
    strip(error);
    if (!away.has(node))
      log?.warn(
        { ...fields, event: 'redis.node_unreachable', node, reason: failureText(error) },
        'a server of the Redis Cluster cannot be reached',
      );
    away.add(node);
  });
  client.on('+node', (redis: Redis) => {
    const node = `${redis.options.host ?? ''}:${redis.options.port ?? ''}`;
    redis.on('ready', () => {
      if (away.delete(node))
        log?.info(
          { ...fields, event: 'redis.node_reconnected', node },
          'a server of the Redis Cluster can be reached again',
        );
    });
  });
}

const strip = (error: Error & { command?: unknown }): void => {
  delete error.command;
};
