/**
 * Placement by leases: every process beats in the lease table, which answers who lives and who holds
 * what; workers bring what they hold to what they should hold (shard-worker.ts).
 *
 *  Placement.L1 A process beats every third of a lease, at once when it is told that somebody has come or gone or is
 *     asked to `refresh`, and when the lease of another is about to run out, so that a dead worker's shards are free as
 *     soon as they may be.
 *  Placement.L2 Beats in flight are joined: one is on its way, at most one more follows.
 *  Placement.L3 A beat that fails is tried again soon. Meanwhile the table stays as it was known; what this process
 *     holds itself it stops holding when its lease has run out by its own clocks (own-lease.ts).
 *  Placement.L4 Calls that change the table go one after the other, none is waited for longer than a part of the lease.
 * When it fails: `problem` says so; with the table back, everything is taken again.
 */
import type { Clock } from '../domain/clock.js';
import { ShardClaims } from './claims.js';
import { SerialCalls } from './in-turn.js';
import type { Lease, LeaseTable, LeaseTableView } from './leases.js';
import { OwnLease, type ClockReading } from './own-lease.js';
import type { Member, Owner, Placement, ShardHost } from './placement.js';
import { ShardTable } from './shard-table.js';
import { ShardWorker } from './shard-worker.js';
import type { Logger } from '../telemetry/logger.js';

/** What is counted: shards, and for the beats beats. */
export type PlacementEvent = 'acquired' | 'handedOver' | 'lost' | 'beat' | 'beatFailed';

export interface PlacementOptions {
  /** The name of this process instance: never used twice. */
  self: string;
  role: Member['role'];
  about: Member['about'];
  /** Numbers that this process tells of itself with each beat (Member.stats). */
  stats?(): Member['stats'];
  /** What runs the shards; null for a gateway, which holds none. */
  host: ShardHost | null;
  /** Counts one up in the database. */
  nextEpoch(): Promise<number>;
  leaseMs: number;
  clock: Clock;
  /** Ms, from any beginning. */
  monotonic(): number;
  log: Pick<Logger, 'info' | 'warn'>;
  count?(event: PlacementEvent, n: number): void;
  /** Asked where Redis has just started empty: whether another process may still hold shards by its own clock, as far as the database knows (identity.ts). Without it: yes, and shards are taken one lease later. */
  mayBeHeld?(): Promise<boolean>;
  /** After each beat, with the name of the table (identity.ts). */
  onBeat?(born: string): void;
}

export interface RunningPlacement extends Placement {
  /** Resolves when the table is known, however long that takes (`problem` says what is missing). Rejects when it is stopped before. */
  start(): Promise<void>;
  /** Takes no new shard, hands over what is held and leaves. Resolves also where Redis is away: the leases then run out by themselves. */
  drain(): Promise<void>;
  /** Ends it as it is: what is still held is `lost`, and free when the lease has run out. */
  stop(): Promise<void>;
}

/** Between a look that was asked for and the one before, ms: many who ask at a time are one look. */
const lookPauseMs = 5;
/** How soon a look follows a notice that said everything, ms. */
const afterNoticeMs = 200;

export function createLeasedPlacement(leases: LeaseTable, options: PlacementOptions): RunningPlacement {
  return new LeasedPlacement(leases, options);
}

class LeasedPlacement implements RunningPlacement {
  private readonly lease: OwnLease;
  private readonly claims: ShardClaims;
  private readonly table = new ShardTable();
  private readonly calls: SerialCalls;
  private readonly worker: ShardWorker | null;
  private readonly listeners = new Set<() => void>();
  private readonly known = new OneTimeSignal();
  private seenAt: ClockReading | null = null;
  private looking: Promise<void> | null = null;
  /** In how many ms another look is to follow the one in flight. */
  private again = Infinity;
  private nextLook: { at: number; cancel: () => void } | null = null;
  private cancelExpiry: () => void = () => undefined;
  private unwatch: () => void = () => undefined;
  /** The others know that this process drains. */
  private announced = false;
  private failing = false;
  private stopped = false;

  constructor(
    private readonly leases: LeaseTable,
    private readonly o: PlacementOptions,
  ) {
    const { self, leaseMs, clock, host } = o;
    this.lease = new OwnLease(leaseMs, clock, () => o.monotonic());
    this.calls = new SerialCalls(clock, Math.min(2000, Math.ceil(leaseMs / 4)));
    this.claims = new ShardClaims(self, this.lease, {
      acquired: (shards) => {
        o.log.info({ event: 'shards.acquired', shards: shards.length }, 'this process acquired shards');
        host?.acquired(shards);
      },
      lost: (shards) => {
        this.lost(shards);
      },
    });
    this.worker =
      host &&
      new ShardWorker({
        self,
        leaseMs,
        host,
        leases,
        lease: this.lease,
        claims: this.claims,
        table: this.table,
        calls: this.calls,
        nextEpoch: () => o.nextEpoch(),
        mayBeHeld: async () => o.mayBeHeld?.() ?? true,
        look: (soon) => {
          this.lookIn(soon ? 0 : this.retryMs);
        },
        changed: () => {
          this.changed();
        },
        count: (event, shards) => {
          o.count?.(event, shards);
        },
        failed: (what, error) => {
          o.log.warn({ event: 'placement.failed', reason: reasonOf(error) }, `${what} has failed and will be retried`);
        },
      });
  }

  ownerOf(shard: number): Owner | null {
    const owner = this.table.ownerOf(shard);
    return owner?.instance === this.o.self && !this.holds(shard) ? null : owner;
  }

  holds(shard: number): boolean {
    return this.claims.holds(shard);
  }
  held(): readonly number[] {
    return this.claims.held();
  }
  refresh(): void {
    this.lookIn(0);
  }
  members(): readonly Member[] {
    return this.table.members.map(({ member }) => member);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  problem(): string | null {
    if (this.stopped) return 'This process has left the cluster.';
    if (this.seenAt === null) return 'Redis has not said yet which process serves what.';
    const silent = this.lease.elapsed(this.seenAt);
    return silent < this.o.leaseMs * 0.9
      ? null
      : `Redis has not answered for ${Math.round(silent / 1000)} s: which process serves what is not known.`;
  }

  start(): Promise<void> {
    this.unwatch = this.leases.watch((leases) => {
      this.onNotice(leases);
    });
    this.look();
    return this.known.opened;
  }

  async drain(): Promise<void> {
    if (this.stopped) return;
    if (this.worker) {
      this.worker.draining = true;
      this.announced = false;
      await this.looking;
      this.look(); // the others must know, or they would hand over to this process
      await this.looking;
      await this.worker.drain();
    }
    await this.calls
      .run(async () => {
        this.end();
        await this.calls.within(this.leases.release(this.o.self, [], true));
      })
      .catch((error: unknown) => {
        this.o.log.warn(
          { event: 'placement.leave_failed', reason: reasonOf(error) },
          'this process could not announce that it leaves the cluster; its shards become free when its lease expires',
        );
      });
  }

  async stop(): Promise<void> {
    this.end();
    await this.looking;
  }

  private end(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.worker?.stop();
    this.unwatch();
    this.nextLook?.cancel();
    this.cancelExpiry();
    this.claims.dropAll();
    this.known.fail(new Error('The placement was stopped before it had begun.'));
  }

  private lookIn(ms: number): void {
    if (this.stopped) return;
    if (this.looking) {
      this.again = Math.min(this.again, ms);
      return;
    }
    const at = this.o.monotonic() + Math.max(ms, lookPauseMs);
    if (this.nextLook && this.nextLook.at <= at) return;
    this.nextLook?.cancel();
    this.nextLook = {
      at,
      cancel: this.o.clock.after(at - this.o.monotonic(), () => {
        this.look();
      }),
    };
  }

  private look(): void {
    if (this.stopped || this.looking) return;
    this.nextLook?.cancel();
    this.nextLook = null;
    this.looking = this.beat().then((pauseMs) => {
      this.looking = null;
      this.lookIn(Math.min(this.again, pauseMs));
      this.again = Infinity;
    });
  }

  /** Never rejects. Resolves with the time to the next beat, ms. */
  private async beat(): Promise<number> {
    try {
      await this.calls.run(async () => {
        if (this.stopped) return;
        const sent = this.lease.now();
        const tell = this.worker?.draining === true && !this.announced;
        const view = await this.calls.within(this.leases.beat(this.describe(), this.o.leaseMs, tell));
        if (tell) this.announced = true;
        if (!this.stopped) this.onView(view, sent);
      });
      this.succeeded();
      return this.pauseMs();
    } catch (error) {
      this.claims.expire();
      this.failed(error);
      return this.retryMs;
    }
  }

  private onView(view: LeaseTableView, sent: ClockReading): void {
    const changed = this.table.seen(view);
    this.seenAt = sent;
    this.claims.seen(view, sent);
    this.expireIn(this.lease.left);
    this.worker?.seen(view);
    this.known.open();
    if (changed) this.changed();
    this.o.onBeat?.(view.born);
  }

  /** A shard that has changed hands is known, and taken, without a look; the look that follows is for what was missed. */
  private onNotice(leases: readonly Lease[] | null): void {
    if (this.stopped) return;
    const disputed = leases?.some(({ shard }) => this.claims.has(shard)) ?? true;
    this.lookIn(disputed ? 0 : afterNoticeMs);
    if (leases === null || !this.table.told(leases)) return;
    this.changed();
    this.worker?.told();
  }

  private describe(): Member {
    const { self, role, about, host } = this.o;
    return {
      instance: self,
      role,
      about,
      draining: this.worker?.draining ?? false,
      stats: { ...(host && { shards: this.claims.size }), ...this.o.stats?.() },
    };
  }

  private get retryMs(): number {
    return Math.min(500, this.o.leaseMs / 10);
  }

  /** To the next beat, or to what comes earlier: the end of another's lease, or of what the worker waits for. */
  private pauseMs(): number {
    const others = this.table.members
      .filter(({ member }) => member.instance !== this.o.self)
      .map(({ leftMs }) => leftMs + lookPauseMs);
    return Math.max(lookPauseMs, Math.min(this.o.leaseMs / 3, this.worker?.waitMs ?? Infinity, ...others));
  }

  private expireIn(ms: number): void {
    this.cancelExpiry();
    if (this.stopped || ms <= 0) return;
    this.cancelExpiry = this.o.clock.after(ms, () => {
      this.claims.expire();
      this.expireIn(this.lease.left);
    });
  }

  private lost(shards: readonly number[]): void {
    this.o.count?.('lost', shards.length);
    this.o.log.warn(
      { event: 'shards.lost', shards: shards.length },
      'this process lost shards: their lease was not renewed in time, or Redis has lost it',
    );
    this.o.host?.lost(shards);
    this.changed();
  }

  private changed(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private succeeded(): void {
    this.o.count?.('beat', 1);
    if (this.failing) this.o.log.info({ event: 'placement.restored' }, 'the lease table in Redis can be read again');
    this.failing = false;
  }

  private failed(error: unknown): void {
    this.o.count?.('beatFailed', 1);
    if (!this.failing)
      this.o.log.warn(
        { event: 'placement.unavailable', reason: reasonOf(error) },
        'the lease table in Redis cannot be read; this is retried until it can',
      );
    this.failing = true;
  }
}

/** Something that is waited for until it is there. */
class OneTimeSignal {
  open!: () => void;
  fail!: (error: Error) => void;
  readonly opened = new Promise<void>((resolve, reject) => {
    this.open = resolve;
    this.fail = reject;
  });
  constructor() {
    this.opened.catch(() => undefined);
  } // nobody need wait
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
