/**
 * Reads a request's body.
 *
 * Invariants
 *  1. At most `limit` bytes are kept, whatever Content-Length says or leaves out; one more is PAYLOAD_TOO_LARGE, and a
 *     Content-Length above the limit is refused before a byte is read.
 *  2. A client that leaves before its body is complete is ClientGone: there is nobody to answer.
 *  3. 100 Continue is sent only here, so a client that waits for it never sends a body that would be refused.
 */
import type { ServerResponse } from 'node:http';
import { HivekeepError } from '../../src/domain/errors.js';
import type { GatewayRequest } from './prototypes.js';

export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

const tooLarge = (limit: number): HivekeepError =>
  new HivekeepError('PAYLOAD_TOO_LARGE', `body: must be at most ${limit} bytes`, { details: { limit } });

const empty = Buffer.alloc(0);

export function readBody(req: GatewayRequest, res: ServerResponse, limit: number): Promise<Buffer> {
  const declared = req.headers['content-length'];
  if (declared !== undefined && Number(declared) > limit) return Promise.reject(tooLarge(limit));
  if (declared === undefined && req.headers['transfer-encoding'] === undefined) return Promise.resolve(empty);
  if (req.awaitsContinue) { req.awaitsContinue = false; res.writeContinue(); }
  return new Promise((resolve, reject) => {
    let first: Buffer | null = null, rest: Buffer[] | null = null, size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) { stop(); req.pause(); reject(tooLarge(limit)); return; }
      if (first === null) first = chunk;
      else (rest ??= [first]).push(chunk);
    };
    const onEnd = (): void => { stop(); resolve(rest ? Buffer.concat(rest, size) : first ?? empty); };
    const onGone = (): void => { stop(); reject(new ClientGone('the client left before its body was complete')); };
    const stop = (): void => {
      req.removeListener('data', onData).removeListener('end', onEnd).removeListener('error', onGone).removeListener('close', onGone);
      // node emits 'error' on a request that is cut later, while its answer is on the way
      req.on('error', ignore);
    };
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

const ignore = (): void => undefined;
