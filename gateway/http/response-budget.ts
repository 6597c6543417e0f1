/**
 * Bounds the memory held by responses while slow readers take them.
 *
 * Invariants
 *  - A large body is written in pieces, each after the reader has taken the previous one, so that at most one piece is
 *    copied into buffers in addition to the body itself.
 *  - The total held by unfinished responses is bounded as that of bodies is (body-budget.ts). Where there is no room,
 *    the response of a request without effect becomes a 503; that of a request with an effect is sent all the same.
 *  - A response of which nothing was taken for `stallMs` is aborted together with its connection. One that waits
 *    behind others of its connection is not counted as stalled: the others are.
 *  - A response that its connection accepts at once costs one check and no bookkeeping.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../src/domain/clock.js';
import { HivekeepError } from '../../src/domain/errors.js';
import { BodyBudget } from './body-budget.js';

export const stallMs = 30_000;
/** Larger bodies are written in pieces of this size. */
const pieceBytes = 64 * 1024;

interface HeldResponse {
  readonly res: ServerResponse;
  /** Ends it when nothing was taken for `stallMs`. */
  cancelStall: () => void;
  release: () => void;
}

export class Responses {
  private readonly budget: BodyBudget;
  /** By connection, because a response that never gets its turn is not told when its connection closes. */
  private readonly waiting = new WeakMap<Socket, Set<HeldResponse>>();

  constructor(
    private readonly clock: Clock,
    max?: number,
  ) {
    this.budget = new BodyBudget(max);
  }

  get held(): number {
    return this.budget.held;
  }

  /** Whether there is no room for even one more held response. */
  isFull(workspace: string): boolean {
    return !this.budget.hasRoom(workspace, pieceBytes);
  }

  /** Whether there is room for `bytes` more. */
  hasRoom(workspace: string, bytes: number): boolean {
    return bytes <= pieceBytes || this.budget.hasRoom(workspace, bytes);
  }

  /** Sends the body of a response whose head is already written. */
  send(socket: Socket, res: ServerResponse, workspace: string, body: string | Buffer, bytes: number): void {
    if (bytes <= pieceBytes) {
      res.end(body);
      if (res.writableLength > 0 && !res.writableFinished) this.hold(socket, res, workspace, bytes);
      return;
    }
    const held = this.hold(socket, res, workspace, bytes);
    const whole = typeof body === 'string' ? Buffer.from(body) : body;
    let at = 0;
    const more = (): void => {
      this.awaitReader(held);
      while (at < whole.length) {
        const piece = whole.subarray(at, at + pieceBytes);
        at += piece.length;
        if (!res.write(piece) && at < whole.length) {
          res.once('drain', more);
          return;
        }
      }
      res.end();
    };
    more();
  }

  private awaitReader(held: HeldResponse): void {
    const { res } = held;
    held.cancelStall();
    held.cancelStall = this.clock.after(stallMs, () => {
      if (res.socket === null && !res.destroyed) this.awaitReader(held);
      else res.destroy();
    });
  }

  private hold(socket: Socket, res: ServerResponse, workspace: string, bytes: number): HeldResponse {
    this.budget.add(workspace, bytes);
    const waiting = this.waitingOn(socket);
    let released = false;
    const held: HeldResponse = {
      res,
      cancelStall: () => undefined,
      release: () => {
        if (released) return;
        released = true;
        this.budget.give(workspace, bytes);
        held.cancelStall();
        waiting.delete(held);
      },
    };
    waiting.add(held);
    this.awaitReader(held);
    res.once('finish', held.release).once('close', held.release);
    return held;
  }

  private waitingOn(socket: Socket): Set<HeldResponse> {
    const known = this.waiting.get(socket);
    if (known) return known;
    const made = new Set<HeldResponse>();
    this.waiting.set(socket, made);
    socket.once('close', () => {
      for (const held of [...made]) held.release();
    });
    return made;
  }
}

export const tooManyResponses = (): HivekeepError =>
  new HivekeepError('UNAVAILABLE', 'too many responses are waiting for their readers: read them, or ask for less', {
    retryAfter: 1,
  });
