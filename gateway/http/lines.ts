/**
 * Bodies of JSON lines, which may be larger than the memory of the process: they are read and written as they come.
 *
 *  Lines.T1 At most `most` bytes are read; more is PAYLOAD_TOO_LARGE, before anything is read where Content-Length says
 *     so. A client that sends less than `bytesPerSecond` is UNAVAILABLE after `graceMs`, so that it holds no place that
 *     others wait for. Only the time that it was waited for counts.
 *  - A response waits for its reader, but one that takes nothing for `graceMs`, or less than `bytesPerSecond` of the
 *    time that it was waited for beside these, is cut, because what is read for it may hold a snapshot of the store.
 *  - A source that fails, after its first line, cuts the response: its end is missing, and so is the record that says
 *    that it is complete.
 *  - A response ends, in the same way, with the credential that asked for it (streams/while-valid.ts).
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { HivekeepError, unavailable } from '../../src/domain/shared/errors.js';
import { ClientGone } from './body.js';
import { mediaOf, requirePlain, unsupported } from './json.js';
import type { LeastPace, UploadBounds } from '../options.js';
import type { GatewayRequest } from './prototypes.js';
import type { Responder } from './responder.js';

export const linesType = 'application/x-ndjson';
export const usualUpload: UploadBounds = { most: 1024 ** 3, bytesPerSecond: 64 * 1024, graceMs: 5000 };
const usualDownload: LeastPace = { bytesPerSecond: 16 * 1024, graceMs: 30_000 };
const chunkChars = 64 * 1024;

export function requireLines(headers: IncomingHttpHeaders): void {
  requirePlain(headers);
  const { media, isUtf8 } = mediaOf(headers['content-type'] ?? '');
  if (media !== linesType || !isUtf8) throw unsupported(`Content-Type must be ${linesType}, in UTF-8`);
}

/** Lines.T1. A client that leaves before its end causes ClientGone. */
export async function* linesOf(
  req: GatewayRequest,
  res: ServerResponse,
  bounds: UploadBounds,
): AsyncGenerator<Uint8Array> {
  const { most } = bounds;
  if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  if (req.awaitsContinue) {
    req.awaitsContinue = false;
    res.writeContinue();
  }
  const pace = new Pace(bounds);
  let bytes = 0;
  const chunks = req.iterator({ destroyOnReturn: false }) as AsyncGenerator<Buffer, undefined>;
  try {
    for (;;) {
      const { done, value: chunk } = await pace.of(chunks.next(), bytes);
      if (done) return;
      bytes += chunk.length;
      if (bytes > most) throw tooLarge(most);
      yield chunk;
    }
  } catch (error) {
    throw req.destroyed && !req.complete ? new ClientGone('the client left before its body was complete') : error;
  } finally {
    // its listener would keep the rest of the body from being drained; a read that is pending is not waited for
    req.removeAllListeners('readable');
    chunks.return(undefined).catch(() => undefined);
  }
}

/** How long a client was waited for, who sends or reads. */
class Pace {
  private waitedMs = 0;

  constructor(private readonly bounds: LeastPace) {}

  /**
   * Waits for the client, for `mostMs` at a time at most. Rejects when it has sent or read so little, in all the time
   * that it was waited for, that it is too slow.
   */
  async of<T>(step: Promise<T>, bytes: number, mostMs = Infinity): Promise<T> {
    const { bytesPerSecond, graceMs } = this.bounds;
    const begun = performance.now();
    const leftMs = Math.min(mostMs, graceMs + (bytes / bytesPerSecond) * 1000 - this.waitedMs);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(tooSlow(bytesPerSecond));
      }, leftMs).unref();
    });
    try {
      return await Promise.race([step, late]);
    } finally {
      clearTimeout(timer);
      this.waitedMs += performance.now() - begun;
    }
  }
}

const tooSlow = (bytesPerSecond: number): HivekeepError =>
  unavailable(`the body comes too slowly: send at least ${bytesPerSecond} bytes a second, or send it in parts`);

const tooLarge = (limit: number): HivekeepError =>
  new HivekeepError('PAYLOAD_TOO_LARGE', `body: must be at most ${limit} bytes: send it in parts`, {
    details: { limit },
  });

/** Rejects as the source does, with nothing written, if it has no first line. */
export async function sendLines(
  req: GatewayRequest,
  res: ServerResponse,
  lines: AsyncIterable<string>,
  responder: Pick<Responder, 'count'>,
  bounds: LeastPace = usualDownload,
): Promise<void> {
  const pace = new Pace(bounds);
  let waiting = '';
  let bytes = 0;
  for await (const line of lines) {
    waiting += line;
    if (waiting.length < chunkChars) continue;
    begin(res);
    if (!res.write(waiting) && !res.destroyed) {
      const before = bytes;
      bytes += Buffer.byteLength(waiting);
      await pace.of(taken(res), before, bounds.graceMs).catch(() => res.destroy());
    }
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

/** Resolves when the reader has taken what was written, or its connection is closed. */
const taken = (res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
