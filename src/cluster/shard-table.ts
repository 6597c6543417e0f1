/**
 * The lease table as this process knows it: the owner of each shard, the live processes, and the worker that should
 * hold each shard.
 *
 *  - News are applied in the order of their versions: those that are known already change nothing, and none is applied
 *    before those that come between.
 *  - What this process has changed itself is known before the news of it come: of those, only a later epoch counts, or
 *    the end of the lease that is known.
 *  - A table that is read as a whole replaces what was known. A flushed Redis starts another table, in which all epochs
 *    are new (Model.H7).
 */
import type { Lease, TableNews, TableVersion } from './leases.js';
import type { Member, ShardOwner } from './placement.js';
import { assignShards } from './rendezvous.js';

const free = (shard: number): Lease => ({ shard, epoch: 0, owner: null });

export class ShardTable {
  private leases: Lease[];
  private readonly byName = new Map<string, Member>();
  private workers = '';
  private placed: readonly (string | null)[];
  /** The version that is known; null before the first. */
  known: TableVersion | null = null;
  members: readonly Member[] = [];

  constructor(private readonly count: number) {
    this.leases = this.allFree();
    this.placed = assignShards([], count);
  }

  ownerOf(shard: number): ShardOwner | null {
    const { owner, epoch } = this.leaseOf(shard);
    return owner === null ? null : { instance: owner, epoch };
  }
  leaseOf(shard: number): Lease {
    return this.leases[shard] ?? free(shard);
  }
  /** The worker that should hold the shard. */
  placeOf(shard: number): string | null {
    return this.placed[shard] ?? null;
  }
  /** The highest epoch in the table. */
  get newestEpoch(): number {
    return this.leases.reduce((highest, { epoch }) => Math.max(highest, epoch), 0);
  }
  get nobodyHoldsAny(): boolean {
    return this.leases.every((lease) => lease.owner === null);
  }

  /** Returns whether an owner or the workers have changed; null if the news do not go on from what is known. */
  learn({ born, version, since, members, leases }: TableNews): boolean | null {
    const { known } = this;
    if (since !== null) {
      if (known?.born !== born || since > known.version) return null;
      if (version <= known.version) return false;
    }
    this.known = { born, version };
    const before = this.leases;
    this.leases = since === null ? this.allFree() : [...before];
    for (const lease of leases) {
      const { epoch } = this.leaseOf(lease.shard);
      const isNews = lease.epoch > epoch || (lease.epoch === epoch && lease.owner === null);
      if (lease.shard < this.count && isNews) this.leases[lease.shard] = lease;
    }
    const changed = this.leases.some(({ shard, epoch, owner }) => {
      const lease = before[shard];
      return lease?.owner !== owner || lease.epoch !== epoch;
    });
    return this.learnMembers(members, since === null) || changed;
  }

  /** Returns whether there are other workers. */
  private learnMembers(members: TableNews['members'], isWhole: boolean): boolean {
    if (members.size === 0 && !isWhole) return false;
    if (isWhole) this.byName.clear();
    for (const [instance, member] of members)
      if (member) this.byName.set(instance, member);
      else this.byName.delete(instance);
    this.members = [...this.byName.values()];
    const workers = this.members
      .filter(({ role, draining }) => role !== 'gateway' && !draining)
      .map(({ instance }) => instance)
      .sort();
    if (workers.join() === this.workers) return false;
    this.workers = workers.join();
    this.placed = assignShards(workers, this.count);
    return true;
  }

  /** Applies a change that this process has made itself. */
  changed(shards: readonly number[], epoch: number | null, owner: string | null): void {
    for (const shard of shards) this.leases[shard] = { shard, epoch: epoch ?? this.leaseOf(shard).epoch, owner };
  }

  /** The shards for which this is so. */
  shardsWhere(test: (shard: number) => boolean): number[] {
    return this.leases.filter((lease) => test(lease.shard)).map(({ shard }) => shard);
  }

  private allFree(): Lease[] {
    return Array.from({ length: this.count }, (_, shard) => free(shard));
  }
}
