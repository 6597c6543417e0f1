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
