/**
 * HTTP pipelining: requests that a client sends before the earlier ones on the same connection are answered. Node reads
 * 64 KiB at a time and emits all requests in it, up to 1,800, in one turn of the event loop; serving them immediately
 * would delay everybody else. So only the first request of a connection is served at once. The others wait here, and a
 * few of them, across all connections, are served in each turn.
 *
 * Invariants
 *  Pipelines.P1 A request whose connection has nothing unanswered is served at once.
 *  Pipelines.P2 The requests of one connection are served in order; connections take turns, one request each.
 *  Pipelines.P3 At most `perTurn` requests are served in a turn, and none starts after `budgetMs` of it.
 *  Pipelines.P4 Reading from a connection is paused while requests of it wait here, so their number is bounded by what
 *     had been read when the first had to wait.
 *  Pipelines.P5 Requests of a connection that has closed are dropped.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const perTurn = 16;
const budgetMs = 4;

interface ConnectionQueue {
  readonly socket: Socket;
  readonly waiting: (() => void)[];
}

export class Pipelines {
  readonly #queues = new WeakMap<Socket, ConnectionQueue>();
  /** Queues with waiting requests, in the order of their turns. */
  #busy: ConnectionQueue[] = [];
  #scheduled = false;

  constructor(private readonly monotonic: () => number) {}

  /** Calls `serve` at once or in a later turn, or never if the connection closes first. */
  enter(req: IncomingMessage, res: ServerResponse, serve: () => void): void {
    const queue = this.#queues.get(req.socket);
    // a response without a socket waits behind another one
    if (res.socket !== null && (queue === undefined || queue.waiting.length === 0)) serve();
    else this.#wait(queue ?? this.#queueOf(req.socket), serve);
  }

  #wait(queue: ConnectionQueue, serve: () => void): void {
    if (queue.waiting.push(serve) > 1) return;
    queue.socket.pause();
    this.#busy.push(queue);
    this.#schedule();
  }

  #queueOf(socket: Socket): ConnectionQueue {
    const queue: ConnectionQueue = { socket, waiting: [] };
    this.#queues.set(socket, queue);
    // node resumes reading after it has discarded the body of an answered request
    socket.on('resume', () => {
      if (queue.waiting.length > 0) socket.pause();
    });
    return queue;
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
      const queue = this.#busy.shift();
      if (queue === undefined) return;
      if (queue.socket.destroyed) {
        queue.waiting.length = 0;
        continue;
      }
      const serve = queue.waiting.shift();
      if (queue.waiting.length > 0) this.#busy.push(queue);
      else queue.socket.resume();
      serve?.();
    }
  }
}
