/**
 * The shards that this process believes to hold, and when it must stop believing. Decides nothing about which it wants
 * (shard-worker.ts) and talks to nobody.
 *
 *  ShardClaims.C1 A shard is held only while its lease is valid by the own clocks (own-lease.ts): `holds` says no from
 *     that moment, and the host is told `lost` by the next call of `expire` or `seen`.
 *  ShardClaims.C2 What was lost is held again only when it was taken anew, under a new epoch: a later beat does not
 *     bring it back.
 *  ShardClaims.C3 A lease that the table does not confirm is lost at once, with one exception: the table is a new one,
 *     Redis has lost its data. Then it is `unconfirmed`: still held by the own clocks, not renewed by any beat, to be
 *     taken again. Nobody else takes it within that time (ShardWorker.W3 in shard-worker.ts), so nothing has to be
 *     dropped.
 *  ShardClaims.C4 The host hears of every shard in turn: acquired, then lost or given up, then perhaps acquired again.
 */
import type { LeaseTableView } from './leases.js';
import type { ClockReading, OwnLease } from './own-lease.js';

export interface ClaimEvents {
  acquired(shards: readonly number[]): void;
  lost(shards: readonly number[]): void;
}

/** `born` is the table in which the shard was taken. */
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
  /** Also counts what has run out and was not noticed yet. */
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
  /** Held, but not in the table any more: to be taken again. */
  get unconfirmed(): ReadonlySet<number> {
    return this.missing;
  }

  /** What the table says, after a beat that was sent at `sent`. */
  seen(view: LeaseTableView, sent: ClockReading): void {
    this.expire();
    const leases = new Map(view.leases.map((lease) => [lease.shard, lease]));
    const lost: number[] = [];
    for (const [shard, claim] of this.claims) {
      const lease = leases.get(shard);
      const owner = lease?.owner ?? null;
      if (owner === this.self && lease?.epoch === claim.epoch) this.missing.delete(shard);
      else if (claim.born !== view.born && (owner === null || owner === this.self)) this.missing.add(shard);
      else lost.push(shard);
    }
    this.born = view.born;
    this.lastSent = sent;
    this.drop(lost);
    if (this.missing.size === 0) this.lease.renew(sent);
  }

  /** The shards were taken under this epoch, in the table that was seen last. What has run out meanwhile stays lost: they are taken once more. */
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

  /** The host has let go of them. Returns what may be released in the table. */
  giveUp(shards: readonly number[]): { shard: number; epoch: number }[] {
    return shards.flatMap((shard) => {
      const claim = this.claims.get(shard);
      this.forget(shard);
      return claim ? [{ shard, epoch: claim.epoch }] : [];
    });
  }

  /** Drops everything where the lease has run out by the own clocks. */
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
