/**
 * Limits how many pushes are in progress, in total, of each workspace and to each origin, so that a receiver that hangs
 * delays only its own pushes, and a workspace with many such receivers only its own.
 *
 *  - At most `total` permits are in use, and at most `perLane` in one lane, which is an origin of one workspace.
 *  FairLanes.S1 A workspace takes no more permits than it leaves to others: the first half of what is free, the next
 *     half of the rest. So whoever has none gets one, unless a dozen workspaces hold as much as they may.
 *  - Workspaces that wait are served round-robin, and so are the lanes of each. Within a lane the order is first come,
 *    first served.
 *  - A lane whose last push failed (no response in time, no connection) gets only `perSickLane` permits at once until
 *    one succeeds, so that it takes many hanging receivers to use up `total`.
 *  - A permit is released once; a waiter that is cancelled takes no permit.
 */
export interface LaneLimits {
  total: number;
  perLane: number;
  perSickLane: number;
}

/** Call this once when the push is over; `well` says that the receiver responded as it should. */
export type Release = (well: boolean) => void;

interface Lane {
  name: string;
  share: Share;
  out: number;
  waiting: Set<(end: Release) => void>;
  queued: boolean;
}

/** What one workspace has. */
interface Share {
  out: number;
  lanes: number;
  /** Its lanes that have a waiter and may take a permit, in round-robin order. */
  circle: Lane[];
  queued: boolean;
}

/** The number of empty lanes that are remembered as failing. */
const maxSick = 4096;

export class FairLanes {
  private readonly lanes = new Map<string, Lane>();
  private readonly shares = new Map<string, Share>();
  /** Workspaces that have a lane in their circle, in round-robin order. */
  private readonly ring: Share[] = [];
  private readonly sick = new Set<string>();
  private out = 0;

  constructor(private readonly limits: LaneLimits) {}

  /** Resolves when this caller may push; rejects with the signal's reason when cancelled before. */
  permit(workspace: string, origin: string, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const lane = this.lane(workspace, origin);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        lane.waiting.delete(start);
        this.forget(lane);
        reject(signal.reason as Error);
      };
      const start = (end: Release): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(end);
      };
      lane.waiting.add(start);
      this.enqueue(lane);
      this.serve();
      if (lane.waiting.has(start)) signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  private lane(workspace: string, origin: string): Lane {
    const name = `${workspace} ${origin}`;
    let lane = this.lanes.get(name);
    if (lane) return lane;
    let share = this.shares.get(workspace);
    if (!share) this.shares.set(workspace, (share = { out: 0, lanes: 0, circle: [], queued: false }));
    share.lanes++;
    this.lanes.set(name, (lane = { name, share, out: 0, waiting: new Set(), queued: false }));
    return lane;
  }

  private enqueue(lane: Lane): void {
    if (lane.queued || lane.waiting.size === 0 || this.isFull(lane)) return;
    lane.queued = true;
    lane.share.circle.push(lane);
    this.enqueueShare(lane.share);
  }

  private enqueueShare(share: Share): void {
    if (share.queued || share.circle.length === 0) return;
    share.queued = true;
    this.ring.push(share);
  }

  private isFull({ name, out }: Lane): boolean {
    return out >= (this.sick.has(name) ? this.limits.perSickLane : this.limits.perLane);
  }

  private serve(): void {
    for (let passed = 0; passed < this.ring.length;) {
      const share = this.ring.shift() as Share;
      share.queued = false;
      const took = share.out < this.limits.total - this.out && this.serveOne(share);
      this.enqueueShare(share);
      passed = took ? 0 : passed + 1;
    }
  }

  private serveOne(share: Share): boolean {
    for (let lane = share.circle.shift(); lane; lane = share.circle.shift()) {
      lane.queued = false;
      const [first] = lane.waiting;
      // the waiter was cancelled, or the lane is failing or full: it returns here when a permit is released
      if (!first || this.isFull(lane)) continue;
      lane.waiting.delete(first);
      lane.out++;
      share.out++;
      this.out++;
      this.enqueue(lane);
      first(this.ending(lane));
      return true;
    }
    return false;
  }

  private ending(lane: Lane): Release {
    let over = false;
    return (well) => {
      if (over) return;
      over = true;
      lane.out--;
      lane.share.out--;
      this.out--;
      this.judge(lane, well);
      this.enqueue(lane);
      this.forget(lane);
      this.serve();
    };
  }

  private judge({ name }: Lane, well: boolean): void {
    this.sick.delete(name);
    if (well) return;
    this.sick.add(name);
    const [oldest] = this.sick;
    if (this.sick.size > maxSick && oldest !== undefined) this.sick.delete(oldest);
  }

  private forget(lane: Lane): void {
    if (lane.out > 0 || lane.waiting.size > 0 || !this.lanes.delete(lane.name)) return;
    const [workspace = ''] = lane.name.split(' ', 1);
    if (--lane.share.lanes === 0) this.shares.delete(workspace);
  }
}
