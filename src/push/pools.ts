/**
 * Connections, kept open for the next push.
 *
 *  PushPools.P1 A connection goes to one of the addresses that its pool was made for, whatever DNS says meanwhile; name
 *     and certificate are those of the URL's host.
 *  PushPools.P2 A pool serves one origin and one set of addresses: a push never travels on a connection to an address
 *     that its own check has not given out.
 *  PushPools.P3 A connection carries one push at a time. It comes back for the next one only after an answer that was
 *     read to its end; every other is closed, with whatever was still to be done on it.
 *  PushPools.P4 Beyond `maxPools` the pools used longest ago are dropped, once none of their connections is in use. A
 *     connection that is idle for seconds is closed.
 *
 * undici's own Pool is not used: after a request was given up it opens a new connection at once, for nobody.
 */
import type { LookupFunction } from 'node:net';
import { Client } from 'undici';
import type { Address } from './guard.js';

export interface PoolsOptions {
  connectTimeoutMs: number;
  maxPools: number;
  /** Certificates to trust instead of Node's own. */
  ca?: string;
}

export interface Connection {
  readonly client: Client;
  /** Hands it back, once; `usable` as PushPools.P3 says. */
  done(usable: boolean): void;
}

/** `idle`: the one used last is used next, so that the others can end. */
interface Pool {
  idle: Client[];
  inUse: Set<Client>;
}

export class Pools {
  /** Used longest ago first. */
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly options: PoolsOptions) {}

  take(origin: string, addresses: readonly Address[]): Connection {
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

  /** Ends all connections; what is on its way fails. */
  async close(): Promise<void> {
    const clients = [...this.pools.values()].flatMap((pool) => [...pool.idle, ...pool.inUse]);
    this.pools.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }

  get size(): number {
    return this.pools.size;
  }

  private connect(origin: string, addresses: readonly Address[]): Client {
    const { connectTimeoutMs: timeout, ca } = this.options;
    return new Client(origin, {
      pipelining: 1,
      // the whole try has one time limit, which is not undici's to keep
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
  client.destroy().catch(() => undefined); // whoever used it has its error already
}

/** Answers with what was checked, whoever asks for what (PushPools.P1). */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
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
