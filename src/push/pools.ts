/**
 * Connections, kept open for the next push.
 *
 *  P1 A connection goes to one of the addresses that its pool was made for, whatever DNS says meanwhile; name and
 *     certificate are those of the URL's host.
 *  P2 A pool serves one origin and one set of addresses: a push never travels on a connection to an address that its
 *     own check has not given out.
 *  P3 Beyond `maxPools` the ones used longest ago are closed, once nothing is on its way in them. Within a pool a
 *     connection that is idle for seconds is closed.
 */
import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import type { Address } from './guard.js';

export interface PoolsOptions {
  connectTimeoutMs: number;
  connectionsPerPool: number;
  maxPools: number;
  /** Certificates to trust instead of Node's own. */
  ca?: string;
}

export class Pools {
  /** Used longest ago first. */
  private readonly open = new Map<string, Pool>();

  constructor(private readonly options: PoolsOptions) {}

  for(origin: string, addresses: readonly Address[]): Pool {
    const key = `${origin} ${addresses.map((a) => a.address).join(' ')}`;
    const pool = this.open.get(key) ?? this.make(origin, addresses);
    this.open.delete(key);
    this.open.set(key, pool);
    if (this.open.size > this.options.maxPools) this.closeIdle(key);
    return pool;
  }

  /** Ends all connections; what is on its way fails. */
  async close(): Promise<void> {
    const pools = [...this.open.values()];
    this.open.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  get size(): number { return this.open.size; }

  private make(origin: string, addresses: readonly Address[]): Pool {
    const { connectTimeoutMs: timeout, connectionsPerPool: connections, ca } = this.options;
    return new Pool(origin, {
      connections, pipelining: 1,
      // the whole try has one time limit, which is not undici's to keep
      headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4000, keepAliveMaxTimeout: 10_000,
      connect: { lookup: pinned(addresses), autoSelectFamily: true, timeout, ...(ca !== undefined && { ca }) },
    });
  }

  private closeIdle(current: string): void {
    for (const [key, pool] of this.open) {
      if (this.open.size <= this.options.maxPools) return;
      if (key === current || pool.stats.size > 0) continue;
      this.open.delete(key);
      pool.close().catch(() => undefined); // nothing is on its way in it that could fail
    }
  }
}

/** Answers with what was checked, whoever asks for what (P1). */
const pinned = (addresses: readonly Address[]): LookupFunction => (_host, options, done) => {
  if (options.all) { done(null, addresses.map(({ address, family }) => ({ address, family }))); return; }
  const [first] = addresses;
  done(first ? null : new Error('no address'), first?.address ?? '', first?.family);
};
