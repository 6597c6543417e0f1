/**
 * Brings what a worker holds to what it should hold: takes shards that nobody holds, hands over those that another
 * worker should hold. Who should hold what is said by rendezvous.ts over the live workers.
 *
 *  ShardWorker.W1 A shard that another living worker holds is never taken: whoever holds it hands it over, or its lease
 *     runs out.
 *  ShardWorker.W2 A shard is released only after the host has let go of it (`handOver`), in batches, so that each is
 *     without an owner for a few round trips only; those with work in progress come last, so that no other waits for it.
 *  ShardWorker.W3 In a table that is younger than a lease (Redis was emptied), nothing is taken but what this worker
 *     still holds by its own clocks, and nothing handed over, until a lease has passed: then nobody else can hold
 *     anything by theirs. Unless the database says that nobody else has been alive lately (`mayBeHeld`).
 *  ShardWorker.W4 A worker that comes where nobody holds anything waits a moment for the others, so that shards need
 *     not move again.
 *  ShardWorker.W5 Epochs are counted in the database, one for each round of taking.
 * When it fails: what is in the table as its own without being claimed here (an answer that was lost) is taken anew or
 * released; a call that failed is tried again after the next look.
 */
import type { ShardClaims } from './claims.js';
import type { SerialCalls } from './in-turn.js';
import type { LeaseTable, LeaseTableView } from './leases.js';
import type { OwnLease } from './own-lease.js';
import type { ShardHost } from './placement.js';
import type { ShardTable } from './shard-table.js';
import { shardCount } from '../store/shards.js';

/* The number of shards handed over at a time. */
const batchSize = 32;
/* The longest wait of ShardWorker.W4. */
const longestSettleMs = 300;

export interface WorkerParts {
  self: string;
  leaseMs: number;
  lease: OwnLease;
  claims: ShardClaims;
  table: ShardTable;
  leases: LeaseTable;
  calls: SerialCalls;
  host: ShardHost;
  nextEpoch(): Promise<number>;
  mayBeHeld(): Promise<boolean>;
  /*
   * Requests another read of the table: soon, because a result was unexpected; or after a pause, because a call has
   * failed.
   */
  look(soon: boolean): void;
  changed(): void;
  count(event: 'acquired' | 'handedOver', shards: number): void;
  failed(what: string, error: unknown): void;
}

export class ShardWorker {
  draining = false;
  private taking: Promise<void> | null = null;
  private handing: Promise<void> | null = null;
  private stopped = false;
  /*
   * How many times in a row not everything could be acquired: another worker was faster, our own lease has expired, or
   * epochs went back.
   */
  private refused = 0;
  /* A release during the drain has failed: the remaining ones are skipped, because the leases expire by themselves. */
  private unreachable = false;
  private born = '';
  /* The monotonic time from which ShardWorker.W3 and ShardWorker.W4 allow acquisitions. */
  private certainAt = Infinity;
  private settledAt = -Infinity;

  constructor(private readonly parts: WorkerParts) {}

  /* Starts whatever has become necessary after a read of the table, without waiting for it. */
  seen(view: LeaseTableView): void {
    const now = this.parts.lease.now().monotonic;
    if (view.fresh && this.parts.table.nobodyHoldsAny)
      this.settledAt = now + Math.min(longestSettleMs, this.parts.leaseMs / 10);
    if (view.born !== this.born) {
      this.born = view.born;
      this.certainAt = now + this.parts.leaseMs - view.ageMs;
      if (this.certainAt > now) this.askWhetherHeld(view.born);
    }
    this.work();
  }

  /* Starts whatever has become necessary after a notice, without waiting for it. */
  told(): void {
    this.work();
  }

  /* Ms until postponed work may become possible; Infinity if there is none. */
  get waitMs(): number {
    const left = Math.max(this.certainAt, this.settledAt) - this.parts.lease.now().monotonic;
    return left > 0 ? left : Infinity;
  }

  /* Gives up all shards; resolves when none is held. */
  async drain(): Promise<void> {
    this.draining = true;
    await this.taking;
    for (;;) {
      this.work();
      if (this.handing === null) return;
      await this.handing;
    }
  }

  /* Stops acquiring and handing over. */
  stop(): void {
    this.stopped = true;
  }

  private work(): void {
    if (this.stopped) return;
    if (this.taking === null && this.wanted().length > 0)
      this.taking = this.take().finally(() => {
        this.taking = null;
      });
    if (this.handing === null && this.leaving().length > 0)
      this.handing = this.handOver().finally(() => {
        this.handing = null;
      });
  }

  private get maySettle(): boolean {
    return Math.max(this.certainAt, this.settledAt) <= this.parts.lease.now().monotonic;
  }

  private askWhetherHeld(born: string): void {
    this.parts.mayBeHeld().then(
      (held) => {
        if (held || born !== this.born) return;
        this.certainAt = -Infinity;
        this.parts.look(true);
      },
      (error: unknown) => {
        this.parts.failed('asking the database who else lives', error);
      },
    );
  }

  /* The shards to acquire: those that it holds and the table has lost, and free ones that it should hold. */
  private wanted(): number[] {
    const { claims, table, self } = this.parts;
    if (this.draining) return [];
    if (!this.maySettle) return [...claims.unconfirmed];
    return shardsWhere((shard) => {
      if (claims.has(shard)) return claims.unconfirmed.has(shard);
      const { owner } = table.leaseOf(shard);
      return table.placeOf(shard) === self && (owner === null || owner === self);
    });
  }

  private async take(): Promise<void> {
    const { leases, calls, self } = this.parts;
    try {
      while (!this.stopped && this.wanted().length > 0) {
        const epoch = await this.parts.nextEpoch();
        const complete = await calls.run(async () => {
          const shards = this.stopped ? [] : this.wanted(); // may have changed meanwhile
          const taken = shards.length > 0 ? await calls.within(leases.acquire(self, shards, epoch)) : [];
          if (taken !== null && !this.stopped) this.took(taken, epoch);
          return shards.every((shard) => this.parts.claims.has(shard));
        });
        if (!complete) {
          this.parts.look(this.refused++ === 0);
          return;
        }
        this.refused = 0;
      }
    } catch (error) {
      this.parts.failed('taking shards', error);
      this.parts.look(false);
    }
  }

  private took(shards: readonly number[], epoch: number): void {
    if (shards.length === 0) return;
    this.parts.count('acquired', shards.length);
    const moved = this.parts.table.changed(shards, epoch, this.parts.self);
    this.parts.claims.took(shards, epoch);
    if (moved) this.parts.changed();
  }

  /* The shards to give up: held, or left over in the table, and another's to hold. */
  private leaving(): number[] {
    const { claims, table, self } = this.parts;
    const mine = (shard: number): boolean => claims.has(shard) || table.leaseOf(shard).owner === self;
    if (this.draining) return shardsWhere(mine);
    if (!this.maySettle) return [];
    return shardsWhere((shard) => mine(shard) && table.placeOf(shard) !== self && table.placeOf(shard) !== null);
  }

  private async handOver(): Promise<void> {
    for (let batch = this.leaving(); batch.length > 0 && !this.stopped; batch = this.leaving()) {
      const idle = batch.filter((shard) => !this.parts.host.busy(shard));
      const shards = (idle.length > 0 ? idle : batch).slice(0, batchSize);
      const held = shards.filter((shard) => this.parts.claims.has(shard));
      try {
        if (held.length > 0) await this.parts.host.handOver(held);
        await this.release(shards);
      } catch (error) {
        // the others get them when the lease has expired, or after the next read
        this.parts.failed('giving up shards', error);
        this.parts.look(false);
        if (!this.draining) return;
        this.unreachable = true;
      }
    }
  }

  private release(shards: readonly number[]): Promise<void> {
    const { leases, calls, table, claims, self } = this.parts;
    return calls.run(async () => {
      const held = claims.giveUp(shards);
      const known = new Set(held.map(({ shard }) => shard));
      const left = shards
        .filter((shard) => !known.has(shard) && table.leaseOf(shard).owner === self)
        .map((shard) => ({ shard, epoch: table.leaseOf(shard).epoch }));
      if (this.draining) table.changed(shards, null, null); // whatever the outcome, these are not released again
      if (this.unreachable) return;
      await calls.within(leases.release(self, [...held, ...left], false));
      this.parts.count('handedOver', held.length);
      table.changed(
        shards.filter((shard) => table.leaseOf(shard).owner === self),
        null,
        null,
      );
      this.parts.changed();
    });
  }
}

const shardsWhere = (test: (shard: number) => boolean): number[] => {
  const found: number[] = [];
  for (let shard = 0; shard < shardCount; shard++) if (test(shard)) found.push(shard);
  return found;
};
