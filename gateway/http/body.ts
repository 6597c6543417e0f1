/**
 * Reads a request's body.
 *
 * Invariants
 *  - At most `limit` bytes are kept, whatever Content-Length says; one more is PAYLOAD_TOO_LARGE. A Content-Length
 *    above the limit is refused before anything is read.
 *  - A client that disconnects before its body is complete causes ClientGone; no response is written.
 *  - 100 Continue is sent only here, so a client that waits for it never sends a body that would be refused.
 *  - The bytes kept of incomplete bodies are bounded in total (BodyBudget); beyond the bound the request is
 *    UNAVAILABLE.
 */
import type { ServerResponse } from 'node:http';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import type { GatewayRequest } from './prototypes.js';

/*
 * Bounds the bytes held for pending work, in total and by workspace. One use is request bodies that are still arriving:
 * thousands of slow senders, each within its own limit, must not exhaust the memory of the process.
 *
 * Invariants
 *  - At most `max` bytes are held in total, and at most half of that by one workspace, so that no workspace can take
 *    everything.
 *  - Released bytes become available again, and nothing is kept for a workspace that holds none.
 * Complete bodies do not count, because they are parsed in the same turn of the event loop.
 */

export const defaultBodyBudget = 256 * 1024 * 1024;

export class BodyBudget {
  private readonly byWorkspace = new Map<string, number>();
  private total = 0;

  constructor(private readonly max = defaultBodyBudget) {}

  get held(): number {
    return this.total;
  }

  /** Returns false, and reserves nothing, if there is no room. */
  take(workspace: string, bytes: number): boolean {
    if (!this.hasRoom(workspace, bytes)) return false;
    this.add(workspace, bytes);
    return true;
  }

  hasRoom(workspace: string, bytes: number): boolean {
    return (this.byWorkspace.get(workspace) ?? 0) + bytes <= this.max / 2 && this.total + bytes <= this.max;
  }

  /** Reserves the bytes even if there is no room. */
  add(workspace: string, bytes: number): void {
    this.byWorkspace.set(workspace, (this.byWorkspace.get(workspace) ?? 0) + bytes);
    this.total += bytes;
  }

  give(workspace: string, bytes: number): void {
    const left = (this.byWorkspace.get(workspace) ?? 0) - bytes;
    if (left > 0) this.byWorkspace.set(workspace, left);
    else this.byWorkspace.delete(workspace);
    this.total -= bytes;
  }
}

export const tooManyBodies = (): HivekeepError =>
  new HivekeepError('UNAVAILABLE', 'too many request bodies are being received: send them faster, or fewer at a time', {
    retryAfter: 1,
  });

export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

const tooLarge = (limit: number): HivekeepError =>
  new HivekeepError('PAYLOAD_TOO_LARGE', `body: must be at most ${limit} bytes`, { details: { limit } });

const empty = Buffer.alloc(0);

export function readBody(req: GatewayRequest, res: ServerResponse, limit: number, budget: BodyBudget): Promise<Buffer> {
  const declared = req.headers['content-length'];
  if (declared !== undefined && Number(declared) > limit) return Promise.reject(tooLarge(limit));
  if (declared === undefined && req.headers['transfer-encoding'] === undefined) return Promise.resolve(empty);
  if (req.awaitsContinue) {
    req.awaitsContinue = false;
    res.writeContinue();
  }
  const workspace = req.exchange?.principal?.workspace ?? '';
  const whole = declared === undefined ? Infinity : Number(declared);
  return new Promise((resolve, reject) => {
    let kept: Buffer = empty;
    let size = 0;
    let held = 0;
    let over = false;
    const onData = (chunk: Buffer): void => {
      if (over) return;
      const before = size;
      size += chunk.length;
      if (size > limit) {
        stop();
        req.pause();
        reject(tooLarge(limit));
        return;
      }
      kept = before === 0 ? chunk : appended(kept, before, chunk, limit);
      if (size >= whole) return;
      if (!budget.take(workspace, chunk.length)) {
        stop();
        req.resume();
        reject(tooManyBodies());
        return;
      }
      held += chunk.length;
    };
    const onEnd = (): void => {
      if (over) return;
      resolve(kept.length === size ? kept : kept.subarray(0, size));
      stop();
    };
    /** Also called once the body is there: node emits 'error' where the connection is cut during its response. */
    const onGone = (): void => {
      if (over) return;
      stop();
      reject(new ClientGone('the client left before its body was complete'));
    };
    /** The other listeners stay, because removing them costs more than reading a short body; node removes this one. */
    const stop = (): void => {
      over = true;
      kept = empty;
      req.off('data', onData);
      if (held > 0) budget.give(workspace, held);
    };
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/**
 * Appends the chunk to the first `size` bytes of `kept`. Copies, because a body may arrive as a million chunks of one
 * byte, and an object for each would take a hundred times the memory.
 */
function appended(kept: Buffer, size: number, chunk: Buffer, limit: number): Buffer {
  const needed = size + chunk.length;
  let room = kept;
  if (needed > kept.length) {
    room = Buffer.allocUnsafe(Math.min(limit, Math.max(needed, 2 * kept.length)));
    kept.copy(room, 0, 0, size);
  }
  chunk.copy(room, size);
  return room;
}
