/**
 * Turns: how many pushes are on their way at once, in all and to each origin, so that a receiver that hangs holds up
 * its own pushes and nobody else's.
 *
 *  PushLanes.L1 At most `total` turns are out, and at most `perLane` in one lane.
 *  PushLanes.L2 Waiting lanes take turns in a circle, one at a time: a lane with one waiter waits for one turn of each
 *     other lane at most. Within a lane it is first come, first served.
 *  PushLanes.L3 A lane whose last turn ended badly (no answer in time, no connection) gets `perSickLane` turns at once
 *     until one ends well, so that it takes many hanging receivers to use up `total`.
 *  PushLanes.L4 A turn ends once; a waiter that is given up takes no turn.
 */
export interface LaneLimits {
  total: number;
  perLane: number;
  perSickLane: number;
}

/** To be called once when the turn is over; `well` says that the receiver answered as it should. */
export type EndTurn = (well: boolean) => void;

interface Lane {
  name: string;
  out: number;
  waiting: Set<(end: EndTurn) => void>;
  queued: boolean;
}

/** Lanes remembered as sick while they are empty. */
const maxSick = 4096;

export class FairLanes {
  private readonly lanes = new Map<string, Lane>();
  /** Those that have a waiter and may take a turn, in the order of the circle (PushLanes.L2). */
  private readonly circle: Lane[] = [];
  private readonly sick = new Set<string>();
  private out = 0;

  constructor(private readonly limits: LaneLimits) {}

  /** Resolves when it is this caller's turn; rejects with the signal's reason when it is given up before. */
  turn(name: string, signal: AbortSignal): Promise<EndTurn> {
    signal.throwIfAborted();
    const lane = this.lane(name);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        lane.waiting.delete(start);
        this.forget(lane);
        reject(signal.reason as Error);
      };
      const start = (end: EndTurn): void => {
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
      if (!first || this.isFull(lane)) continue; // given up, or fallen sick since; then it comes back when a turn ends
      lane.waiting.delete(first);
      lane.out++;
      this.out++;
      this.enqueue(lane);
      first(this.ending(lane));
    }
  }

  private ending(lane: Lane): EndTurn {
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
