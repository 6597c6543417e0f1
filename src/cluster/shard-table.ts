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

const free = (shard: number): Lease => ({ shard, epoch: 0, owner: null });
const standing = ({ instance, role, draining }: Member): string => `${instance} ${role} ${draining ? 'draining' : ''}`;

export class ShardTable {
  private readonly owners: (Owner | null)[];
  /** The leases as last reported by the table, whether accepted or ignored. */
  private leases: readonly Lease[];
  private readonly newest: number[];
  private born = '';
  private placed: readonly (string | null)[];
  private standings = '';
  members: readonly Member[] = [];

  constructor(private readonly count: number) {
    this.owners = new Array<Owner | null>(count).fill(null);
    this.newest = new Array<number>(count).fill(0);
    this.leases = this.allFree();
    this.placed = assignShards([], count);
  }

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
    if (view.born !== this.born) {
      this.born = view.born;
      this.newest.fill(0);
    }
    const leases = this.allFree();
    for (const lease of view.leases) if (lease.shard < this.count) leases[lease.shard] = lease;
    const changed = this.replace(leases);
    if (view.members === this.members) return changed;
    this.members = view.members;
    const standings = view.members.map(standing).sort().join('\n');
    if (standings === this.standings) return changed;
    this.standings = standings;
    this.placed = assignShards(
      view.members.flatMap(({ instance, role, draining }) => (role !== 'gateway' && !draining ? [instance] : [])),
      this.count,
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

  /** The shards for which this is so. */
  shardsWhere(test: (shard: number) => boolean): number[] {
    const found: number[] = [];
    for (let shard = 0; shard < this.count; shard++) if (test(shard)) found.push(shard);
    return found;
  }

  private allFree(): Lease[] {
    return Array.from({ length: this.count }, (_, shard) => free(shard));
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
