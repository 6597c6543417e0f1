/**
 * Texts in compressed form, which is lmdb-js's own: a byte that no UTF-8 has, the length of the text (3 bytes, big
 * endian), and one block of LZ4, whose matches may also be in the dictionary. A stored run takes a third of its text.
 *
 *  - What was compressed reads as the same text, always: the dictionary and the form are part of the schema
 *    (schema.ts).
 *  - A text that is not compressed is stored as it is, as all texts once were, and the first byte of a value tells
 *    which it is. Short texts are not, because little would be saved, nor long ones, because that would hold up the
 *    event loop.
 *  - No content of a value makes reading it fail otherwise than by an error, run for ever or reach beyond its buffers.
 *
 * lmdb-js's code for it is not used: what it knows of the dictionary is changed while a long value is read, also under
 * the threads that compress, and a value that it cannot read is to it one that is not there.
 */
import { Buffer } from 'node:buffer';
import { dictionaryText } from './dictionary.js';

const mark = 0xfe;
const headerBytes = 4;
const shortest = 160;
/** In bytes. Text and dictionary together stay below 64 KiB, so that every match is within the reach of LZ4. */
const longest = 48 * 1024;

const dictionary = Buffer.from(dictionaryText, 'latin1');
const from = dictionary.length;

/** The dictionary, and behind it the text. One text at a time: nothing here is interrupted. */
const window = Buffer.alloc(from + longest);
dictionary.copy(window);

const shortestMatch = 4;
/** LZ4 wants the last five bytes to be literals, and no match to begin in the last twelve. */
const lastLiterals = 5;
const lastStart = 12;

const hashBits = 12;
const hashAt = (at: number): number =>
  Math.imul(
    (window[at] ?? 0) | ((window[at + 1] ?? 0) << 8) | ((window[at + 2] ?? 0) << 16) | ((window[at + 3] ?? 0) << 24),
    0x9e3779b1,
  ) >>>
  (32 - hashBits);

/** Where the four bytes of a hash were last seen in the window. */
const places = new Uint16Array(1 << hashBits);
const placesInDictionary = new Uint16Array(1 << hashBits);
for (let at = 0; at + shortestMatch <= from; at++) placesInDictionary[hashAt(at)] = at;

/** lmdb-js reads every value into one buffer and sets its length, so behind its end there is what was read before. */
export const isCompressed = (bytes: Uint8Array): boolean => bytes.length > headerBytes && bytes[0] === mark;

/** More than `compress` writes at most beyond the bytes of the text, where nothing in it repeats. */
export const mostAdded = 256;

/** Writes the text compressed and returns where it ends, or returns -1 if it is to be stored as it is. */
export function compress(text: string, target: Uint8Array, start: number): number {
  if (text.length < shortest || text.length > longest) return -1;
  if (text.length * 3 > longest && Buffer.byteLength(text) > longest) return -1;
  const size = window.write(text, from, 'utf8');
  target[start] = mark;
  target[start + 1] = 0; // for texts longer than `longest`
  target[start + 2] = size >> 8;
  target[start + 3] = size & 0xff;
  const end = writeBlock(from + size, target, start + headerBytes);
  return end - start < size ? end : -1;
}

/** The text in UTF-8, until the next value is read or written. Throws if it is not what `compress` writes. */
export function decompress(bytes: Uint8Array): Buffer {
  const size = ((bytes[1] ?? 0) << 16) | ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0);
  const end = from + size;
  if (end > window.length || readBlock(bytes, headerBytes, end) !== end)
    throw new Error('a compressed value is damaged');
  return window.subarray(from, end);
}

function writeBlock(end: number, target: Uint8Array, start: number): number {
  places.set(placesInDictionary);
  let out = start;
  let literals = from;
  for (let at = from; at < end - lastStart;) {
    const hash = hashAt(at);
    const match = places[hash] ?? 0;
    places[hash] = at;
    const length = matching(match, at, end - lastLiterals);
    if (length < shortestMatch) {
      at++;
      continue;
    }
    out = writeSequence(target, out, literals, at, at - match, length);
    for (const next = at + length; ++at < next;) if (at < end - lastStart) places[hashAt(at)] = at;
    literals = at;
  }
  return writeSequence(target, out, literals, end, 0, 0);
}

function matching(match: number, at: number, end: number): number {
  let length = 0;
  while (at + length < end && window[match + length] === window[at + length]) length++;
  return length;
}

/** Literals, and then a match; the last sequence of a block has none. */
function writeSequence(
  target: Uint8Array,
  start: number,
  literals: number,
  end: number,
  offset: number,
  match: number,
): number {
  const count = end - literals;
  const more = match - shortestMatch;
  let out = start;
  target[out++] = (Math.min(count, 15) << 4) | (match === 0 ? 0 : Math.min(more, 15));
  if (count >= 15) out = writeLength(target, out, count - 15);
  for (let at = literals; at < end; at++) target[out++] = window[at] ?? 0;
  if (match === 0) return out;
  target[out++] = offset & 0xff;
  target[out++] = offset >> 8;
  return more >= 15 ? writeLength(target, out, more - 15) : out;
}

function writeLength(target: Uint8Array, start: number, length: number): number {
  let out = start;
  let rest = length;
  for (; rest >= 255; rest -= 255) target[out++] = 255;
  target[out++] = rest;
  return out;
}

/** Reads a block into the window, up to `end` at most. Returns where it ends there, or -1 if it is damaged. */
function readBlock(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let out = from;
  const more = (length: number): number => {
    let sum = length;
    for (let byte = 255; byte === 255; sum += byte) byte = bytes[at++] ?? 0;
    return sum;
  };
  while (at < bytes.length) {
    const token = bytes[at++] ?? 0;
    const count = token >> 4 === 15 ? more(15) : token >> 4;
    if (at + count > bytes.length || out + count > end) return -1;
    for (const last = at + count; at < last;) window[out++] = bytes[at++] ?? 0;
    if (at === bytes.length) return out;
    const offset = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    at += 2;
    const length = ((token & 15) === 15 ? more(15) : token & 15) + shortestMatch;
    if (offset === 0 || offset > out || out + length > end) return -1;
    // byte by byte, because a match may reach into what it writes
    for (const last = out + length; out < last; out++) window[out] = window[out - offset] ?? 0;
  }
  return -1;
}
