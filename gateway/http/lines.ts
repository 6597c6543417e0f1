/**
 * Bodies of JSON lines, which may be larger than the memory of the process: they are read and written as they come.
 *
 *  Lines.T1 At most `mostUploadBytes` are read; more is PAYLOAD_TOO_LARGE, before anything is read where Content-Length
 *     says so.
 *  Lines.T2 A response waits for its reader. One that takes nothing for `patienceMs` is cut, because what is read for
 *     it may hold a snapshot of the store.
 *  Lines.T3 A source that fails, after its first line, cuts the response: its end is missing, and so is the record that
 *     says that it is complete.
 */
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { HivekeepError } from '../../src/domain/errors.js';
import { countPiece } from '../limits/heavy-reads.js';
import { ClientGone } from './body.js';
import type { GatewayRequest } from './prototypes.js';
import type { Responder } from './responder.js';

export const linesType = 'application/x-ndjson';
export const mostUploadBytes = 2 * 1024 ** 3;
const patienceMs = 30_000;
const chunkChars = 64 * 1024;

export function requireLines({ 'content-type': type = '', 'content-encoding': encoding }: IncomingHttpHeaders): void {
  const [media = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isUtf8 = parameters.every((p) => !p.startsWith('charset=') || /^charset="?utf-?8"?$/.test(p));
  if (media !== linesType || !isUtf8 || (encoding !== undefined && encoding.toLowerCase() !== 'identity'))
    throw new HivekeepError('UNSUPPORTED_MEDIA_TYPE', `Content-Type must be ${linesType}, in UTF-8 and not compressed`);
}

/** Lines.T1. A client that leaves before its end causes ClientGone. */
export async function* linesOf(req: GatewayRequest, res: ServerResponse): AsyncGenerator<Uint8Array> {
  if (Number(req.headers['content-length'] ?? 0) > mostUploadBytes) throw tooLarge();
  if (req.awaitsContinue) {
    req.awaitsContinue = false;
    res.writeContinue();
  }
  let bytes = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      countPiece(req.socket);
      bytes += chunk.length;
      if (bytes > mostUploadBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    throw req.destroyed && !req.complete ? new ClientGone('the client left before its body was complete') : error;
  }
}

const tooLarge = (): HivekeepError =>
  new HivekeepError('PAYLOAD_TOO_LARGE', `body: must be at most ${mostUploadBytes} bytes`, {
    details: { limit: mostUploadBytes },
  });

/** Lines.T2, Lines.T3. Rejects as the source does, with nothing written, if it has no first line. */
export async function sendLines(
  req: GatewayRequest,
  res: ServerResponse,
  lines: AsyncIterable<string>,
  responder: Pick<Responder, 'count'>,
): Promise<void> {
  let waiting = '';
  for await (const line of lines) {
    waiting += line;
    if (waiting.length < chunkChars) continue;
    await put(res, waiting);
    if (res.destroyed) break;
    waiting = '';
  }
  if (!res.destroyed) {
    begin(res);
    res.end(waiting);
  }
  responder.count(req, res.headersSent ? res.statusCode : 499, 'stream');
}

function begin(res: ServerResponse): void {
  if (!res.headersSent) res.writeHead(200, { 'Content-Type': linesType, 'X-Accel-Buffering': 'no' });
}

async function put(res: ServerResponse, text: string): Promise<void> {
  begin(res);
  if (res.write(text) || res.destroyed) return;
  const done = new AbortController();
  const timer = setTimeout(() => res.destroy(), patienceMs).unref();
  try {
    const options = { signal: done.signal };
    await Promise.race([once(res, 'drain', options), once(res, 'close', options)]);
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}
