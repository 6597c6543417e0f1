/**
 * Restricts what a model server can do to this process. Redirects are not followed (they would carry prompts and the
 * key to another server), and a response is read up to `maxBytes` after decompression; a longer one is AnswerTooLong
 * and its connection is closed. Of a stream of events, each event is at most that long: what they say together is
 * counted where they are put together (stream.ts), because most of a stream is framing.
 */
import { traceNow } from '../../telemetry/tracing.js';

const leastEventBytes = 64 * 1024;

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
  constructor(readonly maxBytes: number) {
    super(`the answer is longer than ${maxBytes} bytes`);
  }
}

export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const traceparent = traceNow();
    const headers =
      traceparent === undefined ? init?.headers : { ...Object.fromEntries(new Headers(init?.headers)), traceparent };
    const response = await fetch(input, { ...init, ...(headers && { headers }), redirect: 'manual' });
    if (!response.body) return response;
    const events = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const most = events ? Math.max(maxBytes, leastEventBytes) : maxBytes;
    let left = most;
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const ends = events ? lastEmptyLine(chunk) : -1;
          left = ends < 0 ? left - chunk.byteLength : most - (chunk.byteLength - ends);
          if (left < 0) controller.error(new AnswerTooLong(maxBytes));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(bounded, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

/**
 * Where the last event of the chunk ends, -1 if none does. An empty line that a chunk's end cuts in two is not seen.
 */
function lastEmptyLine(chunk: Uint8Array): number {
  const [lf, cr] = [10, 13];
  for (let at = chunk.byteLength - 1; at > 0; at--)
    if (chunk[at] === lf && (chunk[at - 1] === lf || (chunk[at - 1] === cr && chunk[at - 2] === lf))) return at + 1;
  return -1;
}
