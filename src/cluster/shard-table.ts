/**
 * The state of the cluster as this process knows it: the owner of each shard, the live processes, and the worker that
 * should hold each shard.
 *
 *  - Within one table, an owner with a lower epoch than one seen before for the shard is ignored (a late response),
 *    and the known one stays. A flushed Redis starts another table, in which all epochs are new (Model.H7).
 *  - A shard that nobody holds has no owner here, whatever was known before.
 */
import type { Lease, LeaseTableView } from './leases.js';
import type { Member, Owner } from './placement.js';
import { assignShards } from './rendezvous.js';
import { shardCount } from '../store/shards.js';

const free = (shard: number): Lease => ({ shard, epoch: 0, owner: null });
const standing = ({ instance, role, draining }: Member): string => `${instance} ${role} ${draining ? 'draining' : ''}`;

export class ShardTable {
  private readonly owners = new Array<Owner | null>(shardCount).fill(null);
  /** The leases as last reported by the table, whether accepted or ignored. */
  private leases: readonly Lease[] = Array.from({ length: shardCount }, (_, shard) => free(shard));
  private readonly newest = new Array<number>(shardCount).fill(0);
  private born = '';
  private placed = assignShards([]);
  private standings = '';
  members: readonly Member[] = [];

  ownerOf(shard: number): Owner | null {
    return this.owners[shard] ?? null;
  }
  /** The lease in the table. */
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

  /** Returns true if an owner or a member has changed. */
  seen(view: LeaseTableView): boolean {
    this.members = view.members;
    if (view.born !== this.born) {
      this.born = view.born;
      this.newest.fill(0);
    }
    const leases = Array.from({ length: shardCount }, (_, shard) => free(shard));
    for (const lease of view.leases) leases[lease.shard] = lease;
    const changed = this.replace(leases);
    const standings = view.members.map(standing).sort().join('\n');
    if (standings === this.standings) return changed;
    this.standings = standings;
    this.placed = assignShards(
      view.members.flatMap(({ instance, role, draining }) => (role !== 'gateway' && !draining ? [instance] : [])),
    );
    return true;
  }

  /**
   * Applies a notice, which may be outdated: only a later owner, or the end of the known lease, is accepted. Returns
   * true if an owner has changed.
   */
  told(changes: readonly Lease[]): boolean {
    const leases = [...this.leases];
    for (const lease of changes) {
      const known = this.leaseOf(lease.shard);
      if (lease.epoch > known.epoch || (lease.epoch === known.epoch && lease.owner === null))
        leases[lease.shard] = lease;
    }
    return this.replace(leases);
  }

  /** Applies a change that this process has made itself. Returns true if an owner has changed. */
  changed(shards: readonly number[], epoch: number | null, owner: string | null): boolean {
    const leases = [...this.leases];
    for (const shard of shards) leases[shard] = { shard, epoch: epoch ?? this.leaseOf(shard).epoch, owner };
    return this.replace(leases);
  }

  private replace(leases: readonly Lease[]): boolean {
    this.leases = leases;
    return leases.reduce((changed, lease) => this.believe(lease) || changed, false);
  }

  private believe({ shard, epoch, owner }: Lease): boolean {
    const before = this.ownerOf(shard);
    if (owner === null) this.owners[shard] = null;
    else if (epoch >= (this.newest[shard] ?? 0)) {
      this.newest[shard] = epoch;
      this.owners[shard] = before?.instance === owner && before.epoch === epoch ? before : { instance: owner, epoch };
    }
    return this.owners[shard] !== before;
  }
}
