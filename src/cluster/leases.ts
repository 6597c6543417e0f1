/**
 * The lease table port: the state in Redis of which processes are alive and which shards they hold. Adapters:
 * `redis/leases.ts`, and one in memory for tests, which must give the same answers
 * (test/integration/cluster/placement-scripts.test.ts).
 *
 * Every adapter guarantees:
 *  - Calls take effect atomically, one after another. A call that rejects may have taken effect, or may do so later.
 *  - A process is alive until `leaseMs` after its last heartbeat took effect, by the table's clock; a shard is held
 *    while its owner is alive.
 *  - A shard held by a live process is acquired by no other; each acquisition raises the shard's epoch.
 *  - Every change of the table counts its version up, except for what processes say of themselves at each heartbeat.
 *  - `watch` notifies when a worker has joined or left, or has acquired or released a shard, of everything that has
 *    changed since the notice before. Notices may be missing or late. Gateways come and go without one.
 * The table may lose its contents at any time (Redis has lost its data), and then has a new `born`.
 */
import type { Member } from './placement.js';

export interface Lease {
  readonly shard: number;
  readonly epoch: number;
  readonly owner: string | null;
}

/** A live process as a reader sees it, and how long it counts as alive without another heartbeat, ms. */
export interface LiveMember {
  readonly member: Member;
  readonly leftMs: number;
}

/** A version of a table. */
export interface TableVersion {
  /** The unique name of the table. */
  readonly born: string;
  readonly version: number;
}

/** What has changed from one version of a table to another. */
export interface TableNews extends TableVersion {
  /** The version from which on this is everything that has changed; null if it is everything that there is. */
  readonly since: number | null;
  /** As each described itself when it joined, or last had something to tell; null if it is gone. */
  readonly members: ReadonlyMap<string, Member | null>;
  /** Shards that were never held in this table are omitted. */
  readonly leases: readonly Lease[];
  /** How long until the first process, other than the one that caused this, counts as dead without a heartbeat, ms. */
  readonly firstEndMs: number;
}

export interface HeartbeatAnswer extends TableNews {
  /** The age of this table, ms. */
  readonly ageMs: number;
  /** Whether this heartbeat was the process's first in this table, or its first since it expired. */
  readonly fresh: boolean;
}

export interface LeaseTable {
  /**
   * Extends the process's life by `leaseMs`. With `tell`, the other processes are notified. The answer goes on from
   * what is `known`, or has everything.
   */
  beat(member: Member, leaseMs: number, tell: boolean, known: TableVersion | null): Promise<HeartbeatAnswer>;
  /** Acquires those of the shards that are free or already the process's own; null if the process is not alive. */
  acquire(instance: string, shards: readonly number[], epoch: number): Promise<number[] | null>;
  /** Releases those of the leases that are unchanged; with `leave` the process also stops being a member. */
  release(instance: string, leases: readonly Omit<Lease, 'owner'>[], leave: boolean): Promise<number[]>;
  /** `told` gets null if notices may have been missed, or one cannot be read. The returned function ends the watch. */
  watch(told: (news: TableNews | null) => void): () => void;
}
