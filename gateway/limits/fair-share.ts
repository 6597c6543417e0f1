/**
 * Fairness between workspaces: a flood of one leaves the others nearly as quick as they are without it.
 *
 * A process serves what it has read in one event loop, and commits what is decided in groups: whoever has hundreds of
 * requests in it makes each turn and each group long for all. So while several workspaces ask, each has a few requests
 * inside at a time, and its others wait at the door, in a line of their own. Nothing is refused here, and a workspace
 * that is alone has the process to itself.
 *
 * Invariants
 *  FairShare.F1 As long as nobody else has asked within `recentMs`, all requests of a workspace go on at once.
 *  FairShare.F2 Otherwise at most `share` of them hold a place at a time; those who wait go on in the order they came
 *     in.
 *  FairShare.F3 A request holds its place until its response is over, and for `holdMs` at most: streams, and messages
 *     that wait for a model, keep nobody waiting for long.
 *  FairShare.F4 Who entered goes on once, unless the client has left before: then never.
 *  FairShare.F5 O(1) a request, one timer for all, nothing kept of a workspace that has no request here.
 * How many may wait is bounded by the concurrency limits of the keys (limiter.ts), which they have passed.
 */
import type { Clock } from '../../src/domain/clock.js';
import type { Principal } from '../../src/service.js';
import { DeadlineQueue } from '../streams/deadline-queue.js';

export interface FairShareOptions {
  /** For `holdMs`. */
  clock: Clock;
  /** Milliseconds that never go back. */
  monotonic: () => number;
  /** Requests of one workspace inside at a time, while others ask too. */
  share: number;
  recentMs: number;
  holdMs: number;
}

/** By test/bench/fairness.bench.ts: with 4 places for the flood the other's median took 1 to 2 times as long as without it, with 8 about 3 times, without a bound 8 to 20. */
export const fairDefaults = { share: 4, recentMs: 5_000, holdMs: 10 } as const;

/** The part of a response that says whether anybody waits for it. */
export interface AwaitedResponse {
  readonly destroyed: boolean;
  readonly req: { readonly socket: { readonly destroyed: boolean } };
  once(event: 'close', listener: () => void): unknown;
}

interface WorkspaceQueue {
  readonly workspace: string;
  /** Places held. */
  inside: number;
  /** In order of arrival. */
  readonly waiting: Set<QueuedRequest>;
}

interface QueuedRequest {
  readonly line: WorkspaceQueue;
  readonly res: AwaitedResponse;
  readonly proceed: () => void;
}

export class FairShare {
  readonly #options: FairShareOptions;
  readonly #lines = new Map<string, WorkspaceQueue>();
  readonly #held: DeadlineQueue<QueuedRequest>;
  /** Who asked last and when, and when somebody else last did. */
  #latest: string | null = null;
  #latestAt = -Infinity;
  #otherAt = -Infinity;

  constructor(options: FairShareOptions) {
    this.#options = options;
    this.#held = new DeadlineQueue(options.clock, options.holdMs, (place) => {
      this.#left(place.line);
    });
  }

  /** Workspaces that have a request here. */
  get size(): number {
    return this.#lines.size;
  }

  /** Calls `goOn` when it is the request's turn: at once, or later. Without a principal there is no workspace whose turn it could be. */
  enter(principal: Pick<Principal, 'workspace'> | null, res: AwaitedResponse, goOn: () => void): void {
    if (principal === null) {
      goOn();
      return;
    }
    const { workspace } = principal;
    const now = this.#options.monotonic();
    if (workspace !== this.#latest) this.#otherAt = this.#latestAt;
    this.#latest = workspace;
    this.#latestAt = now;
    const line = this.#lineOf(workspace);
    const place: QueuedRequest = { line, res, proceed: goOn };
    line.waiting.add(place);
    res.once('close', () => {
      this.#over(place);
    });
    this.#admit(line, now);
  }

  #lineOf(workspace: string): WorkspaceQueue {
    let line = this.#lines.get(workspace);
    if (line === undefined) this.#lines.set(workspace, (line = { workspace, inside: 0, waiting: new Set() }));
    return line;
  }

  #over(place: QueuedRequest): void {
    if (this.#held.delete(place)) this.#left(place.line);
    else if (place.line.waiting.delete(place)) this.#forget(place.line);
  }

  #left(line: WorkspaceQueue): void {
    line.inside--;
    this.#admit(line, this.#options.monotonic());
  }

  #admit(line: WorkspaceQueue, now: number): void {
    for (const place of line.waiting) {
      if (line.inside >= this.#options.share && this.#isShared(line, now)) break;
      line.waiting.delete(place);
      // a response that waits for the one before it (pipelining) is not told that its connection is closed
      if (place.res.destroyed || place.res.req.socket.destroyed) continue;
      line.inside++;
      this.#held.add(place);
      place.proceed();
    }
    this.#forget(line);
  }

  /** Whether somebody else has asked of late. */
  #isShared({ workspace }: WorkspaceQueue, now: number): boolean {
    return now - (workspace === this.#latest ? this.#otherAt : this.#latestAt) < this.#options.recentMs;
  }

  #forget(line: WorkspaceQueue): void {
    if (line.inside === 0 && line.waiting.size === 0 && this.#lines.get(line.workspace) === line)
      this.#lines.delete(line.workspace);
  }
}
