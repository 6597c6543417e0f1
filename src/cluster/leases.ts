/**
 * The lease table port: what Redis keeps of who lives and who holds which shard. Adapters: `redis/leases.ts`; tests
 * have one in memory, which is held to the same answers (test/integration/cluster/placement-scripts.test.ts).
 *
 * What an adapter promises
 *  LeaseTable.B1 Calls take effect one after the other, each wholly or not at all. A call that rejects may have taken
 *     effect, even later.
 *  LeaseTable.B2 A process lives until `leaseMs` after its last beat took effect, by the table's clock; a shard is held
 *     while its owner lives.
 *  LeaseTable.B3 A shard that a living process holds is taken by no other; each taking raises the shard's epoch.
 *  LeaseTable.B4 `watch` tells when a process has come or gone, or a shard has changed hands, unless this process has
 *     done it. It may miss some, tell late, and tell of nothing.
 * The table may be emptied at any time (a Redis that has lost its data), and then has a new `born`.
 */
import type { Member } from './placement.js';

export interface Lease {
  readonly shard: number;
  readonly epoch: number;
  readonly owner: string | null;
}

/** A process that lives, and for how long yet unless it beats again, ms. */
export interface LiveMember {
  readonly member: Member;
  readonly leftMs: number;
}

export interface LeaseTableView {
  /** Names this table: another one has another. */
  readonly born: string;
  /** How long ago this table was begun, ms. */
  readonly ageMs: number;
  /** Whether this beat was the process's first in this table, or its first since it expired. */
  readonly fresh: boolean;
  readonly members: readonly LiveMember[];
  /** Shards that nobody has ever held in this table are left out. */
  readonly leases: readonly Lease[];
}

export interface LeaseTable {
  /** Says that the process lives for `leaseMs` more. With `tell`, the others are told to look. */
  beat(member: Member, leaseMs: number, tell: boolean): Promise<LeaseTableView>;
  /** Takes those of the shards that are free, or the process's own already; null where it does not live. */
  acquire(instance: string, shards: readonly number[], epoch: number): Promise<number[] | null>;
  /** Gives up those of the leases that are still so; with `leave` the process is no member any more. */
  release(instance: string, leases: readonly Omit<Lease, 'owner'>[], leave: boolean): Promise<number[]>;
  /** `told` hears which leases have changed and how they are now, or null: look at everything. The returned function ends it. */
  watch(told: (leases: readonly Lease[] | null) => void): () => void;
}
