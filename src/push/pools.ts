/**
 * Keep-alive connection pools for pushes.
 *
 *  - A connection goes to one of the addresses that its pool was created for, whatever DNS says meanwhile; host name
 *    and certificate are those of the URL's host.
 *  PushPools.P2 A pool serves one origin and one set of addresses: a push never uses a connection to an address that
 *     its own check has not returned.
 *  - A connection carries one push at a time. It is reused only after a response that was read to its end; otherwise
 *    it is closed together with anything pending on it.
 *  - Beyond `maxPools` the least recently used pools are dropped once none of their connections is in use. A
 *    connection that is idle for some seconds is closed.
 *
 * undici's own Pool is not used, because after a cancelled request it opens a replacement connection at once.
 */
import type { LookupFunction } from 'node:net';
import { Client } from 'undici';
import type { ResolvedAddress } from './guard.js';

export interface PoolsOptions {
  connectTimeoutMs: number;
  maxPools: number;
  /** Certificates to trust instead of Node's own. */
  ca?: string;
}

export interface PooledConnection {
  readonly client: Client;
  /** Returns the connection to the pool, once; `usable` says whether another push may use it. */
  done(usable: boolean): void;
}

/** `idle` is a stack, so that rarely needed connections time out. */
interface Pool {
  idle: Client[];
  inUse: Set<Client>;
}

export class Pools {
  /** Least recently used first. */
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly options: PoolsOptions) {}

  take(origin: string, addresses: readonly ResolvedAddress[]): PooledConnection {
    const key = `${origin} ${addresses.map((a) => a.address).join(' ')}`;
    const pool = this.pools.get(key) ?? { idle: [], inUse: new Set() };
    this.pools.delete(key);
    this.pools.set(key, pool);
    const client = pool.idle.pop() ?? this.connect(origin, addresses);
    pool.inUse.add(client);
    this.dropOldest();
    return {
      client,
      done: (usable) => {
        if (!pool.inUse.delete(client)) return;
        if (usable && this.pools.get(key) === pool) pool.idle.push(client);
        else discard(client);
      },
    };
  }

  /** Closes all connections; pushes in progress fail. */
  async close(): Promise<void> {
    const clients = [...this.pools.values()].flatMap((pool) => [...pool.idle, ...pool.inUse]);
    this.pools.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }

  get size(): number {
    return this.pools.size;
  }

  private connect(origin: string, addresses: readonly ResolvedAddress[]): Client {
    const { connectTimeoutMs: timeout, ca } = this.options;
    return new Client(origin, {
      pipelining: 1,
      // the attempt as a whole has a time limit, which is enforced elsewhere
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 10_000,
      connect: { lookup: pinned(addresses), autoSelectFamily: true, timeout, ...(ca !== undefined && { ca }) },
    });
  }

  private dropOldest(): void {
    for (const [key, pool] of this.pools) {
      if (this.pools.size <= this.options.maxPools) return;
      if (pool.inUse.size > 0) continue;
      this.pools.delete(key);
      for (const client of pool.idle) discard(client);
    }
  }
}

function discard(client: Client): void {
  client.destroy().catch(() => undefined); // the user of the connection has the error already
}

/** A DNS look-up that returns the checked addresses for any name. */
const pinned =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_host, options, done) => {
    if (options.all) {
      done(
        null,
        addresses.map(({ address, family }) => ({ address, family })),
      );
      return;
    }
    const [first] = addresses;
    done(first ? null : new Error('no address'), first?.address ?? '', first?.family);
  };
