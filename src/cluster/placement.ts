/**
 * The placement port: which process serves which shard. Adapter: `redis/` (leases). A lease
 * only optimises, the store's compare-and-set decides: two processes that both believe to hold a shard cost time and
 * nothing else.
 */
export interface Owner {
  readonly instance: string;
  /** Counted in the database with every acquisition, so that it never goes back: of two owners the higher is the later. */
  readonly epoch: number;
}

/** A live process of the cluster, as it describes itself with each heartbeat. */
export interface Member {
  readonly instance: string;
  readonly role: 'all' | 'gateway' | 'worker';
  readonly draining: boolean;
  /** host:pid, version, start; for people. */
  readonly about: Readonly<Record<string, string | number>>;
  /** Numbers for people: shards held, actors in memory, messages waiting, takeovers... */
  readonly stats: Readonly<Record<string, number>>;
}

export interface Placement {
  /** Who serves the shard as far as this process knows; null while nobody does. */
  ownerOf(shard: number): Owner | null;
  /** Whether this process may serve the shard: it holds the lease by the monotonic and by the wall clock. */
  holds(shard: number): boolean;
  /** The shards that this process holds. */
  held(): readonly number[];
  /** What is known may be old (a refusal, a target that is gone): look again soon. Many calls at a time are one look. */
  refresh(): void;
  /** Tells when the table has changed. The returned function ends it. */
  onChange(listener: () => void): () => void;
  /** Live processes, this one included. */
  members(): readonly Member[];
  /** Whether the table is being kept up to date; a sentence where not. */
  problem(): string | null;
}

/** What a worker does with its shards. */
export interface ShardHost {
  /** They are this process's now. Returns at once. */
  acquired(shards: readonly number[]): void;
  /** Somebody else is to have them: ends what runs in them and resolves when nothing of them is in memory. They are still held, and served as far as they can, until then. Must resolve. */
  handOver(shards: readonly number[]): Promise<void>;
  /** Whether handing it over would have to wait for work in progress: those that need not wait go first. */
  busy(shard: number): boolean;
  /** They are not this process's any more (the lease ran out, or was lost with Redis): drop everything at once. */
  lost(shards: readonly number[]): void;
}
