/**
 * Schedules actors: one run queue for all actors of a process, instead of one timer or immediate for each. A worker of
 * a cluster has an actor system for each shard (shard-actors.ts), which share it, so that a workspace's fair share does
 * not grow with the number of shards of its agents.
 *
 * Invariants
 *  - Actors get at most `budgetMs` of a turn of the event loop (plus the message in progress), and then I/O is served.
 *    Time used by callers between two drains of one turn counts too, so a chain of asks and answers cannot block the
 *    loop.
 *  - Workspaces take turns, each with at most `burst` messages, and so do the actors within a workspace: a flood
 *    delays another workspace by one burst a round, however many actors it floods.
 *  - A ready task is in the queue, and a non-empty queue always has a drain scheduled.
 *  - The first task of an idle scheduler runs in a microtask of the same turn, so a single ask does not wait for
 *    another turn.
 *
 * On failure: `run` must not throw. If it does, that is a defect of the runtime: the exception is rethrown to the
 * process, and the queue continues in the next turn.
 */
import { Linked, LinkedList } from '../../src/base/linked-list.js';

export abstract class Runnable extends Linked<Runnable> {
  abstract readonly lane: Lane;
  /** Checked after each run: whether there is more to do at once. */
  abstract readonly ready: boolean;
  /** Handles up to `limit` messages, and stops early when `overdue` says so. Returns how many. */
  abstract run(limit: number): number;
}

/** Access to the event loop; tests step it by hand. */
export interface EventLoop {
  /** Monotonic milliseconds with fractions. */
  elapsed(): number;
  microtask(fn: () => void): void;
  immediate(fn: () => void): void;
}

export const eventLoop: EventLoop = {
  elapsed: () => performance.now(),
  microtask: (fn) => {
    queueMicrotask(fn);
  },
  immediate: (fn) => {
    setImmediate(fn);
  },
};

/** The ready actors of one workspace, and its place in the round. */
export class Lane extends Linked<Lane> {
  readonly tasks = new LinkedList<Runnable>();
  /** The systems that have actors of this workspace. */
  users = 0;
}

export interface SchedulerOptions {
  /** Tests step one by hand. */
  readonly loop?: EventLoop;
  /** Messages that an actor, and a workspace, may handle before another's turn. */
  readonly burst?: number;
  /** The actors' share of one turn of the event loop, ms. */
  readonly budgetMs?: number;
}

export class Scheduler {
  private readonly lanes = new Map<string, Lane>();
  private readonly round = new LinkedList<Lane>();
  private draining = false;
  /** A draining microtask is scheduled. */
  private called = false;
  /** A turn has begun, and the immediate that ends it is scheduled. */
  private turn = false;
  private deadline = 0;
  private readonly drainInMicrotask = (): void => {
    this.called = false;
    this.drain();
  };
  private readonly nextTurn = (): void => {
    this.turn = false;
    if (this.round.first) {
      this.openTurn();
      this.drain();
    }
  };

  private readonly loop: EventLoop;
  private readonly burst: number;
  private readonly budgetMs: number;

  constructor({ loop = eventLoop, burst = 64, budgetMs = 1.5 }: SchedulerOptions = {}) {
    this.loop = loop;
    this.burst = burst;
    this.budgetMs = budgetMs;
  }

  /** The workspace's lane, kept until everyone who entered has left. */
  enter(workspace: string): Lane {
    let lane = this.lanes.get(workspace);
    if (!lane) this.lanes.set(workspace, (lane = new Lane()));
    lane.users++;
    return lane;
  }

  leave(workspace: string): void {
    const lane = this.lanes.get(workspace);
    if (lane && --lane.users === 0) this.lanes.delete(workspace);
  }

  /** Queues a task unless it is queued already. */
  schedule(task: Runnable): void {
    if (task.list) return;
    task.lane.tasks.push(task);
    if (!task.lane.list) this.round.push(task.lane);
    if (this.draining || this.called) return;
    if (!this.turn) this.openTurn();
    else if (this.overdue()) return;
    this.called = true;
    this.loop.microtask(this.drainInMicrotask);
  }

  /** Whether this turn's time is used up. */
  overdue(): boolean {
    return this.loop.elapsed() >= this.deadline;
  }

  private openTurn(): void {
    this.turn = true;
    this.deadline = this.loop.elapsed() + this.budgetMs;
    this.loop.immediate(this.nextTurn);
  }

  private drain(): void {
    if (this.draining) return;
    this.draining = true;
    try {
      let lane: Lane | undefined;
      let late = false;
      while (!late && (lane = this.round.shift())) late = this.visit(lane);
    } finally {
      this.draining = false;
    }
  }

  /** One workspace's turn in the round. True when time is up. */
  private visit(lane: Lane): boolean {
    let left = this.burst;
    let late = false;
    try {
      while (left > 0 && !late) {
        const task = lane.tasks.shift();
        if (!task) break;
        left -= Math.max(1, task.run(left));
        if (task.ready && !task.list) lane.tasks.push(task);
        late = this.overdue();
      }
    } finally {
      if (lane.tasks.first && !lane.list) this.round.push(lane);
    }
    return late;
  }
}
