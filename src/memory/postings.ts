/**
 * The inverted index of one context: which document contains which term, and how often.
 *
 * A posting is one 32-bit number, document slot << 8 | frequency. Each term keeps its postings in a typed array, sorted
 * by slot, so that removing one takes a binary search and one memory move, and scoring reads memory sequentially. Each
 * document keeps the numbers of its terms (documents.ts), which are passed to `remove`.
 *
 *  RecallPostings.I1 A term's postings are sorted by slot, with one for each document that has the term, but for those
 *     that another document stands for (repeats.ts). The term's document frequency counts these, too.
 *  RecallPostings.I2 A term that no document has takes no memory.
 *
 * Limits: frequencies are capped at 255 (BM25 is saturated long before), slots at 2^24.
 */
import { Dictionary } from './dictionary.js';

export const maxFrequency = 255;
export const maxSlots = 2 ** 24;
/** Estimated heap bytes of a typed array in addition to its elements. */
const arrayOverhead = 200;
/** Heap bytes of a term's number in the list that the document keeps. */
const backReference = 8;
const none = new Uint32Array(0);

export class Postings {
  private readonly dictionary = new Dictionary();
  /** By term. Elements beyond the term's `length` are spare capacity. */
  private readonly lists: Uint32Array[] = [];
  private readonly lengths: number[] = [];
  private listBytes = 0;
  private count = 0;

  find(term: string): number | undefined {
    return this.dictionary.find(term);
  }

  /** How many documents have the term. */
  frequency(term: number): number {
    return this.dictionary.uses(term);
  }

  /** How many elements of `list` are valid. */
  length(term: number): number {
    return this.lengths[term] ?? 0;
  }

  list(term: number): Uint32Array {
    return this.lists[term] ?? none;
  }

  get terms(): number {
    return this.dictionary.size;
  }

  get bytes(): number {
    return this.dictionary.bytes + this.listBytes + this.count * backReference;
  }

  /** How often the document in `slot`, which must have a posting, has the term; at most `maxFrequency`. */
  occurrences(term: number, slot: number): number {
    const list = this.list(term);
    const at = lowerBound(list, this.length(term), slot);
    const posting = list[at] ?? 0;
    return at < this.length(term) && posting >>> 8 === slot ? posting & 255 : 0;
  }

  /** Counts a document that has the term. Must be called once per document and term. Returns the term's number. */
  take(name: string): number {
    return this.dictionary.take(name);
  }

  /** Records that the document in `slot`, which `take` has counted, has the term `count` times. */
  insert(term: number, slot: number, count: number): void {
    const length = this.length(term);
    this.count++;
    this.lengths[term] = length + 1;
    let list = this.list(term);
    if (length === list.length)
      list = this.resize(term, list, length, length < 4 ? length + 2 : length + (length >> 1));
    const posting = ((slot << 8) | Math.min(count, maxFrequency)) >>> 0;
    if (length === 0 || (list[length - 1] ?? 0) < posting) {
      list[length] = posting;
      return;
    }
    const at = lowerBound(list, length, slot);
    list.copyWithin(at + 1, at, length);
    list[at] = posting;
  }

  remove(term: number, slot: number): void {
    const list = this.list(term);
    const length = this.length(term);
    const at = lowerBound(list, length, slot);
    list.copyWithin(at, at + 1, length);
    this.count--;
    this.lengths[term] = length - 1;
    if (this.dictionary.release(term)) {
      this.listBytes -= list.length * 4 + arrayOverhead;
      this.lists[term] = none;
    } else if (length < list.length >> 2) this.resize(term, list, length, length + (length >> 1));
  }

  private resize(term: number, list: Uint32Array, used: number, capacity: number): Uint32Array {
    const resized = new Uint32Array(capacity);
    resized.set(list.subarray(0, used));
    this.lists[term] = resized;
    this.listBytes += (capacity - list.length) * 4 + (list === none ? arrayOverhead : 0);
    return resized;
  }
}

/** The index of the first posting of `slot` or of a later slot. */
function lowerBound(list: Uint32Array, length: number, slot: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) >>> 8 < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}
