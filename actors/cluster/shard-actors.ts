/**
 * The actors of the shards that this process holds. Each shard has its own actor system, created on first use, drained
 * when the shard is given up, and dropped when it is lost.
 *
 *  - A shard is served from `acquired` until `handOver` has closed it or `lost` has dropped it, and by no
 *     other part of this process.
 *  - Unfinished work resumes after `acquired`, and again a lease later, because the previous owner may have committed
 *    after the first scan (Model.H5). A full scan is repeated from time to time.
 *  - A hand-over keeps serving until no step is in progress or the grace time is over. The shard is then closed:
 *    pending decisions are committed and running steps are aborted (the next owner repeats them). A command is delayed
 *    only by the closing. When the process stops, one grace time covers all its shards, and shards without a step in
 *    progress leave first.
 *  - A recall index is kept only while its shards are held: if a process loses a shard and gets it back, others may
 *    have changed its data meanwhile. The index of a whole workspace is dropped when shards move in which the
 *    workspace has entities; the next search looks that up.
 *  - Which shards are served (`serves`) changes when the indexes are told, and at no other time. An index that is
 *    built while shards are closed has what is in them, and a lease that lapses and is renewed leaves nothing out.
 */
import type { Placement, ShardHost } from '../../src/cluster/placement.js';
import type { Recall, RecallHits, RecallQuery } from '../../src/memory/port.js';
import type { EntityRef } from '../../src/store/port.js';
import { type LocalActors, type HostDeps, startActors } from '../entities/local-actors.js';
import { recover } from '../entities/recovery.js';
import type { LocalSearch } from './remote-search.js';
import type { LocalShards } from './request-server.js';
import type { ActorStats } from '../runtime/system.js';
import type { Scheduler } from '../runtime/scheduler.js';

export interface ShardActorsOptions {
  /** The dependencies of all entities' actors; `ask` reaches an actor in whatever process it lives. */
  deps: HostDeps;
  recall: Recall;
  /** One scheduler, shared by the actors of all shards. */
  scheduler: Scheduler;
  idleMs: number;
  leaseMs: number;
  /** Whether the workspace has entities in any of these shards, or had some not long ago. */
  hasEntities(workspace: string, shards: readonly number[]): Promise<boolean>;
  /**
   * While the process stops: how much longer steps in progress may take, ms; negative once that time is over. Null if
   * the process is not stopping.
   */
  stopLeftMs(): number | null;
  /** Called, for the log, with the number of entities that were loaded to resume their work. */
  recovered?(entities: number, shards: number): void;
}

/** The grace time of steps in progress during a rebalance, ms. */
const rebalanceGraceMs = 5_000;
/** How long a hand-over waits for indexes to be kept, ms. */
const mostKeepMs = 3_000;
/** How long a closing shard may take to commit pending decisions, ms. */
const closeMs = 2_000;
/** The interval at which a hand-over checks for steps in progress, ms. */
const quietPollMs = 20;
/** The interval between full scans for unfinished work, ms. */
const rescanMs = 60_000;

interface Shard {
  actors: LocalActors | null;
  closing: boolean;
}

export class ShardActors implements ShardHost, LocalShards, LocalSearch {
  private readonly shards = new Map<number, Shard>();
  private readonly served = new Set<number>();
  private generation = 0;
  /** The shards that have moved since a search last used the index of a whole workspace, by workspace. */
  private moved = new Map<string, Set<number>>();
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

  /** Sets the placement, which decides what is held. It is not a constructor argument because each needs the other. */
  attach(placement: Placement): void {
    this.placement = placement;
  }

  acquired(shards: readonly number[]): void {
    const taken = new Map(shards.map((shard): [number, Shard] => [shard, { actors: null, closing: false }]));
    for (const [shard, held] of taken) {
      this.shards.set(shard, held);
      this.served.add(shard);
    }
    this.counts.takeovers += shards.length;
    this.shardsChanged(shards);
    this.resumeWork(taken);
    this.later(this.o.leaseMs, () => {
      this.resumeWork(taken);
    });
  }

  async handOver(shards: readonly number[]): Promise<void> {
    const until = this.o.deps.clock.elapsed() + rebalanceGraceMs;
    await Promise.all([this.keepIndexes(shards), ...shards.map((shard) => this.untilQuiet(shard, until))]);
    // Each shard has `closeMs` to commit. When the process stops, all must be done within `closeMs` of the grace time's
    // end.
    const closing = Math.max(0, Math.min(closeMs, closeMs + (this.o.stopLeftMs() ?? 0)));
    await Promise.all(shards.map((shard) => this.close(shard, closing)));
    this.counts.handovers += shards.length;
    for (const shard of shards) if (!this.shards.has(shard)) this.served.delete(shard); // the others were acquired again
    this.shardsChanged(shards);
  }

  /** Keeps the large indexes for the next owner, who adds what is committed until the shards are closed. */
  private async keepIndexes(shards: readonly number[]): Promise<void> {
    const leaving = new Set(shards);
    const keepMs = Math.min(mostKeepMs, this.o.stopLeftMs() ?? mostKeepMs);
    if (keepMs <= 0) return;
    await Promise.race([
      this.o.recall.keep((space) => leaving.has(this.o.deps.store.shards.of(space))),
      new Promise<void>((resolve) => {
        this.later(keepMs, resolve);
      }),
    ]);
  }

  /** Whether this process serves the shard, for its recall indexes. */
  serves(shard: number): boolean {
    return this.served.has(shard);
  }

  busy(shard: number): boolean {
    return (this.shards.get(shard)?.actors?.stats().children ?? 0) > 0;
  }

  lost(shards: readonly number[]): void {
    this.counts.lost += shards.length;
    for (const shard of shards) {
      this.served.delete(shard);
      this.close(shard, 0).catch((error: unknown) => {
        this.o.deps.log.error(
          { event: 'shards.close_failed', err: error, shard },
          'the actors of a lost shard could not be stopped',
        );
      });
    }
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
    return (held.actors ??= startActors(this.o.deps, { idleMs: this.o.idleMs, scheduler: this.o.scheduler }));
  }

  /**
   * Repeats the search if the held shards changed meanwhile, because an index may have been dropped during the search.
   */
  async search(shards: readonly number[], query: RecallQuery): Promise<RecallHits | null> {
    for (;;) {
      const { generation } = this;
      if (!shards.every((shard) => this.served.has(shard) && this.placement?.holds(shard))) return null;
      for (const space of query.spaces) if (space.id === '*') await this.dropIfMoved(space);
      if (generation !== this.generation) continue;
      const hits = await this.o.recall.search(query);
      if (generation === this.generation) return hits;
    }
  }

  /** Closes all remaining shards. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const cancel of this.cancels) cancel();
    await Promise.all([...this.shards.keys()].map((shard) => this.close(shard, 0)));
  }

  /**
   * Resolves when the shard has no step in progress, or when the time is up: at `until` by the clock's `elapsed`, or,
   * if the process is stopping, at the end of its grace time.
   */
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

  /** Drops the recall indexes of shards that were acquired or given up. */
  private shardsChanged(shards: readonly number[]): void {
    const changed = new Set(shards);
    this.generation++;
    const before = this.moved;
    this.moved = new Map();
    this.o.recall.dropWhere((space) => {
      if (space.id !== '*') return changed.has(this.o.deps.store.shards.of(space));
      const { workspace } = space;
      this.moved.set(workspace, new Set([...(before.get(workspace) ?? []), ...changed]));
      return false;
    });
  }

  /** Drops the index of a whole workspace if it may lack documents, or hold some that are kept elsewhere now. */
  private async dropIfMoved(space: EntityRef): Promise<void> {
    const { workspace } = space;
    const moved = this.moved.get(workspace);
    if (!moved) return;
    const isOutdated = await this.o.hasEntities(workspace, [...moved]);
    if (this.moved.get(workspace) !== moved) return; // another search has seen to it, or more shards have moved
    this.moved.delete(workspace);
    if (isOutdated) this.o.recall.drop(space);
  }

  /**
   * Loads the entities of these shards that have unfinished work. Scans run one after another, and each stops when its
   * shards are no longer held under the same acquisition, so that scans do not pile up when leases come and go.
   */
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
        left.length === deps.store.shards.count ? undefined : left,
        (head) => isStill(deps.store.shards.of(head.entity)),
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
    // Work left over by a previous owner's commits was finished at the takeover, when its entities were loaded.
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
