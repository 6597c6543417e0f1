/**
 * Placement by leases. Every process sends heartbeats to the lease table, whose responses tell which processes are
 * alive and which shards they hold, as do notices of what has changed; workers move towards the shards that they should
 * hold (shard-worker.ts).
 *
 *  - A process sends a heartbeat every third of a lease, or a little sooner; at once when `refresh` is called, a notice
 *    was missed, or one says that this process has lost something; and when another process's lease has expired, so
 *    that a dead worker's shards are acquired as soon as possible.
 *  - Heartbeats are coalesced: at most one is in progress and one more pending.
 *  - A failed heartbeat is retried soon. Meanwhile the last known table is used; this process stops holding its own
 *    shards when its lease has expired by its own clocks (own-lease.ts).
 *  - Calls that change the table are serialised, and each is waited for at most a fraction of the lease.
 * On failure `problem` describes it; when the table is available again, everything is acquired anew.
 */
import type { Clock } from '../domain/shared/clock.js';
import { ShardClaims } from './claims.js';
import { SerialCalls } from './in-turn.js';
import type { HeartbeatAnswer, LeaseTable, TableNews } from './leases.js';
import { OwnLease, type ClockReading } from './own-lease.js';
import type { Member, ShardOwner, Placement, ShardHost } from './placement.js';
import { isOutOfMemory } from '../redis/failure.js';
import { ShardTable } from './shard-table.js';
import { ShardWorker } from './shard-worker.js';
import type { Logger } from '../telemetry/logger-port.js';

/** Counted events: in shards, except for heartbeats. */
export type PlacementEvent = 'acquired' | 'handedOver' | 'lost' | 'beat' | 'beatFailed';

export interface PlacementOptions {
  /** The unique name of this process instance. */
  self: string;
  role: Member['role'];
  /** How many shards there are. */
  shards: number;
  about: Member['about'];
  /** Statistics that this process reports with each heartbeat (Member.stats). */
  stats?(): Member['stats'];
  /** Runs the shards; null for a gateway, which holds none. */
  host: ShardHost | null;
  /** Increments the epoch counter in the database, beyond `above`, and returns it. */
  nextEpoch(above: number): Promise<number>;
  /** Resolves when this process reads all that was acknowledged to any process before the call. */
  upToDate(): Promise<void>;
  leaseMs: number;
  clock: Clock;
  /** A monotonic clock, ms. */
  monotonic(): number;
  /** From 0 to 1, for the times of heartbeats; Math.random unless it is given. */
  random?(): number;
  log: Pick<Logger, 'info' | 'warn'>;
  count?(event: PlacementEvent, n: number): void;
  /**
   * Called if Redis has just started empty: whether another process may still hold shards by its own clock, as far as
   * the database knows (identity.ts). Without it the answer is yes, and shards are acquired one lease later.
   */
  mayBeHeld?(): Promise<boolean>;
  /** Called after each heartbeat, with the name of the table (identity.ts). */
  onBeat?(born: string): void;
}

export interface RunningPlacement extends Placement {
  /**
   * Resolves when the table is known, however long that takes (`problem` describes what is missing). Rejects if stopped
   * before.
   */
  start(): Promise<void>;
  /**
   * Acquires no more shards, hands over those held, and leaves. Also resolves if Redis is unreachable: the leases then
   * expire.
   */
  drain(): Promise<void>;
  /** Stops at once: shards still held are `lost`, and become free when the lease has expired. */
  stop(): Promise<void>;
}

/** The minimum pause before a requested heartbeat, ms, so that many requests cause one. */
const lookPauseMs = 5;
/**
 * Processes that have the same cause for a heartbeat send it within this time for each of them, ms: the first one tells
 * the others what has changed.
 */
const spreadMs = 0.2;
/** How often a process reads the whole table although it knows what has changed: what is wrong, is not so for long. */
const wholeEvery = 64;

export function createLeasedPlacement(leases: LeaseTable, options: PlacementOptions): RunningPlacement {
  return new LeasedPlacement(leases, options);
}

class LeasedPlacement implements RunningPlacement {
  private readonly lease: OwnLease;
  private readonly claims: ShardClaims;
  private readonly table: ShardTable;
  private readonly calls: SerialCalls;
  private readonly worker: ShardWorker | null;
  private readonly listeners = new Set<() => void>();
  private readonly known = new OneTimeSignal();
  private beats = 0;
  private seenAt: ClockReading | null = null;
  private looking: Promise<void> | null = null;
  /** The time in ms after which another heartbeat should follow the one in progress. */
  private again = Infinity;
  private nextLook: { at: number; cancel: () => void } | null = null;
  private cancelExpiry: () => void = () => undefined;
  private cancelEnd: () => void = () => undefined;
  private unwatch: () => void = () => undefined;
  /** Whether the other processes have been told that this one is draining. */
  private announced = false;
  private failing = false;
  /** Whether the last heartbeat failed because Redis was out of memory. */
  private outOfMemory = false;
  private stopped = false;

  constructor(
    private readonly leases: LeaseTable,
    private readonly o: PlacementOptions,
  ) {
    const { self, leaseMs, clock, host } = o;
    this.table = new ShardTable(o.shards);
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
        nextEpoch: (above) => o.nextEpoch(above),
        upToDate: () => o.upToDate(),
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

  ownerOf(shard: number): ShardOwner | null {
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
    return this.table.members;
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
    if (silent < this.o.leaseMs * 0.9) return null;
    return this.outOfMemory
      ? 'Redis is out of memory: which process serves what is not known.'
      : `Redis has not answered for ${Math.round(silent / 1000)} s: which process serves what is not known.`;
  }

  start(): Promise<void> {
    this.unwatch = this.leases.watch((news) => {
      this.onNotice(news);
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
      this.look(); // tell the others, or they would hand over shards to this process
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
    this.cancelEnd();
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

  /* Never rejects. Resolves with the time until the next heartbeat, ms. */
  private async beat(): Promise<number> {
    try {
      await this.calls.run(async () => {
        if (this.stopped) return;
        const sent = this.lease.now();
        const tell = this.worker?.draining === true && !this.announced;
        const known = this.beats++ % wholeEvery === 0 ? null : this.table.known;
        const answer = await this.calls.within(this.leases.beat(this.describe(), this.o.leaseMs, tell, known));
        if (tell) this.announced = true;
        if (!this.stopped) this.onAnswer(answer, sent);
      });
      this.succeeded();
      return this.pauseMs();
    } catch (error) {
      this.claims.expire();
      this.failed(error);
      return this.retryMs;
    }
  }

  private onAnswer(answer: HeartbeatAnswer, sent: ClockReading): void {
    const changed = this.table.learn(answer);
    this.awaitEnd(answer.firstEndMs);
    this.seenAt = sent;
    this.claims.seen(answer.born, (shard) => this.table.leaseOf(shard), sent);
    this.expireIn(this.lease.left);
    this.worker?.seen(answer);
    this.known.open();
    if (changed) this.changed();
    this.o.onBeat?.(answer.born);
  }

  private onNotice(news: TableNews | null): void {
    if (this.stopped) return;
    const changed = news && this.table.learn(news);
    if (news === null || changed === null) {
      this.lookIn(this.spread());
      return;
    }
    this.awaitEnd(news.firstEndMs);
    const { self } = this.o;
    const isLost = (shard: number): boolean => this.claims.has(shard) && this.table.leaseOf(shard).owner !== self;
    if (news.members.get(self) === null || news.leases.some(({ shard }) => isLost(shard))) this.lookIn(0);
    if (!changed) return;
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

  /* The time until the next heartbeat, or to the end of what the worker waits for. */
  private pauseMs(): number {
    const regular = (this.o.leaseMs / 3) * (1 - this.chance() / 10); // not all at the same time
    return Math.max(lookPauseMs, Math.min(regular, this.worker?.waitMs ?? Infinity));
  }

  /* Sends a heartbeat when the first of the others' leases has expired, unless another process was faster. */
  private awaitEnd(firstEndMs: number): void {
    this.cancelEnd();
    if (this.stopped || firstEndMs === Infinity) return;
    this.cancelEnd = this.o.clock.after(firstEndMs + lookPauseMs + this.spread(), () => {
      this.lookIn(0);
    });
  }

  private spread(): number {
    return this.chance() * spreadMs * this.table.members.length;
  }
  private chance(): number {
    return this.o.random?.() ?? Math.random();
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
    this.outOfMemory = isOutOfMemory(error);
    if (!this.failing)
      this.o.log.warn(
        { event: 'placement.unavailable', reason: reasonOf(error) },
        'the lease table in Redis cannot be read; this is retried until it can',
      );
    this.failing = true;
  }
}

/* A promise that can be resolved or rejected once from outside. */
class OneTimeSignal {
  open!: () => void;
  fail!: (error: Error) => void;
  readonly opened = new Promise<void>((resolve, reject) => {
    this.open = resolve;
    this.fail = reject;
  });
  constructor() {
    this.opened.catch(() => undefined);
  } // a rejection without a waiter must not be unhandled
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
