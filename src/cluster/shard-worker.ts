/**
 * Moves a worker from the shards that it holds to those that it should hold: it acquires shards that have no owner and
 * hands over shards that belong on another worker. The target assignment is computed from the live workers by
 * rendezvous.ts.
 *
 *  - A shard held by another live worker is never acquired. It becomes free only when its owner hands it over or its
 *    lease expires.
 *  - A shard is released only after the host has stopped serving it (`handOver`). Shards are handed over in batches,
 *    so that each is without an owner for only a few round trips. Shards with work in progress go last, so that no
 *    other shard waits for them.
 *  ShardWorker.W3 A new table may mean that Redis has lost its data. Until the table is one lease old, this worker
 *     acquires only the shards that it still holds by its own clocks, and hands nothing over. After that, no other
 *     process can hold a shard of the lost table by its own clocks. The wait is skipped if the database shows that no
 *     other process has been alive recently (`mayBeHeld`).
 *  - A worker that joins a cluster in which no shard has an owner first waits a moment for other workers to join, so
 *    that shards do not have to move again.
 *  - Epochs come from a counter in the database, one for each round of acquisitions.
 *  ShardWorker.W6 Shards that were acquired are served once this process reads all that the owners before have
 *     committed (`upToDate`), and only those that the table still records as acquired then. A database that was
 *     replaced cannot say so: a worker that has not heard of the successor serves nothing new.
 * On failure: a shard that the table records as this worker's, but that it has not claimed (because a response was
 * lost), is acquired again or released. A failed call is retried after the next read of the table.
 */
import type { ShardClaims } from './claims.js';
import type { SerialCalls } from './in-turn.js';
import type { HeartbeatAnswer, LeaseTable } from './leases.js';
import type { OwnLease } from './own-lease.js';
import type { ShardHost } from './placement.js';
import type { ShardTable } from './shard-table.js';

/* The number of shards handed over at a time. */
const batchSize = 32;
/* The longest time to wait for other workers to join, ms. */
const longestSettleMs = 300;

export interface WorkerDeps {
  self: string;
  leaseMs: number;
  lease: OwnLease;
  claims: ShardClaims;
  table: ShardTable;
  leases: LeaseTable;
  calls: SerialCalls;
  host: ShardHost;
  /** Counts beyond `above`, too: after the database was restored, the table may know later epochs. */
  nextEpoch(above: number): Promise<number>;
  upToDate(): Promise<void>;
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
   * The number of consecutive rounds in which some shards could not be acquired, because another worker was faster, our
   * own lease had expired, or the epoch counter had gone backwards.
   */
  private refused = 0;
  /* Set when a release fails during the drain. The remaining releases are skipped: the leases expire by themselves. */
  private unreachable = false;
  private born = '';
  /* The monotonic times from which acquisitions are allowed: of shards that were lost, and of any. */
  private certainAt = Infinity;
  private settledAt = -Infinity;

  constructor(private readonly deps: WorkerDeps) {}

  /* Call after each heartbeat: starts the acquisitions and handovers that it calls for, without waiting. */
  seen({ fresh, born, ageMs }: Pick<HeartbeatAnswer, 'fresh' | 'born' | 'ageMs'>): void {
    const now = this.deps.lease.now().monotonic;
    if (fresh && this.deps.table.nobodyHoldsAny)
      this.settledAt = now + Math.min(longestSettleMs, this.deps.leaseMs / 10);
    if (born !== this.born) {
      this.born = born;
      this.certainAt = now + this.deps.leaseMs - ageMs;
      if (this.certainAt > now) this.askWhetherHeld(born);
    }
    this.work();
  }

  /* Call after a notice: starts the acquisitions and handovers that it calls for, without waiting. */
  told(): void {
    this.work();
  }

  /* The time in ms until postponed work is allowed; Infinity if no work is postponed. */
  get waitMs(): number {
    const left = Math.max(this.certainAt, this.settledAt) - this.deps.lease.now().monotonic;
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
    return Math.max(this.certainAt, this.settledAt) <= this.deps.lease.now().monotonic;
  }

  private askWhetherHeld(born: string): void {
    this.deps.mayBeHeld().then(
      (held) => {
        if (held || born !== this.born) return;
        this.certainAt = -Infinity;
        this.deps.look(true);
      },
      (error: unknown) => {
        this.deps.failed('asking the database who else lives', error);
      },
    );
  }

  /* The shards to acquire: those that this worker holds but the table has lost, and free ones that it should hold. */
  private wanted(): number[] {
    const { claims, table, self } = this.deps;
    if (this.draining) return [];
    if (!this.maySettle) return [...claims.unconfirmed];
    return table.shardsWhere((shard) => {
      if (claims.has(shard)) return claims.unconfirmed.has(shard);
      const { owner } = table.leaseOf(shard);
      return table.placeOf(shard) === self && (owner === null || owner === self);
    });
  }

  private async take(): Promise<void> {
    const { leases, calls, self } = this.deps;
    try {
      while (!this.stopped && this.wanted().length > 0) {
        const epoch = await this.deps.nextEpoch(this.deps.table.newestEpoch);
        const [wanted, taken] = await calls.run(async () => {
          const shards = this.stopped ? [] : this.wanted(); // may have changed while the call was queued
          const acquired = shards.length > 0 ? ((await calls.within(leases.acquire(self, shards, epoch))) ?? []) : [];
          this.deps.table.changed(acquired, epoch, self);
          return [shards, acquired];
        });
        await this.deps.upToDate(); // ShardWorker.W6
        if (!this.stopped)
          this.took(
            taken.filter((shard) => this.isOurs(shard, epoch)),
            epoch,
          );
        const complete = wanted.every((shard) => this.deps.claims.has(shard));
        if (!complete) {
          this.deps.look(this.refused++ === 0);
          return;
        }
        this.refused = 0;
      }
    } catch (error) {
      this.deps.failed('taking shards', error);
      this.deps.look(false);
    }
  }

  private took(shards: readonly number[], epoch: number): void {
    if (shards.length === 0) return;
    this.deps.count('acquired', shards.length);
    this.deps.claims.took(shards, epoch);
    this.deps.changed();
  }

  private isOurs(shard: number, epoch: number): boolean {
    const lease = this.deps.table.leaseOf(shard);
    return lease.owner === this.deps.self && lease.epoch === epoch;
  }

  /* The shards to give up: held here, or left over in the table as this worker's, but assigned to another worker. */
  private leaving(): number[] {
    const { claims, table, self } = this.deps;
    const mine = (shard: number): boolean => claims.has(shard) || table.leaseOf(shard).owner === self;
    if (this.draining) return table.shardsWhere(mine);
    if (!this.maySettle) return [];
    return table.shardsWhere((shard) => mine(shard) && table.placeOf(shard) !== self && table.placeOf(shard) !== null);
  }

  private async handOver(): Promise<void> {
    for (let batch = this.leaving(); batch.length > 0 && !this.stopped; batch = this.leaving()) {
      const idle = batch.filter((shard) => !this.deps.host.busy(shard));
      const shards = (idle.length > 0 ? idle : batch).slice(0, batchSize);
      const held = shards.filter((shard) => this.deps.claims.has(shard));
      try {
        if (held.length > 0) await this.deps.host.handOver(held);
        await this.release(shards, held);
      } catch (error) {
        // Other workers get the shards when the lease expires, or after the next read of the table.
        this.deps.failed('giving up shards', error);
        this.deps.look(false);
        if (!this.draining) return;
        this.unreachable = true;
      }
    }
  }

  /*
   * Releases these shards, of which the host has stopped serving `handed`, and no other. One that is claimed by now, and
   * was not when the host stopped (an acquisition was in progress), is served again: it is left for the next round.
   */
  private release(shards: readonly number[], handed: readonly number[]): Promise<void> {
    const { leases, calls, table, claims, self } = this.deps;
    return calls.run(async () => {
      const held = claims.giveUp(handed);
      const known = new Set(held.map(({ shard }) => shard));
      const left = shards
        .filter((shard) => !known.has(shard) && !claims.has(shard) && table.leaseOf(shard).owner === self)
        .map((shard) => ({ shard, epoch: table.leaseOf(shard).epoch }));
      const released = [...held, ...left].map(({ shard }) => shard);
      if (this.draining) table.changed(released, null, null); // never release these twice, even if this call fails
      if (this.unreachable) return;
      await calls.within(leases.release(self, [...held, ...left], false));
      this.deps.count('handedOver', held.length);
      table.changed(
        released.filter((shard) => table.leaseOf(shard).owner === self),
        null,
        null,
      );
      this.deps.changed();
    });
  }
}
