/**
 * Reads a request's body.
 *
 * Invariants
 *  - At most `limit` bytes are kept, whatever Content-Length says; one more is PAYLOAD_TOO_LARGE. A Content-Length
 *    above the limit is refused before anything is read.
 *  - A client that disconnects before its body is complete causes ClientGone; no response is written.
 *  - 100 Continue is sent only here, so a client that waits for it never sends a body that would be refused.
 *  - The bytes kept of incomplete bodies are bounded in total (body-budget.ts); beyond the bound the request is
 *    UNAVAILABLE.
 */
import type { ServerResponse } from 'node:http';
import { HivekeepError } from '../../src/domain/errors.js';
import { tooManyBodies, type BodyBudget } from './body-budget.js';
import type { GatewayRequest } from './prototypes.js';

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
