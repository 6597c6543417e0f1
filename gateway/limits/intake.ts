/**
 * How the bytes of connections reach node's HTTP parser: one message at a time, and every connection in its turn.
 *
 * Node reads up to 64 KiB of a connection and parses all of it at once. That may be 3,600 pipelined requests or 11,000
 * chunks of a body, and each open connection may bring as much in the same turn of the event loop. So the parser is not
 * given the connection: it is handed slices. What has not been parsed yet waits as bytes, and a connection whose buffer
 * is full is not read.
 *
 * Invariants
 *  - The next request of a connection is parsed when the response to the one before is over. A slice ends with the
 *    head of a request, or with its body: with Content-Length exactly, with chunks at the first empty line.
 *  - No slice is longer than `mostBytes` (of a body with Content-Length: `mostBodyBytes`), and connections with
 *    something to parse take turns by slices.
 *  - In a turn of the event loop no slice is begun after `budgetMs` of parsing, and of serving what is served at once.
 *  - Besides what its stream holds (a high-water mark and one read, at most 80 KiB), a slice is kept of a connection.
 *    A request whose body is not read holds no more of it than a high-water mark and a slice.
 *  - A client that leaves while its request is being served is noticed, unless it has sent more behind it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Linked, LinkedList } from '../../src/base/linked-list.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import type { Principal } from '../../src/service.js';

const mostBytes = 4 * 1024;
const mostBodyBytes = 16 * 1024;
const budgetMs = 4;
/** After so much work in turns that left nothing waiting, the count of it starts anew. */
const unnoticedMs = 1;

interface Feed {
  /** `_paused` is set by node while it may not be given anything to parse. */
  readonly socket: Duplex & { _paused?: boolean };
  readonly parse: (this: Duplex, slice: Buffer) => void;
  readonly onReadable: () => void;
  /** The latest request. */
  req: IncomingMessage | null;
  /** How many responses are not over. */
  open: number;
  /** What is missing of a body with Content-Length. */
  bodyLeft: number;
  /** Read from the socket, and not yet parsed. */
  rest: Buffer | null;
  /** How much of an empty line the last slice ended with. */
  line: LineEnd;
  queued: boolean;
}

export class Intake {
  private readonly feeds = new WeakMap<Duplex, Feed>();
  /** Connections with something to parse, in the order of their turns. */
  private readonly ready: Feed[] = [];
  private running = false;
  private usedMs = 0;
  private scheduled = false;

  constructor(private readonly monotonic: () => number) {}

  /** Call this after the listeners of `server` for requests and upgrades are registered. */
  watch(server: Server, secured: boolean): void {
    server.on(secured ? 'secureConnection' : 'connection', (socket: Duplex) => {
      this.attach(socket);
    });
    // these hand the connection on, or end it
    for (const event of ['upgrade', 'connect'] as const)
      if (server.listenerCount(event) > 0)
        server.prependListener(event, (_req: unknown, socket: Duplex) => this.release(socket));
    server.prependListener('clientError', (_error: unknown, socket: Duplex) => {
      this.release(socket);
      socket.resume(); // what still comes is dropped
    });
  }

  /** Call this when a request begins, before it is served. Calls `over` when its response is over. */
  began(req: IncomingMessage, res: ServerResponse, over: () => void): void {
    const feed = this.feeds.get(req.socket);
    if (feed !== undefined) {
      feed.req = req;
      feed.open++;
      feed.bodyLeft = Number(req.headers['content-length'] ?? 0);
    }
    res.on('close', () => {
      over();
      if (feed === undefined) return;
      feed.open--;
      this.wake(feed);
    });
  }

  private attach(socket: Duplex): void {
    const [parse] = socket.listeners('data') as Feed['parse'][];
    if (parse === undefined)
      throw new Error('the HTTP server no longer listens for data in the way that this file expects');
    const feed: Feed = {
      socket,
      parse,
      onReadable: () => this.wake(feed),
      req: null,
      open: 0,
      bodyLeft: 0,
      rest: null,
      line: 'none',
      queued: false,
    };
    this.feeds.set(socket, feed);
    socket.off('data', parse);
    // with a listener for `readable`, nothing flows, whatever node resumes; and node lets go of the descriptor
    socket.on('readable', feed.onReadable).on('resume', feed.onReadable);
  }

  private release(socket: Duplex): void {
    const feed = this.feeds.get(socket);
    if (feed === undefined) return;
    this.feeds.delete(socket);
    socket.off('readable', feed.onReadable).off('resume', feed.onReadable);
    if (feed.rest !== null) socket.unshift(feed.rest);
    feed.rest = null;
  }

  private wake(feed: Feed): void {
    if (!feed.queued) {
      feed.queued = true;
      this.ready.push(feed);
    }
    this.run();
  }

  private run(): void {
    if (this.running) return;
    this.running = true;
    try {
      while (this.usedMs < budgetMs) {
        const feed = this.ready.shift();
        if (feed === undefined) break;
        feed.queued = false;
        const begun = this.monotonic();
        try {
          if (this.feeds.get(feed.socket) === feed) this.parseSlice(feed);
        } finally {
          this.usedMs += this.monotonic() - begun;
        }
      }
    } finally {
      this.running = false;
      if (!this.scheduled && (this.ready.length > 0 || this.usedMs > unnoticedMs)) this.schedule();
    }
  }

  private schedule(): void {
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.usedMs = 0;
      this.run();
    });
  }

  private parseSlice(feed: Feed): void {
    const { socket } = feed;
    if (socket.destroyed) return;
    if (feed.rest === null && socket.readableLength === 0) {
      socket.read(0); // notices that the client has ended
      return;
    }
    if (!mayParse(feed)) return;
    const slice = nextSlice(feed);
    feed.parse.call(socket, slice);
    if (!feed.queued && (feed.rest !== null || socket.readableLength > 0)) {
      feed.queued = true;
      this.ready.push(feed);
    }
  }
}

const inBody = ({ req }: Feed): boolean => req !== null && !req.complete;

function mayParse(feed: Feed): boolean {
  const { socket, req, open } = feed;
  if (socket._paused === true || !socket.writable) return false;
  if (req !== null && !req.complete) return req.readableLength < req.readableHighWaterMark;
  return open === 0;
}

function nextSlice(feed: Feed): Buffer {
  const { socket } = feed;
  const whole = inBody(feed) && feed.bodyLeft > 0;
  const most = whole ? Math.min(feed.bodyLeft, mostBodyBytes) : mostBytes;
  const chunk = feed.rest ?? (socket.read(Math.min(most, socket.readableLength)) as Buffer);
  let end: number;
  if (whole) {
    end = Math.min(most, chunk.length);
    feed.bodyLeft -= end;
    feed.line = 'none';
  } else {
    end = endOfBlock(chunk, feed.line);
    feed.line = end < chunk.length ? 'none' : lineEnd(chunk, feed.line);
  }
  feed.rest = end < chunk.length ? chunk.subarray(end) : null;
  return feed.rest === null ? chunk : chunk.subarray(0, end);
}

type LineEnd = 'none' | 'lf' | 'lf cr';
const lf = 10;
const cr = 13;

/** The length of what ends with the first empty line of `chunk`, or of all of it. `before` ends what precedes it. */
function endOfBlock(chunk: Buffer, before: LineEnd): number {
  if (before !== 'none' && chunk[0] === lf) return 1;
  if (before === 'lf' && chunk[0] === cr && chunk[1] === lf) return 2;
  for (let at = chunk.indexOf(lf); at !== -1; at = chunk.indexOf(lf, at + 1)) {
    if (chunk[at + 1] === lf) return at + 2;
    if (chunk[at + 1] === cr && chunk[at + 2] === lf) return at + 3;
  }
  return chunk.length;
}

function lineEnd(chunk: Buffer, before: LineEnd): LineEnd {
  const last = chunk.at(-1);
  if (last === lf) return 'lf';
  if (last !== cr) return 'none';
  if (chunk.length === 1) return before === 'lf' ? 'lf cr' : 'none';
  return chunk.at(-2) === lf ? 'lf cr' : 'none';
}

/**
 * How much is begun in one turn of the event loop. Each request and each event is short, but nothing else is served
 * until the last of those that begin in the same turn is done.
 *
 *  - `hasTime` is false in a turn in which `turnMs` have passed since it was first asked.
 *  - `enter` calls back once, when there is time: in this turn, when what was begun before has done all that it does at
 *    once, or in a later one. Those who wait are called one by one, in their order.
 */
export interface TurnsOptions {
  monotonic: () => number;
  turnMs: number;
  /** Calls back in the next turn; tests may replace it. */
  nextTurn?: (then: () => void) => void;
  /** Calls back in this turn when all promises have settled that can; tests may replace it. */
  settled?: (then: () => void) => void;
}

export class Turns {
  private readonly options: Required<TurnsOptions>;
  private startedAt: number | null = null;
  private readonly waiting: (() => void)[] = [];
  private called = false;

  constructor(options: TurnsOptions) {
    this.options = { nextTurn: setImmediate, settled: whenSettled, ...options };
  }

  private hasTime(): boolean {
    const { monotonic, turnMs, nextTurn } = this.options;
    const now = monotonic();
    if (this.startedAt !== null) return now - this.startedAt < turnMs;
    this.startedAt = now;
    nextTurn(() => {
      this.startedAt = null;
    });
    return true;
  }

  /** Whether what comes now has to wait: behind others, or for the next turn. */
  isOver(): boolean {
    return this.waiting.length > 0 || !this.hasTime();
  }

  enter(then: () => void): void {
    this.waiting.push(then);
    this.callNext();
  }

  private callNext(): void {
    if (this.called || this.waiting.length === 0) return;
    this.called = true;
    const { nextTurn, settled } = this.options;
    (this.hasTime() ? settled : nextTurn)(() => {
      this.called = false;
      this.waiting.shift()?.();
      this.callNext();
    });
  }
}

/** The queue of ticks is looked at again when that of microtasks is empty. */
function whenSettled(then: () => void): void {
  queueMicrotask(() => {
    process.nextTick(then);
  });
}

/*
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
 *  FairShare.F6 No request proceeds in a turn of the event loop whose time is used up (Turns). Those that were too
 *     late proceed one by one in the next turns, the workspaces taking turns.
 * The number of waiting requests is bounded by the concurrency limits of the keys (limiter.ts), which they have passed.
 */

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
