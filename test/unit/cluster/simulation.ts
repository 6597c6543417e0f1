/**
 * Processes of a cluster over the lease table in memory, in a time that the test moves: with pauses, losses and kills.
 */
import type { LeaseTable } from '../../../src/cluster/leases.js';
import { createLeasedPlacement, type RunningPlacement } from '../../../src/cluster/leased-placement.js';
import type { ShardHost } from '../../../src/cluster/placement.js';
import { fewestShards } from '../../../src/store/shards.js';
import type { Clock } from '../../../src/domain/shared/clock.js';
import { FakeLeases } from './fake-lease-table.js';
import { turn } from '../../helpers/turn.js';

export const leaseMs = 1000;

/** Time for all. */
export class World {
  time = 1_000_000;
  private timers: { at: number; fn: () => void }[] = [];
  /** How far the clock of Redis is behind, ms. */
  redisBehindMs = 0;
  readonly leases = new FakeLeases(() => this.time - this.redisBehindMs);
  readonly processes: Process[] = [];
  epoch = 0;
  /** Whether a process reads what was committed before, or when it does. */
  upToDate: () => void | Promise<void> = () => undefined;
  /** What is random in the network comes from here, so that a run can be repeated. */
  constructor(readonly random: () => number = () => 0) {}

  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.time + Math.max(0, ms), fn };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  async run(ms: number, check: () => void = () => undefined): Promise<void> {
    const end = this.time + ms;
    await turn();
    for (;;) {
      const next = this.timers.reduce<{ at: number; fn: () => void } | null>(
        (first, timer) => (timer.at <= end && (first === null || timer.at < first.at) ? timer : first),
        null,
      );
      if (next === null) break;
      this.time = Math.max(this.time, next.at);
      this.timers = this.timers.filter((timer) => timer !== next);
      next.fn();
      await turn();
      check();
    }
    this.time = end;
    check();
  }

  start(name: string, role: 'worker' | 'gateway' = 'worker'): Process {
    const process = new Process(this, name, role);
    this.processes.push(process);
    return process;
  }

  get living(): Process[] {
    return this.processes.filter(({ over }) => !over);
  }
}

/**
 * How a process's network is: how long an answer takes, and how often a call is lost before or after it took effect (0
 * to 1).
 */
export interface Network {
  delayMs: number;
  loss: number;
}

export class Process implements ShardHost, Clock {
  readonly placement: RunningPlacement;
  readonly has = new Set<number>();
  /** Shards with work in progress. */
  readonly working = new Set<number>();
  /** What was handed over, call by call. */
  readonly handOvers: (readonly number[])[] = [];
  readonly complaints: string[] = [];
  readonly told = { acquired: 0, lost: 0, handedOver: 0 };
  network: Network = { delayMs: 2, loss: 0 };
  /** It has ended, or was killed. */
  over = false;
  wallOffset = 0;
  private held: (() => void)[] | null = null;

  constructor(
    private readonly world: World,
    readonly name: string,
    role: 'worker' | 'gateway',
  ) {
    this.placement = createLeasedPlacement(this.table(), {
      self: name,
      role,
      shards: fewestShards.count,
      about: {},
      host: role === 'gateway' ? null : this,
      leaseMs,
      clock: this,
      monotonic: () => world.time,
      random: () => 0,
      nextEpoch: () => this.call(() => ++world.epoch),
      upToDate: async () => this.call(() => world.upToDate()),
      log: { info: () => undefined, warn: () => undefined },
      mayBeHeld: async () => true,
    });
    this.placement.start().catch(() => undefined); // one that is killed before it begins
  }

  // its clock: nothing happens in it while it is paused
  now(): number {
    return this.world.time + this.wallOffset;
  }
  after(ms: number, fn: () => void): () => void {
    let cancelled = false;
    const cancel = this.world.after(ms, () => {
      this.when(() => {
        if (!cancelled) fn();
      });
    });
    return () => {
      cancelled = true;
      cancel();
    };
  }
  pause(): void {
    this.held ??= [];
  }
  resume(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const fn of held) fn();
  }
  private when(fn: () => void): void {
    if (this.held) this.held.push(fn);
    else fn();
  }

  kill(): void {
    this.over = true;
    this.pause();
  }

  // its host
  acquired(shards: readonly number[]): void {
    this.told.acquired += shards.length;
    for (const shard of shards) {
      if (this.has.has(shard)) this.complaints.push(`acquired ${shard}, which it had`);
      this.has.add(shard);
    }
  }
  async handOver(shards: readonly number[]): Promise<void> {
    this.told.handedOver += shards.length;
    this.handOvers.push(shards);
    await new Promise<void>((resolve) => {
      this.after(20, resolve);
    });
    for (const shard of shards) this.has.delete(shard);
  }
  busy(shard: number): boolean {
    return this.working.has(shard);
  }
  lost(shards: readonly number[]): void {
    this.told.lost += shards.length;
    for (const shard of shards) this.has.delete(shard);
  }

  // its network
  private table(): LeaseTable {
    const { leases } = this.world;
    return {
      beat: (member, ms, tell, known) => this.call(() => leases.beat(member, ms, tell, known)),
      acquire: (self, shards, epoch) => this.call(() => leases.acquire(self, shards, epoch)),
      release: (self, given, leave) => this.call(() => leases.release(self, given, leave)),
      watch: (told) =>
        leases.watch((news) => {
          if (!this.lost1())
            this.world.after(this.latency(), () => {
              this.when(() => {
                told(news);
              });
            });
        }),
    };
  }
  private latency(): number {
    return 1 + this.network.delayMs * this.world.random();
  }
  private lost1(): boolean {
    return this.world.random() < this.network.loss;
  }

  /** Takes effect some time later, is answered some time after that, or one of them not at all. */
  private call<T>(effect: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.lost1()) {
        this.after(this.latency(), () => {
          reject(new Error('lost on the way there'));
        });
        return;
      }
      this.world.after(this.latency(), () => {
        const answered = attempt(effect);
        answered.catch(() => undefined); // told below, later
        if (this.lost1())
          this.after(this.latency(), () => {
            reject(new Error('lost on the way back'));
          });
        else
          this.world.after(this.latency(), () => {
            this.when(() => {
              answered.then(resolve, reject);
            });
          });
      });
    });
  }
}

async function attempt<T>(effect: () => T): Promise<T> {
  return effect();
}

/** Who holds the shard by its own clocks, now. */
export const holders = (world: World, shard: number): string[] =>
  world.living.filter(({ placement }) => placement.holds(shard)).map(({ name }) => name);

export const shards = fewestShards.all;
