/**
 * Indexes that outlast the process that has built them, so that the first message to a large agent after a start or a
 * takeover need not wait until its index is built from all of its documents. A snapshot is an image of the index as of
 * a commit. It is completed with the documents that were changed since.
 *
 *  RecallSnapshots.D1 A snapshot that is completed is the index that all documents give, or it is not used: it is never
 *     the truth. One that is damaged, or of another version, is removed and said once in the log, and the index is
 *     built.
 *  RecallSnapshots.D2 It is made of what was committed and nothing else, and holds no word that was deleted before:
 *     words that are no longer in use are overwritten in the index, and with a later deletion it goes as a whole
 *     (KeptImages.I3).
 *  RecallSnapshots.D3 Only indexes of `least` documents or more are kept, and without vectors. One is kept again when a
 *     hundredth of its documents has changed, and never takes more than a thirtieth of the time.
 */
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { type EntityRef, entityKey } from '../store/port.js';
import type { Logger } from '../telemetry/logger-port.js';
import type { TextTable, TextTableImage } from '../domain/memory/identities.js';
import type { IndexImage, EventTurn } from './space-index.js';
import type { ImageSource, RecallChange } from './port.js';

/*
 * The bytes of an image: what an index holds, in chunks of `chunkBytes` at most.
 *
 *  - What was changed, cut or mixed with another image is found out: every chunk has its number and a checksum, and
 *    the first says how many there are.
 *  - One step of either direction handles one chunk, so that whoever goes through them can give others their turns.
 *
 * The first chunk says in JSON what the image is of and how it is built; the others have the elements of its arrays,
 * one array after the other. Elements at the end of an array that are all alike are left out.
 */

const chunkBytes = 1024 * 1024;
/** Checksum and number of a chunk, each of four bytes. */
const prefixBytes = 8;
/** Longer lists of numbers are written as arrays are. */
const longList = 32;

const arrays = { f: Float64Array, i: Int32Array, u: Uint32Array, b: Uint8Array } as const;
type Code = keyof typeof arrays;
type Column = Float64Array | Int32Array | Uint32Array | Uint8Array;
const codes = new Map<unknown, Code>((Object.entries(arrays) as [Code, unknown][]).map(([code, type]) => [type, code]));

/**
 * An array in the JSON: its type, how many elements follow, its length, what the others are (as text, because JSON has
 * no infinities), and if it was a list.
 */
type Written = [code: Code, count: number, length: number, rest: string, isList: boolean];

interface Start {
  about: unknown;
  chunks: number;
  order: string;
  tree: unknown;
}

/** The chunks of an image, which must not change meanwhile. `about` is JSON. */
export function* imageChunks(about: unknown, image: unknown): Generator<Buffer, void> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const written = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const isList = Array.isArray(value) && value.length > longList && typeof value[0] === 'number';
    const column = isList ? Float64Array.from(value as number[]) : (value as Column);
    const code = codes.get(column.constructor);
    if (code === undefined)
      return Array.isArray(value)
        ? value.map(written)
        : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, written(one)]));
    const rest = column.at(-1) ?? 0;
    const { length } = column;
    let count = length;
    while (count > 0 && column[count - 1] === rest) count--;
    const part = new Uint8Array(column.buffer, column.byteOffset, count * column.BYTES_PER_ELEMENT);
    parts.push(part);
    bytes += part.length;
    return { $: [code, count, length, String(rest), isList] satisfies Written };
  };
  const tree = written(image);
  const chunks = 1 + Math.ceil(bytes / (chunkBytes - prefixBytes));
  const start: Start = { about, chunks, order: endianness(), tree };
  yield sealed(Buffer.concat([Buffer.alloc(prefixBytes), Buffer.from(JSON.stringify(start))]), 0);
  let number = 1;
  let chunk = Buffer.allocUnsafe(prefixBytes + Math.min(bytes, chunkBytes - prefixBytes));
  let at = prefixBytes;
  for (const part of parts)
    for (let from = 0; from < part.length;) {
      const taken = part.subarray(from, from + chunk.length - at);
      chunk.set(taken, at);
      at += taken.length;
      from += taken.length;
      bytes -= taken.length;
      if (at < chunk.length) continue;
      yield sealed(chunk, number++);
      chunk = Buffer.allocUnsafe(prefixBytes + Math.min(bytes, chunkBytes - prefixBytes));
      at = prefixBytes;
    }
}

/**
 * What the chunks hold. Rejects if they are no image, or none that `isWanted` by what it is of. `turn` resolves in a
 * later turn of the event loop.
 */
export async function imageIn<T>(
  chunks: AsyncIterable<Uint8Array>,
  isWanted: (about: unknown) => boolean,
  turn: () => Promise<void>,
): Promise<T> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    let number = 0;
    const next = async (): Promise<Uint8Array> => {
      const found = await iterator.next();
      if (found.done) throw damaged('it ends early');
      return opened(found.value, number++);
    };
    const { about, chunks: count, order, tree } = JSON.parse(Buffer.from(await next()).toString()) as Start;
    if (order !== endianness() || !isWanted(about)) throw damaged('it is of another version');
    let chunk: Uint8Array = new Uint8Array(0);
    let at = 0;
    let allocated = 0;
    /** The tree with its arrays, whose elements are read in the order in which they were written. */
    const built = async (tree: unknown): Promise<unknown> => {
      if (typeof tree !== 'object' || tree === null) return tree;
      const { $: array } = tree as { $?: Written };
      if (!array) {
        const whole: Record<string, unknown> | unknown[] = Array.isArray(tree) ? [] : {};
        for (const [name, one] of Object.entries(tree)) (whole as Record<string, unknown>)[name] = await built(one);
        return whole;
      }
      const [code, filled, length, rest, isList] = array;
      const column = new arrays[code](length);
      if (rest !== '0') column.fill(Number(rest), filled);
      allocated += column.byteLength;
      const bytes = new Uint8Array(column.buffer, 0, filled * column.BYTES_PER_ELEMENT);
      for (let to = 0; to < bytes.length;) {
        if (at === chunk.length) {
          await turn();
          chunk = await next();
          at = allocated = 0;
        }
        const taken = chunk.subarray(at, at + bytes.length - to);
        bytes.set(taken, to);
        at += taken.length;
        to += taken.length;
      }
      if (allocated > chunkBytes) {
        await turn();
        allocated = 0;
      }
      return isList ? Array.from(column) : column;
    };
    const found = await built(tree);
    if (number !== count || at !== chunk.length) throw damaged('its parts do not fit');
    return found as T;
  } finally {
    await iterator.return?.();
  }
}

const damaged = (why: string): Error => new Error(`this is no snapshot that can be used: ${why}`);

function sealed(chunk: Buffer, number: number): Buffer {
  chunk.writeUInt32LE(number, 4);
  chunk.writeUInt32LE(checksum(chunk), 0);
  return chunk;
}

function opened(chunk: Uint8Array, number: number): Uint8Array {
  const { buffer, byteOffset, byteLength } = chunk;
  if (byteLength < prefixBytes) throw damaged('a chunk is cut');
  const view = new DataView(buffer, byteOffset, byteLength);
  if (view.getUint32(4, true) !== number) throw damaged('a chunk is missing');
  if (view.getUint32(0, true) !== checksum(chunk)) throw damaged('a chunk is damaged');
  return chunk.subarray(prefixBytes);
}

/** The CRC-32 of all bytes but the first four. */
const checksum = (chunk: Uint8Array): number => crc32(chunk.subarray(4));

/** Change it with whatever changes which terms a text has, or what an image holds. */
const version = 10;

interface Image extends IndexImage {
  texts: TextTableImage | null;
}

export interface TakenSnapshot {
  image: IndexImage;
  /** The texts of all memories when it was kept; null if too many of them had been deleted. */
  texts: TextTableImage | null;
  /** The commit that it was made of. */
  seq: number;
  changes: AsyncIterable<RecallChange[]>;
}

export interface SnapshotOptions {
  source: ImageSource;
  log?: Pick<Logger, 'warn' | 'debug'> | undefined;
  /** How many documents an index has at least that is kept. A smaller one is built in some ten milliseconds. */
  least?: number;
  /** How many documents have changed at least before it is kept again. */
  leastChanged?: number;
  /** How long a snapshot is not replaced by another, ms. */
  pauseMs?: number;
}

export class RecallSnapshots {
  private readonly failed = new Set<string>();
  readonly source: ImageSource;
  readonly least: number;
  readonly leastChanged: number;
  readonly pauseMs: number;
  private readonly log: SnapshotOptions['log'];

  constructor({ source, log, least = 2000, leastChanged = 200, pauseMs = 30_000 }: SnapshotOptions) {
    this.source = source;
    this.log = log;
    this.least = least;
    this.leastChanged = leastChanged;
    this.pauseMs = pauseMs;
  }

  /** Whether there is a snapshot that may be of use. */
  async has(space: EntityRef, seq: number): Promise<boolean> {
    return (await this.source.kept(space, seq)) !== null;
  }

  /** Null if there is none that is of use. `seq` is of the last commit of the space's entity. */
  async take(space: EntityRef, seq: number, turn: EventTurn): Promise<TakenSnapshot | null> {
    try {
      const kept = await this.source.kept(space, seq);
      const changes = kept?.changes() ?? null;
      if (kept === null || changes === null) return null;
      try {
        const isWanted = (about: unknown): boolean => JSON.stringify(about) === JSON.stringify(aboutOf(space));
        const { texts, ...image } = await imageIn<Image>(kept.chunks, isWanted, turn);
        return { image, texts, seq: kept.seq, changes };
      } catch (cause) {
        this.warn('recall.snapshot_unreadable', space, cause, 'could not be read; the index is built');
        await kept.discard();
        return null;
      }
    } catch (cause) {
      this.warn('recall.snapshot_unreadable', space, cause, 'could not be looked for; the index is built');
      return null;
    }
  }

  /** Copies an image, which must not change before this resolves, in steps of less than a millisecond. */
  async copy(space: EntityRef, image: IndexImage, texts: TextTable | null, turn: EventTurn): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    const whole: Image = { ...image, texts: texts?.image() ?? null };
    for (const chunk of imageChunks(aboutOf(space), whole)) {
      chunks.push(chunk);
      await turn();
    }
    return chunks;
  }

  /** Once for each space. */
  warn(event: string, space: EntityRef, cause: unknown, what: string): void {
    const key = entityKey(space);
    const level = this.failed.has(event + key) ? 'debug' : 'warn';
    this.failed.add(event + key);
    this.log?.[level]({ event, context: key, err: cause }, `the snapshot of a memory index ${what}`);
  }
}

const aboutOf = (space: EntityRef): unknown => ({ version, of: entityKey(space) });
