/** Reads lines of a file or stream, of which none may take more than a bound: a longer one is not kept in memory. */
import { setImmediate } from 'node:timers/promises';

export interface Line {
  /** From 1. */
  number: number;
  bytes: Buffer;
  /** The position behind its newline. */
  end: number;
}

export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  constructor(
    readonly line: number,
    readonly limit: number,
  ) {
    super(`line ${line} is longer than ${limit} bytes`);
  }
}

const newline = 10;
/** So much of the lines, each counted a little longer than it is, is handed on in one turn of the event loop. */
const turnBytes = 8 * 1024;
const lineBytes = 64;

/**
 * A last line without a newline counts, too, unless it is empty. Rejects with LineTooLong. Whoever takes time for each
 * line keeps a turn of the event loop for a few of them only.
 */
export async function* readLines(source: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  let end = 0;
  let inTurn = 0;
  const line = (last: Uint8Array): Line => {
    const bytes = parts.length === 0 ? Buffer.from(last) : Buffer.concat([...parts, last]);
    parts = [];
    length = 0;
    return { number: number++, bytes, end };
  };
  for await (const chunk of source) {
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      if (length + at - start > limit) throw new LineTooLong(number, limit);
      end += at + 1 - start;
      yield line(chunk.subarray(start, at));
      inTurn += at - start + lineBytes;
      start = at + 1;
      if (inTurn < turnBytes) continue;
      await setImmediate();
      inTurn = 0;
    }
    if (start === chunk.length) continue;
    length += chunk.length - start;
    if (length > limit) throw new LineTooLong(number, limit);
    end += chunk.length - start;
    parts.push(Buffer.from(chunk.subarray(start)));
  }
  if (length > 0) yield line(Buffer.alloc(0));
}
