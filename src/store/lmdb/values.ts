/**
 * Values are stored as JSON text. It costs what MessagePack costs here (0.4 KB message: 1.1 us to write and 0.7 us to
 * read, MessagePack 0.9 and 0.9), needs no table of structures shared between processes, and is readable by anyone who
 * inspects the file, but for the longer ones, which are compressed (compression.ts).
 *
 * A head is four lines: the values that determine its list entries, its counts, its state, its snapshot. A commit needs
 * only the first two of the head that it replaces, which stay short however large the snapshot is.
 */
import { Buffer } from 'node:buffer';
import type { Snapshots } from '../../domain/shared/documents.js';
import type { EntityKind, EntityRef, Head } from '../port.js';
import { compress, decompress, isCompressed, mostAdded } from './compression.js';
import { bufferText } from './keys.js';

const slabBytes = 256 * 1024;

/** lmdb reads a value from [start, end) of the given buffer, later and in another thread, so no byte is ever reused. */
type Slab = Buffer & { start: number; end: number };

/** An lmdb encoder for text that allocates neither a Buffer nor a view for each value. */
export function textCodec(): { copyBuffers: true; encode(text: string): Buffer; decode(bytes: Uint8Array): string } {
  let slab = Buffer.allocUnsafeSlow(slabBytes) as Slab;
  let used = 0;
  return {
    copyBuffers: true, // lmdb's option for an encoder that returns start and end
    encode(text) {
      const most = text.length * 3 + mostAdded;
      if (used + most > slab.length) {
        slab = Buffer.allocUnsafeSlow(
          most > slabBytes ? Math.max(slabBytes, Buffer.byteLength(text)) : slabBytes,
        ) as Slab;
        used = 0;
      }
      slab.start = used;
      const end = compress(text, slab, used);
      slab.end = end === -1 ? used + slab.write(text, used, 'utf8') : end;
      used = (slab.end + 7) & ~7;
      return slab;
    },
    // lmdb reuses the buffer for the next read; the text is a copy
    decode: (bytes) =>
      isCompressed(bytes) ? decompress(bytes).toString('utf8') : bufferText.utf8Slice.call(bytes, 0, bytes.length),
  };
}

/** The first line; a run may have its journal entry in the second (entries.ts). */
export function parseBody(text: string): object {
  const end = text.indexOf('\n');
  return JSON.parse(end === -1 ? text : text.slice(0, end)) as object;
}

export interface HeadLines {
  facets: string;
  counts: string;
}

export const encodeHead = (facets: string, counts: string, head: Head): string =>
  `${facets}\n${counts}\n[${head.active},${head.due},${head.deleted}]\n${JSON.stringify(head.snapshot)}`;

export function headLines(text: string): HeadLines {
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  return { facets: text.slice(0, first), counts: text.slice(first + 1, second) };
}

export const parseCounts = (line: string): Record<string, number> => JSON.parse(line) as Record<string, number>;

export function decodeHead<K extends EntityKind>(entity: EntityRef<K>, seq: number, text: string): Head<K> {
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  const third = text.indexOf('\n', second + 1);
  const [active, due, deleted] = JSON.parse(text.slice(second + 1, third)) as [boolean, number | null, boolean];
  return {
    entity,
    seq,
    active,
    due,
    deleted,
    counts: parseCounts(text.slice(first + 1, second)),
    snapshot: parseBody(text.slice(third + 1)) as Snapshots[K],
  };
}

export const headSnapshot = (text: string): string => {
  let at = -1;
  for (let line = 0; line < 3; line++) at = text.indexOf('\n', at + 1);
  return text.slice(at + 1);
};
