/**
 * Which memories of a space may have a text: a hash of each text, with the beginning of its memory's id
 * (ids.ts), from which the store finds the memory. An entry takes 12 bytes, so that 15 to 23 are taken for each memory.
 *
 *  - Every text that was added is found, unless `mostFound` later ones have its hash. What is found may be wrong:
 *    hashes are equal for a few others, and a memory may have been deleted or changed since. Whoever asks compares the
 *    memories themselves.
 */
import { idStart, startOfId } from './ids.js';

const smallest = 16;
const fullest = 0.8;
const growth = 1.5;
/** Of more memories with one hash, those that were made last are found. */
const mostFound = 4;
const none: readonly string[] = [];

export interface TextTableImage {
  hashes: Uint32Array;
  starts: Float64Array;
  size: number;
}

export class TextTable {
  private hashes = new Uint32Array(smallest);
  /** What `startOfId` says of the memory; 0 in a free place. */
  private starts = new Float64Array(smallest);
  size = 0;

  get bytes(): number {
    return this.hashes.byteLength + this.starts.byteLength;
  }

  /** A copy of its contents. */
  image(): TextTableImage {
    return { hashes: this.hashes.slice(), starts: this.starts.slice(), size: this.size };
  }

  static of({ hashes, starts, size }: TextTableImage): TextTable {
    return Object.assign(new TextTable(), { hashes, starts, size });
  }

  /** An id that has not the form of ids is left out. */
  add(text: number, id: string): void {
    const start = startOfId(id);
    if (start === 0) return;
    if (this.size >= fullest * this.starts.length) this.grow();
    this.put(text >>> 0, start);
  }

  /** The beginnings of the ids, the newest first. */
  find(text: number): readonly string[] {
    const { hashes, starts } = this;
    let found: number[] | null = null;
    const hash = text >>> 0;
    for (let at = hash % starts.length; starts[at] !== 0; at = at + 1 === starts.length ? 0 : at + 1)
      if (hashes[at] === hash) (found ??= []).push(starts[at] as number);
    if (!found) return none;
    return found
      .sort((a, b) => b - a)
      .slice(0, mostFound)
      .map((start) => idStart('memory', start));
  }

  private put(hash: number, start: number): void {
    const { hashes, starts } = this;
    let at = hash % starts.length;
    for (; starts[at] !== 0; at = at + 1 === starts.length ? 0 : at + 1)
      if (hashes[at] === hash && starts[at] === start) return;
    hashes[at] = hash;
    starts[at] = start;
    this.size++;
  }

  private grow(): void {
    const { hashes, starts } = this;
    this.hashes = new Uint32Array(Math.ceil(hashes.length * growth));
    this.starts = new Float64Array(this.hashes.length);
    this.size = 0;
    for (let at = 0; at < starts.length; at++)
      if (starts[at] !== 0) this.put(hashes[at] as number, starts[at] as number);
  }
}
