/**
 * The shards that this process currently holds, and when it must stop serving them. Which shards it should hold is
 * decided in shard-worker.ts; this file does no I/O.
 *
 *  - A shard is held only while its lease is valid by this process's own clocks (own-lease.ts): `holds` is false from
 *    that moment, and the next call of `expire` or `seen` tells the host `lost`.
 *  - A lost shard is held again only after it was acquired anew, under a new epoch: a later heartbeat does not restore
 *    it.
 *  - A lease that the table does not confirm is lost at once, unless the table is a new one because Redis has lost its
 *    data. The lease is then `unconfirmed`: still held by our own clocks, not renewed by any heartbeat, and to be
 *    acquired again. No other process acquires it within that time (ShardWorker.W3 in shard-worker.ts), so nothing has
 *    to be dropped.
 *  - The host is told about each shard in order: acquired, then lost or given up, then possibly acquired again.
 */
import type { Lease } from './leases.js';
import type { ClockReading, OwnLease } from './own-lease.js';

export interface ClaimEvents {
  acquired(shards: readonly number[]): void;
  lost(shards: readonly number[]): void;
}

/** `born` is the table in which the shard was acquired. */
interface Claim {
  epoch: number;
  born: string;
}

export class ShardClaims {
  private readonly claims = new Map<number, Claim>();
  private readonly missing = new Set<number>();
  private born = '';
  private lastSent: ClockReading;

  constructor(
    private readonly self: string,
    private readonly lease: OwnLease,
    private readonly tell: ClaimEvents,
  ) {
    this.lastSent = lease.now();
  }

  holds(shard: number): boolean {
    return this.claims.has(shard) && this.lease.left > 0;
  }
  /** Unlike `holds`, includes shards whose lease has expired without being noticed yet. */
  has(shard: number): boolean {
    return this.claims.has(shard);
  }
  held(): number[] {
    return this.lease.left > 0 ? [...this.claims.keys()] : [];
  }
  get size(): number {
    return this.claims.size;
  }
  epochOf(shard: number): number | null {
    return this.claims.get(shard)?.epoch ?? null;
  }
  /** Shards that are held but no longer in the table: they must be acquired again. */
  get unconfirmed(): ReadonlySet<number> {
    return this.missing;
  }

  /** Applies the leases of the table `born` after a heartbeat that was sent at `sent`. */
  seen(born: string, leaseOf: (shard: number) => Lease, sent: ClockReading): void {
    this.expire();
    const lost: number[] = [];
    for (const [shard, claim] of this.claims) {
      const { owner, epoch } = leaseOf(shard);
      if (owner === this.self && epoch === claim.epoch) this.missing.delete(shard);
      else if (claim.born !== born && (owner === null || owner === this.self)) this.missing.add(shard);
      else lost.push(shard);
    }
    this.born = born;
    this.lastSent = sent;
    this.drop(lost);
    if (this.missing.size === 0) this.lease.renew(sent);
  }

  /**
   * Records that the shards were acquired under this epoch, in the table seen last. Shards that expired meanwhile stay
   * lost and are acquired once more.
   */
  took(shards: readonly number[], epoch: number): void {
    this.expire();
    const again = shards.filter((shard) => this.claims.has(shard));
    const others = shards.filter((shard) => !this.claims.has(shard));
    for (const shard of again) {
      this.claims.set(shard, { epoch, born: this.born });
      this.missing.delete(shard);
    }
    if (this.missing.size === 0) this.lease.renew(this.lastSent);
    if (this.lease.left <= 0) return;
    for (const shard of others) this.claims.set(shard, { epoch, born: this.born });
    if (others.length > 0) this.tell.acquired(others);
  }

  /** The host has stopped serving these shards. Returns the leases to release in the table. */
  giveUp(shards: readonly number[]): { shard: number; epoch: number }[] {
    return shards.flatMap((shard) => {
      const claim = this.claims.get(shard);
      this.forget(shard);
      return claim ? [{ shard, epoch: claim.epoch }] : [];
    });
  }

  /** Drops everything if the lease has expired by our own clocks. */
  expire(): void {
    if (this.claims.size > 0 && this.lease.left <= 0) this.drop([...this.claims.keys()]);
  }

  dropAll(): void {
    this.drop([...this.claims.keys()]);
  }

  private drop(shards: readonly number[]): void {
    for (const shard of shards) this.forget(shard);
    if (shards.length > 0) this.tell.lost(shards);
  }

  private forget(shard: number): void {
    this.claims.delete(shard);
    this.missing.delete(shard);
  }
}
