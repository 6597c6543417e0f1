/**
 * Requests that a client sends ahead, before the answers to earlier ones on the same connection (HTTP pipelining). Node
 * reads 64 KiB at a time and emits every request in it within one turn of the event loop, up to 1,800: answered as they
 * come, they would keep everybody else waiting. So only the first of a connection is served at once; the others wait
 * here, and a few of all connections are served in each turn.
 *
 * Invariants
 *  1. A request whose connection has nothing unanswered is served at once, without a detour.
 *  2. The requests of one connection are served in their order; connections take turns, one request each.
 *  3. At most `perTurn` requests are served in a turn, and none is begun after `budgetMs` of it.
 *  4. Nothing more is read from a connection as long as requests of it wait here, so what waits of one connection is
 *     bounded by what had been read when the first had to wait.
 *  5. What waits of a connection that has ended is dropped.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const perTurn = 16;
const budgetMs = 4;

interface Line {
  readonly socket: Socket;
  readonly waiting: (() => void)[];
}

export class Pipelines {
  readonly #lines = new WeakMap<Socket, Line>();
  /** Lines in which requests wait, in the order of their turns. */
  #busy: Line[] = [];
  #scheduled = false;

  constructor(private readonly monotonic: () => number) {}

  /** Calls `serve` at once or in a later turn; never when the connection ends before. */
  enter(req: IncomingMessage, res: ServerResponse, serve: () => void): void {
    const line = this.#lines.get(req.socket);
    // a response without a socket waits behind another one
    if (res.socket !== null && (line === undefined || line.waiting.length === 0)) serve();
    else this.#wait(line ?? this.#lineOf(req.socket), serve);
  }

  #wait(line: Line, serve: () => void): void {
    if (line.waiting.push(serve) > 1) return;
    line.socket.pause();
    this.#busy.push(line);
    this.#schedule();
  }

  #lineOf(socket: Socket): Line {
    const line: Line = { socket, waiting: [] };
    this.#lines.set(socket, line);
    // node resumes reading when it has discarded the body of a request that is answered
    socket.on('resume', () => {
      if (line.waiting.length > 0) socket.pause();
    });
    return line;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#turn();
      if (this.#busy.length > 0) this.#schedule();
    });
  }

  #turn(): void {
    const end = this.monotonic() + budgetMs;
    for (let served = 0; served < perTurn && this.monotonic() < end; served++) {
      const line = this.#busy.shift();
      if (line === undefined) return;
      if (line.socket.destroyed) {
        line.waiting.length = 0;
        continue;
      }
      const serve = line.waiting.shift();
      if (line.waiting.length > 0) this.#busy.push(line);
      else line.socket.resume();
      serve?.();
    }
  }
}
