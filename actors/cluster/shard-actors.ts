/**
 * The actors of the shards that this process holds. Each shard has its own actor system, created on first use, drained
 * when the shard is given up, and dropped when it is lost.
 *
 *  ShardActors.P1 A shard is served from `acquired` until `handOver` has closed it or `lost` has dropped it, and by
 *     nobody else here.
 *  ShardActors.P2 Unfinished work resumes after `acquired`, and again a lease later, because the previous owner may
 *     have committed after the first scan (Model.H5). A full scan is repeated from time to time.
 *  ShardActors.P3 A hand-over keeps serving until no step is in progress or the grace time is over. The shard is then
 *     closed: pending decisions are committed and running steps are aborted (the next owner repeats them). A command is
 *     delayed only by the closing. A stop has one grace time for all its shards, and those without a step in progress
 *     leave first.
 *  ShardActors.P4 A recall index is kept only while its shards are held: what a process loses and gets back may have
 *     been changed by others meanwhile.
 */
import type { Placement, ShardHost } from '../../src/cluster/placement.js';
import { shardCount, shardOf } from '../../src/store/shards.js';
import type { Recall, RecallHit, RecallQuery } from '../../src/memory/port.js';
import { type LocalActors, type HostDependencies, startActors } from '../entities/local-actors.js';
import { recover } from '../entities/recovery.js';
import type { LocalSearch } from './remote-search.js';
import type { LocalShards } from './router.js';
import type { ActorStats } from '../runtime/system.js';
import type { SharedScheduler } from '../runtime/shared-scheduler.js';

export interface ShardActorsOptions {
  /** The world of all entities' actors; `ask` finds them wherever they are. */
  deps: HostDependencies;
  recall: Recall;
  /** All shards take turns in one scheduler. */
  scheduler: SharedScheduler;
  idleMs: number;
  leaseMs: number;
  /** While the process stops: what is left of the time that steps in progress have, ms; negative when it is over. Null before. */
  stopLeftMs(): number | null;
  /** Told with what was loaded to go on, for the log. */
  recovered?(entities: number, shards: number): void;
}

/** While a cluster merely rebalances, steps in progress have so long, ms. */
const rebalanceGraceMs = 5_000;
/** How long a closing shard may take to commit what is decided, ms. */
const closeMs = 2_000;
/** How often a hand-over looks whether steps are still in progress, ms. */
const quietPollMs = 20;
/** Everything is looked at again so often, ms. */
const rescanMs = 60_000;

interface Shard {
  actors: LocalActors | null;
  closing: boolean;
}

export class ShardActors implements ShardHost, LocalShards, LocalSearch {
  private readonly shards = new Map<number, Shard>();
  private generation = 0;
  private ended = { processed: 0, restarts: 0, faults: 0 };
  private readonly counts = { takeovers: 0, handovers: 0, lost: 0 };
  private placement: Placement | null = null;
  private readonly cancels = new Set<() => void>();
  private stopped = false;
  private looking: Promise<void> = Promise.resolve();

  constructor(private readonly o: ShardActorsOptions) {
    this.later(rescanMs, () => {
      this.rescan();
    });
  }

  /** Whose word counts on what is held; the two need each other. */
  attach(placement: Placement): void {
    this.placement = placement;
  }

  acquired(shards: readonly number[]): void {
    const taken = new Map(shards.map((shard): [number, Shard] => [shard, { actors: null, closing: false }]));
    for (const [shard, held] of taken) this.shards.set(shard, held);
    this.counts.takeovers += shards.length;
    this.shardsChanged(shards);
    this.resumeWork(taken);
    this.later(this.o.leaseMs, () => {
      this.resumeWork(taken);
    });
  }

  async handOver(shards: readonly number[]): Promise<void> {
    const until = this.o.deps.clock.elapsed() + rebalanceGraceMs;
    await Promise.all(shards.map((shard) => this.untilQuiet(shard, until)));
    // each commits within `closeMs`; those of a stop within that time after the end of its grace time, all together
    const closing = Math.max(0, Math.min(closeMs, closeMs + (this.o.stopLeftMs() ?? 0)));
    await Promise.all(shards.map((shard) => this.close(shard, closing)));
    this.counts.handovers += shards.length;
    this.shardsChanged(shards);
  }

  busy(shard: number): boolean {
    return (this.shards.get(shard)?.actors?.stats().children ?? 0) > 0;
  }

  lost(shards: readonly number[]): void {
    this.counts.lost += shards.length;
    for (const shard of shards)
      this.close(shard, 0).catch((error: unknown) => {
        this.o.deps.log.error(
          { event: 'shards.close_failed', err: error, shard },
          'the actors of a lost shard could not be stopped',
        );
      });
    this.shardsChanged(shards);
  }

  stats(): Readonly<Record<string, number>> {
    const { active, queued, children } = this.actorStats();
    return { shards: this.shards.size, actors: active, queued, steps: children, ...this.counts };
  }

  actorStats(): ActorStats {
    const sum = { active: 0, children: 0, queued: 0, ...this.ended };
    for (const { actors } of this.shards.values())
      if (actors) for (const [name, n] of Object.entries(actors.stats())) sum[name as keyof ActorStats] += n as number;
    return sum;
  }

  actorsOf(shard: number): LocalActors | null {
    const held = this.shards.get(shard);
    if (!held || held.closing || !this.placement?.holds(shard)) return null;
    return (held.actors ??= startActors(this.o.deps, { idleMs: this.o.idleMs, turns: this.o.scheduler }));
  }

  /** Again, where the shards that are held changed while it searched: an index may have been dropped under it. */
  async search(shards: readonly number[], query: RecallQuery): Promise<RecallHit[] | null> {
    for (;;) {
      const { generation } = this;
      if (!shards.every((shard) => this.shards.has(shard) && this.placement?.holds(shard))) return null;
      const hits = await this.o.recall.search(query);
      if (generation === this.generation) return hits;
    }
  }

  /** Ends everything that is left. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const cancel of this.cancels) cancel();
    await Promise.all([...this.shards.keys()].map((shard) => this.close(shard, 0)));
  }

  /** Resolves when no step of the shard is in progress, or the time is up: `until` by the clock's `elapsed`, or that of a stop. */
  private async untilQuiet(shard: number, until: number): Promise<void> {
    const { clock } = this.o.deps;
    const left = (): number => this.o.stopLeftMs() ?? until - clock.elapsed();
    while (this.busy(shard) && left() > 0)
      await new Promise<void>((resolve) => {
        this.later(quietPollMs, resolve);
      });
  }

  private async close(shard: number, graceMs: number): Promise<void> {
    const held = this.shards.get(shard);
    if (!held || held.closing) return;
    held.closing = true;
    if (held.actors) {
      await held.actors.stop(graceMs);
      const { processed, restarts, faults } = held.actors.stats();
      this.ended = {
        processed: this.ended.processed + processed,
        restarts: this.ended.restarts + restarts,
        faults: this.ended.faults + faults,
      };
    }
    if (this.shards.get(shard) === held) this.shards.delete(shard);
  }

  /** ShardActors.P4. */
  private shardsChanged(shards: readonly number[]): void {
    const moved = new Set(shards);
    this.generation++;
    this.o.recall.dropWhere((context) => context.id === '*' || moved.has(shardOf(context)));
  }

  /** One look after the other, and each no longer than the shards are held as they were meant: where leases come and go, looks must not pile up. */
  private resumeWork(meant: ReadonlyMap<number, Shard>, unfinished = true): void {
    const { deps, leaseMs } = this.o;
    const isStill = (shard: number): boolean =>
      this.shards.get(shard) !== undefined && this.shards.get(shard) === meant.get(shard);
    const look = async (): Promise<void> => {
      const left = [...meant.keys()].filter(isStill);
      if (this.stopped || left.length === 0) return;
      const entities = await recover(
        deps,
        () => this.stopped || !left.some(isStill),
        left.length === shardCount ? undefined : left,
        (head) => isStill(shardOf(head.entity)),
        unfinished,
      );
      this.o.recovered?.(entities, left.length);
    };
    this.looking = this.looking.then(look).catch((error: unknown) => {
      deps.log.error(
        { event: 'recovery.failed', err: error },
        'not every entity with unfinished work could be loaded; this is retried',
      );
      this.later(leaseMs, () => {
        this.resumeWork(meant, unfinished);
      });
    });
  }

  private rescan(): void {
    // what a commit left undone was finished at the takeover, by the load
    this.resumeWork(new Map(this.shards), false);
    this.later(rescanMs, () => {
      this.rescan();
    });
  }

  private later(ms: number, fn: () => void): void {
    if (this.stopped) return;
    const cancel = this.o.deps.clock.after(ms, () => {
      this.cancels.delete(cancel);
      fn();
    });
    this.cancels.add(cancel);
  }
}
