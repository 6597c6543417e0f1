/**
 * The placement port: which process serves which shard. Adapter: leased-placement.ts. A lease is only an optimisation,
 * because the store's compare-and-set decides: two processes that both believe that they hold a shard waste time, but
 * never break consistency.
 */
export interface ShardOwner {
  readonly instance: string;
  /**
   * Incremented in the database with every acquisition, so it never goes back: the owner with the higher epoch is the
   * later one.
   */
  readonly epoch: number;
}

/** A live process of the cluster, as it describes itself with each heartbeat. */
export interface Member {
  readonly instance: string;
  readonly role: 'all' | 'gateway' | 'worker';
  readonly draining: boolean;
  /** host, pid, version, start time, for people; and `embeddings`, the model that makes its vectors, if one does. */
  readonly about: Readonly<Record<string, string | number>>;
  /** Statistics for people: shards held, actors in memory, messages waiting, takeovers and others. */
  readonly stats: Readonly<Record<string, number>>;
}

export interface Placement {
  /** The owner of the shard as far as this process knows; null if there is none. */
  ownerOf(shard: number): ShardOwner | null;
  /** Whether this process may serve the shard: its lease is valid by the monotonic and the wall clock. */
  holds(shard: number): boolean;
  /** The shards that this process holds. */
  held(): readonly number[];
  /**
   * The known placement may be outdated (a refusal, an unreachable target): read it again soon. Many calls cause one
   * read.
   */
  refresh(): void;
  /** Notifies of changes of the table. Returns a function that ends the subscription. */
  onChange(listener: () => void): () => void;
  /** Live processes, including this one. */
  members(): readonly Member[];
  /** Null if the table is kept up to date, and otherwise a sentence that describes the problem. */
  problem(): string | null;
}

/** Runs the shards of a worker. */
export interface ShardHost {
  /** This process now owns the shards. Returns at once. */
  acquired(shards: readonly number[]): void;
  /**
   * Another process is to own the shards: stops their actors and resolves when none is in memory. Until then they are
   * still held, and served as far as possible. Must resolve.
   */
  handOver(shards: readonly number[]): Promise<void>;
  /** Whether handing the shard over would have to wait for work in progress. Shards that need not wait go first. */
  busy(shard: number): boolean;
  /** This process no longer owns the shards (the lease expired, or was lost with Redis): drops their actors at once. */
  lost(shards: readonly number[]): void;
}
