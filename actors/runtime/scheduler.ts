/**
 * Who runs next: one run queue for all actors of a process, instead of one timer or immediate per actor.
 *
 * Invariants
 *  Scheduler.S1 A turn of the event loop gives actors at most `budgetMs` (and the message in hand); then I/O has its
 *     turn. Time spent by callers between two drains of one turn counts too, so a chain of asks and answers cannot hold
 *     the loop.
 *  Scheduler.S2 Workspaces take turns, each with at most `burst` messages, and so do the actors of a workspace among
 *     themselves: a flood delays another workspace by one burst a round, however many actors it floods.
 *  Scheduler.S3 A task that is ready is in the queue, and the queue is never left without a drain to come.
 *  Scheduler.S4 The first task of an idle scheduler runs in a microtask of the same turn: a lone ask pays for no turn.
 *
 * When it fails: `run` must not throw. If it does all the same, that is a defect of the runtime; the exception is
 * thrown to the process, and what is queued goes on in the next turn.
 */
export interface Runnable {
  readonly lane: Lane;
  nextRunnable: Runnable | undefined;
  /** Set by the scheduler alone. */
  queued: boolean;
  /** Asked after each run: whether there is something left to do at once. */
  readonly ready: boolean;
  /** Handles up to `limit` messages, and stops early when `overdue` says so. Returns how many. */
  run(limit: number): number;
}

/** How the loop is reached; tests step it by hand. */
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
export class Lane {
  nextLane: Lane | undefined = undefined;
  queued = false;
  private first: Runnable | undefined = undefined;
  private last: Runnable | undefined = undefined;

  get empty(): boolean {
    return this.first === undefined;
  }

  push(task: Runnable): void {
    task.queued = true;
    if (this.last) this.last.nextRunnable = task;
    else this.first = task;
    this.last = task;
  }

  shift(): Runnable | undefined {
    const task = this.first;
    if (!task) return undefined;
    this.first = task.nextRunnable;
    if (!this.first) this.last = undefined;
    task.nextRunnable = undefined;
    task.queued = false;
    return task;
  }
}

export class Scheduler {
  private first: Lane | undefined = undefined;
  private last: Lane | undefined = undefined;
  private draining = false;
  /** A microtask that drains is on its way. */
  private called = false;
  /** A turn is open: an immediate that ends it is on its way. */
  private turn = false;
  private deadline = 0;
  private readonly drainInMicrotask = (): void => {
    this.called = false;
    this.drain();
  };
  private readonly nextTurn = (): void => {
    this.turn = false;
    if (this.first) {
      this.openTurn();
      this.drain();
    }
  };

  constructor(
    private readonly loop: EventLoop,
    private readonly burst: number,
    private readonly budgetMs: number,
  ) {}

  /** Puts a task into the queue, where it is not there already. */
  schedule(task: Runnable): void {
    if (task.queued) return;
    this.enqueue(task);
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
      while (!late && (lane = this.shiftLane())) late = this.visit(lane);
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
        const task = lane.shift();
        if (!task) break;
        left -= Math.max(1, task.run(left));
        if (task.ready && !task.queued) lane.push(task);
        late = this.overdue();
      }
    } finally {
      if (!lane.empty) this.pushLane(lane);
    }
    return late;
  }

  private enqueue(task: Runnable): void {
    task.lane.push(task);
    this.pushLane(task.lane);
  }

  private pushLane(lane: Lane): void {
    if (lane.queued) return;
    lane.queued = true;
    if (this.last) this.last.nextLane = lane;
    else this.first = lane;
    this.last = lane;
  }

  private shiftLane(): Lane | undefined {
    const lane = this.first;
    if (!lane) return undefined;
    this.first = lane.nextLane;
    if (!this.first) this.last = undefined;
    lane.nextLane = undefined;
    lane.queued = false;
    return lane;
  }
}
