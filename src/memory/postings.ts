/**
 * Which document says which term how often: the inverted index of one context.
 *
 * A posting is one 32-bit number, document slot << 8 | frequency. Each term has its postings in a typed array in the
 * order of slots, so that taking one out is a binary search and a move of memory, and scoring reads memory in order.
 * The document keeps the numbers of its terms (documents.ts), which is what `remove` is given.
 *
 *  RecallPostings.I1 A term's postings are sorted by slot, one for each document that has the term: their number is its
 *     document frequency.
 *  RecallPostings.I2 A term that no document has takes no memory.
 *
 * Limits: frequencies count to 255 (BM25 is saturated long before), slots to 2^24.
 */
import { Dictionary } from './dictionary.js';

const maxFrequency = 255;
export const maxSlots = 2 ** 24;
/** Heap bytes of a typed array beside its elements, estimated. */
const arrayOverhead = 200;
/** Heap bytes of a term's number in the list that the document keeps. */
const backReference = 8;
const none = new Uint32Array(0);

export class Postings {
  private readonly dictionary = new Dictionary();
  /** By term. Elements past the term's document frequency are spare room. */
  private readonly lists: Uint32Array[] = [];
  private listBytes = 0;
  private count = 0;

  find(term: string): number | undefined {
    return this.dictionary.find(term);
  }

  /** In how many documents the term is; only so many elements of `list` count. */
  frequency(term: number): number {
    return this.dictionary.uses(term);
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

  /** Says that the document in `slot` has the term `count` times; once per document and term. Returns the term's number. */
  add(name: string, slot: number, count: number): number {
    const term = this.dictionary.take(name);
    this.count++;
    const length = this.frequency(term) - 1;
    let list = length === 0 ? none : this.list(term);
    if (length === list.length)
      list = this.resize(term, list, length, length < 4 ? length + 2 : length + (length >> 1));
    const posting = ((slot << 8) | Math.min(count, maxFrequency)) >>> 0;
    if (length === 0 || (list[length - 1] ?? 0) < posting) {
      list[length] = posting;
      return term;
    }
    const at = lowerBound(list, length, slot);
    list.copyWithin(at + 1, at, length);
    list[at] = posting;
    return term;
  }

  remove(term: number, slot: number): void {
    const list = this.list(term);
    const length = this.frequency(term);
    const at = lowerBound(list, length, slot);
    list.copyWithin(at, at + 1, length);
    this.count--;
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

/** Where the first posting of `slot` or a later one is. */
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
