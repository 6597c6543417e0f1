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
 *  - `watch` notifies when another worker has joined or left, or has acquired or released a shard. A notice that names
 *    leases follows the one before it without a gap, or comes as null. Notices may be missing, late, or without cause.
 *    Gateways come and go without one.
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

export interface LeaseTableView {
  /** The unique name of this table. */
  readonly born: string;
  /** The age of this table, ms. */
  readonly ageMs: number;
  /** Whether this heartbeat was the process's first in this table, or its first since it expired. */
  readonly fresh: boolean;
  /** As each described itself when it joined, or last had something to tell. */
  readonly members: readonly Member[];
  /** How long until the first of the other processes counts as dead without another heartbeat, ms. */
  readonly firstEndMs: number;
  /** Shards that were never held in this table are omitted. */
  readonly leases: readonly Lease[];
}

export interface LeaseTable {
  /** Extends the process's life by `leaseMs`. With `tell`, the other processes are notified. */
  beat(member: Member, leaseMs: number, tell: boolean): Promise<LeaseTableView>;
  /** Acquires those of the shards that are free or already the process's own; null if the process is not alive. */
  acquire(instance: string, shards: readonly number[], epoch: number): Promise<number[] | null>;
  /** Releases those of the leases that are unchanged; with `leave` the process also stops being a member. */
  release(instance: string, leases: readonly Omit<Lease, 'owner'>[], leave: boolean): Promise<number[]>;
  /**
   * `told` gets the new state of changed leases, or null if the whole table should be read. Returns a function that
   * ends the watch.
   */
  watch(told: (leases: readonly Lease[] | null) => void): () => void;
}
