/**
 * Serves a request for an unsupported upgrade (`curl --http2` offers h2c with each request) as the plain request that
 * it also is, and keeps its connection usable.
 *
 * A server that listens for upgrades receives every such request, and node stops parsing the connection at that point.
 * The connection continues through a stand-in: a stream that the server accepts as a new connection, and that reads
 * from and writes to the socket. It starts with the head of the request, without the headers that ask for the upgrade.
 * If another upgrade is declined on the same connection, a new stand-in replaces the previous one.
 *
 * Invariants
 *  - A socket is announced to the server once, when it is accepted, and has one set of listeners from
 *     here, however many upgrades are declined on it.
 *  - Responses keep the order of their requests: a stand-in starts when everything before it has been
 *     answered.
 *  - A connection declines at most one upgrade in each turn of the event loop, and received data is
 *     not copied.
 *  - Pipelined requests wait in the socket: at most one chunk is kept here.
 *  - The socket and its current stand-in are closed together.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** Takes over the connection of `req`, whose `upgrade` event has just been emitted with `socket` and `head`. */
export function declineUpgrade(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const relay = socket instanceof StandIn ? socket.relay : new Relay(server, socket as Socket);
  relay.continueWith(socket, [plainHead(req), head]);
}

/**
 * Calls `next` when the earlier requests on this connection have been answered, which may be at once, or never if the
 * connection closes before that. Node no longer tells the responses in progress that the socket has drained, so this
 * function does.
 */
export function whenAnswered(socket: Duplex & { _httpMessage?: ServerResponse | null }, next: () => void): void {
  const current = socket._httpMessage ?? null;
  if (current === null) {
    next();
    return;
  }
  const drained = (): void => {
    current.emit('drain');
  };
  socket.on('drain', drained);
  current.once('finish', () => {
    socket.off('drain', drained);
    whenAnswered(socket, next);
  });
}

/** One connection on which upgrades were declined. */
class Relay {
  private current: StandIn | null = null;
  /** The current stand-in reads no more; its successor will. */
  private replacing = true;
  private waiting: Buffer[] = [];
  private ended = false;

  constructor(
    private readonly server: Server,
    readonly socket: Socket & { _paused?: boolean },
  ) {
    // node has paused a socket with many unanswered requests, and would pause it again at each resume
    socket._paused = false;
    socket.pause();
    socket
      .on('data', (chunk) => {
        if (this.current === null || this.replacing) this.waiting.push(chunk);
        else if (this.current.push(chunk)) return;
        socket.pause();
      })
      .on('end', () => {
        this.ended = true;
        this.current?.push(null);
      })
      .on('timeout', () => this.current?.emit('timeout'))
      .on('error', () => undefined) // `close` follows
      .on('close', () => this.current?.destroy());
  }

  /** `before` is the source of the requests so far: the socket, or the stand-in that is being replaced. */
  continueWith(before: Duplex, opening: Buffer[]): void {
    this.replacing = true;
    this.socket.pause();
    for (let chunk = before === this.socket ? null : readBuffered(before); chunk !== null; chunk = readBuffered(before))
      opening.push(chunk);
    this.waiting.unshift(...opening.filter((chunk) => chunk.length > 0));
    whenAnswered(before, () => setImmediate(() => this.begin()));
  }

  /** Called when the stand-in wants to read. */
  supply(standIn: StandIn): void {
    if (standIn !== this.current || this.replacing) return;
    const chunk = this.waiting.shift();
    if (chunk !== undefined) standIn.push(chunk);
    else if (this.ended) standIn.push(null);
    else this.socket.resume();
  }

  /** Called when the stand-in is closed; closes the connection too unless the stand-in has been replaced. */
  closed(standIn: StandIn): void {
    if (standIn === this.current) this.socket.destroy();
  }

  private begin(): void {
    const { server, socket } = this;
    const before = this.current;
    if (!socket.writable || before?.writable === false) {
      socket.destroySoon();
      return;
    }
    this.current = new StandIn(this);
    this.replacing = false;
    before?.destroy();
    server.emit((socket as unknown as TLSSocket).encrypted ? 'secureConnection' : 'connection', this.current);
  }
}

/** The stream that the HTTP server uses in place of the socket. */
class StandIn extends Duplex {
  constructor(readonly relay: Relay) {
    super();
  }

  get remoteAddress(): string | undefined {
    return this.relay.socket.remoteAddress;
  }
  get remotePort(): number | undefined {
    return this.relay.socket.remotePort;
  }
  get localAddress(): string | undefined {
    return this.relay.socket.localAddress;
  }
  get localPort(): number | undefined {
    return this.relay.socket.localPort;
  }
  get bytesRead(): number {
    return this.relay.socket.bytesRead;
  }
  get encrypted(): boolean {
    return (this.relay.socket as unknown as TLSSocket).encrypted;
  }

  setTimeout(ms: number): this {
    this.relay.socket.setTimeout(ms);
    return this;
  }
  setNoDelay(on?: boolean): this {
    this.relay.socket.setNoDelay(on);
    return this;
  }
  /** As on a socket: flushes what has been written, then closes. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    this.relay.supply(this);
  }
  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.relay.socket.write(chunk, encoding, done);
  }
  override _final(done: () => void): void {
    this.relay.socket.end(done);
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.relay.closed(this);
    done(error);
  }
}

const readBuffered = (stream: Duplex): Buffer | null => stream.read() as Buffer | null;

function plainHead(req: IncomingMessage): Buffer {
  const lines = [`${req.method ?? 'GET'} ${req.url ?? '/'} HTTP/${req.httpVersion}`];
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i] ?? '';
    const value = req.rawHeaders[i + 1] ?? '';
    if (name.toLowerCase() === 'connection') lines.push(...keptOptions(value));
    else if (!/^(upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function keptOptions(value: string): string[] {
  const kept = value
    .split(',')
    .map((option) => option.trim())
    .filter((option) => !/^(upgrade|http2-settings|)$/i.test(option));
  return kept.length === 0 ? [] : [`Connection: ${kept.join(', ')}`];
}
