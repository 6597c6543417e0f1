/**
 * The scheduler of a process, shared by its actor systems, with one lane for each workspace. A worker of a cluster has
 * a system for each shard (shard-actors.ts), and a workspace's fair share must not grow with the number of shards of
 * its agents.
 */
import { eventLoop, Lane, Scheduler, type EventLoop } from './scheduler.js';

export interface SchedulerOptions {
  /** The event loop; tests step one by hand. */
  readonly loop?: EventLoop;
  readonly tuning?: Partial<SchedulerTuning>;
}

/** Values that only tests change. */
export interface SchedulerTuning {
  /** Messages that an actor, and a workspace, may handle before another's turn. */
  readonly burst: number;
  /** The actors' share of one turn of the event loop, ms. */
  readonly budgetMs: number;
}
const usualTuning: SchedulerTuning = { burst: 64, budgetMs: 1.5 };

export class SharedScheduler {
  readonly scheduler: Scheduler;
  private readonly lanes = new Map<string, { lane: Lane; users: number }>();

  constructor({ loop = eventLoop, tuning }: SchedulerOptions = {}) {
    const { burst, budgetMs } = { ...usualTuning, ...tuning };
    this.scheduler = new Scheduler(loop, burst, budgetMs);
  }

  /** The workspace's lane, kept until everyone who entered has left. */
  enter(workspace: string): Lane {
    let entry = this.lanes.get(workspace);
    if (!entry) this.lanes.set(workspace, (entry = { lane: new Lane(), users: 0 }));
    entry.users++;
    return entry.lane;
  }

  leave(workspace: string): void {
    const entry = this.lanes.get(workspace);
    if (entry && --entry.users === 0) this.lanes.delete(workspace);
  }
}
