/**
 * Limits how many pushes are in progress, in total and to each origin, so that a receiver that hangs delays only its
 * own pushes.
 *
 *  - At most `total` permits are in use, and at most `perLane` in one lane.
 *  - Waiting lanes are served round-robin: a lane waits for at most one push of each other lane. Within a lane the
 *    order is first come, first served.
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
  out: number;
  waiting: Set<(end: Release) => void>;
  queued: boolean;
}

/** The number of empty lanes that are remembered as failing. */
const maxSick = 4096;

export class FairLanes {
  private readonly lanes = new Map<string, Lane>();
  /** Lanes that have a waiter and may take a permit, in round-robin order. */
  private readonly circle: Lane[] = [];
  private readonly sick = new Set<string>();
  private out = 0;

  constructor(private readonly limits: LaneLimits) {}

  /** Resolves when this caller may push; rejects with the signal's reason when cancelled before. */
  permit(name: string, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const lane = this.lane(name);
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

  private lane(name: string): Lane {
    let lane = this.lanes.get(name);
    if (!lane) this.lanes.set(name, (lane = { name, out: 0, waiting: new Set(), queued: false }));
    return lane;
  }

  private enqueue(lane: Lane): void {
    if (lane.queued || lane.waiting.size === 0 || this.isFull(lane)) return;
    lane.queued = true;
    this.circle.push(lane);
  }

  private isFull({ name, out }: Lane): boolean {
    return out >= (this.sick.has(name) ? this.limits.perSickLane : this.limits.perLane);
  }

  private serve(): void {
    while (this.out < this.limits.total) {
      const lane = this.circle.shift();
      if (!lane) return;
      lane.queued = false;
      const [first] = lane.waiting;
      // the waiter was cancelled, or the lane is failing or full: it returns here when a permit is released
      if (!first || this.isFull(lane)) continue;
      lane.waiting.delete(first);
      lane.out++;
      this.out++;
      this.enqueue(lane);
      first(this.ending(lane));
    }
  }

  private ending(lane: Lane): Release {
    let over = false;
    return (well) => {
      if (over) return;
      over = true;
      lane.out--;
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
    if (lane.out === 0 && lane.waiting.size === 0) this.lanes.delete(lane.name);
  }
}
