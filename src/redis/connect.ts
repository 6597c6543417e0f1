/** Connections to Redis: one server, or a Redis Cluster where several URLs are given. */
import { Cluster, Redis } from 'ioredis';

export type RedisClient = Redis | Cluster;

/** `url` is redis:// or rediss://, or several of them separated by commas for a Redis Cluster. `name` is shown in CLIENT LIST. */
export function connectRedis(url: string, name: string): RedisClient {
  const urls = url.split(',').map((u) => u.trim());
  const options = { connectionName: name, enableAutoPipelining: true, maxRetriesPerRequest: 0 } as const;
  return urls.length > 1 ? new Cluster(urls, { redisOptions: options }) : new Redis(urls[0] ?? url, options);
}
