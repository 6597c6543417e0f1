/**
 * Fairness between workspaces: a flood of requests from one workspace hardly slows the others down.
 *
 * A process handles all requests in one event loop and commits in groups, so a workspace with hundreds of requests in
 * progress makes every turn and every commit group longer for all. While several workspaces are active, each may
 * therefore have only a few requests in progress, and its others wait in a queue of its own. Requests that are served
 * in the turn in which they begin, such as searches, would still fill a turn together, so no more begin in one than
 * fit. Nothing is refused here, and a workspace that is alone can use the whole process.
 *
 * Invariants
 *  - As long as no other workspace has sent a request within `recentMs`, all requests of a workspace proceed as soon
 *    as there is time (FairShare.F6).
 *  - Otherwise at most `share` of them hold a slot at a time; the others follow in order of arrival.
 *  - A request holds its slot until its response is over, but for at most `holdMs`, so streams and messages that wait
 *    for a model do not block others for long.
 *  - A request that entered proceeds exactly once, or never if its client disconnects first.
 *  - Each request costs O(1), and there is no state for a workspace without requests.
 *  FairShare.F6 No request proceeds in a turn of the event loop whose time is used up (turns.ts). Those that were too
 *     late proceed one by one in the next turns, the workspaces taking turns.
 * The number of waiting requests is bounded by the concurrency limits of the keys (limiter.ts), which they have passed.
 */
import { Linked, LinkedList } from '../../src/base/linked-list.js';
import type { Clock } from '../../src/domain/clock.js';
import type { Principal } from '../../src/service.js';
import type { Turns } from '../turns.js';

export interface FairShareOptions {
  /** Measures `holdMs`. */
  clock: Clock;
  /** A monotonic clock, ms. */
  monotonic: () => number;
  /** The number of requests of one workspace in progress at a time while others are active. */
  share: number;
  recentMs: number;
  holdMs: number;
  turns: Turns;
}

/**
 * Measured with bench/fairness.bench.ts: with 4 slots for the flooding workspace the other's median was 1 to 2
 * times that without the flood, with 8 slots about 3 times, without a bound 8 to 20 times.
 */
export const fairDefaults = { share: 4, recentMs: 5_000, holdMs: 10 } as const;

/** The part of a response that tells whether a client is still waiting for it. */
export interface AwaitedResponse {
  readonly destroyed: boolean;
  readonly req: { readonly socket: { readonly destroyed: boolean } };
  once(event: 'close', listener: () => void): unknown;
}

interface WorkspaceQueue {
  readonly workspace: string;
  /** Slots in use. */
  active: number;
  /** In order of arrival. */
  readonly waiting: LinkedList<QueuedRequest>;
  /** The next one was too late for its turn, and goes on in the order of such queues. */
  isLate: boolean;
}

/** It waits in its workspace's queue, and then holds a slot. */
class QueuedRequest extends Linked<QueuedRequest> {
  /** Of the end of `holdMs`; null while it holds no slot. */
  cancelEnd: (() => void) | null = null;

  constructor(
    readonly queue: WorkspaceQueue,
    readonly res: AwaitedResponse,
    readonly proceed: () => void,
  ) {
    super();
  }
}

export class FairShare {
  private readonly queues = new Map<string, WorkspaceQueue>();
  /** The workspace of the latest request and its time, and the time of the latest request of any other workspace. */
  private latest: string | null = null;
  private latestAt = -Infinity;
  private otherAt = -Infinity;

  constructor(private readonly options: FairShareOptions) {}

  /** The number of workspaces with a request here. */
  get size(): number {
    return this.queues.size;
  }

  /*
   * Calls `proceed` when it is the request's turn: at once, or later. A request without a principal has no workspace to
   * be queued under, and proceeds at once.
   */
  enter(principal: Pick<Principal, 'workspace'> | null, res: AwaitedResponse, proceed: () => void): void {
    if (principal === null) {
      proceed();
      return;
    }
    const { workspace } = principal;
    const now = this.options.monotonic();
    if (workspace !== this.latest) this.otherAt = this.latestAt;
    this.latest = workspace;
    this.latestAt = now;
    const queue = this.queueOf(workspace);
    const request = new QueuedRequest(queue, res, proceed);
    queue.waiting.push(request);
    res.once('close', () => {
      this.ended(request);
    });
    this.admit(queue, now);
  }

  private queueOf(workspace: string): WorkspaceQueue {
    let queue = this.queues.get(workspace);
    if (queue === undefined) {
      queue = { workspace, active: 0, waiting: new LinkedList(), isLate: false };
      this.queues.set(workspace, queue);
    }
    return queue;
  }

  private ended(request: QueuedRequest): void {
    if (request.cancelEnd !== null) this.release(request);
    else if (request.queue.waiting.remove(request)) this.forget(request.queue);
  }

  private release(request: QueuedRequest): void {
    request.cancelEnd?.();
    request.cancelEnd = null;
    request.queue.active--;
    this.admit(request.queue, this.options.monotonic());
  }

  private admit(queue: WorkspaceQueue, now: number): void {
    while (!queue.isLate && this.mayGoOn(queue, now))
      if (this.options.turns.isOver()) this.goOnLater(queue);
      else this.proceedOne(queue);
    this.forget(queue);
  }

  private mayGoOn(queue: WorkspaceQueue, now: number): boolean {
    return queue.waiting.size > 0 && (queue.active < this.options.share || !this.isShared(queue, now));
  }

  private proceedOne(queue: WorkspaceQueue): void {
    const { clock, holdMs } = this.options;
    for (let request = queue.waiting.shift(); request; request = queue.waiting.shift()) {
      // a pipelined response that waits for an earlier one is not told that its connection is closed
      if (request.res.destroyed || request.res.req.socket.destroyed) continue;
      queue.active++;
      request.cancelEnd = clock.after(holdMs, () => {
        this.release(request);
      });
      request.proceed();
      return;
    }
  }

  private goOnLater(queue: WorkspaceQueue): void {
    queue.isLate = true;
    this.options.turns.enter(() => {
      queue.isLate = false;
      const now = this.options.monotonic();
      if (this.mayGoOn(queue, now)) this.proceedOne(queue);
      if (!queue.isLate && this.mayGoOn(queue, now)) this.goOnLater(queue);
      this.forget(queue);
    });
  }

  /** Whether another workspace has sent a request recently. */
  private isShared({ workspace }: WorkspaceQueue, now: number): boolean {
    return now - (workspace === this.latest ? this.otherAt : this.latestAt) < this.options.recentMs;
  }

  private forget(queue: WorkspaceQueue): void {
    if (queue.active === 0 && queue.waiting.size === 0 && this.queues.get(queue.workspace) === queue)
      this.queues.delete(queue.workspace);
  }
}
