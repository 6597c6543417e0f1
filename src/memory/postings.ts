/**
 * Which document of a memory space has which term, and how often: by term (postings) and by document.
 *
 * A posting is one 32-bit number, document slot << 8 | frequency; an entry of a document is term << 8 | frequency. Both
 * are lists in a pool (columns.ts), sorted, so that one is found by binary search and removing one is one memory
 * move.
 *
 *  - A term's postings are sorted by slot, with one for each document that has the term; a document's entries are
 *    sorted by term.
 *  - A term that no document has takes no memory.
 *
 * Limits: frequencies are capped at 255 (BM25 is saturated long before), slots and terms at 2^24.
 */
import {
  type Integers,
  ListPool,
  type PoolImage,
  StringTable,
  type TableImage,
  type Unsigned,
  classOf,
  pageSize,
  withRoom,
} from './columns.js';

export const maxFrequency = 255;
export const maxSlots = 2 ** 24;
const none = new Uint32Array(0);
const noSizes = new Int32Array(0);

export interface PostingsImage {
  terms: TableImage;
  pool: PoolImage;
  columns: [places: Unsigned, rooms: Uint8Array<ArrayBuffer>, entries: Unsigned, sizes: Integers];
}

/** Sorted numbers, of which `length` from `from` on are valid. */
export interface Numbers {
  list: Uint32Array;
  from: number;
  length: number;
}

export class Postings {
  private readonly table = new StringTable();
  private readonly pool = new ListPool();
  /** By term: the address of its postings, and the class of their room. */
  private places = none;
  private rooms = new Uint8Array(0);
  /** By document: the address of its entries, and how many there are. */
  private entries = none;
  private sizes = noSizes;

  find(term: string): number | undefined {
    return this.table.find(term);
  }

  /** How many documents have the term. */
  frequency(term: number): number {
    return this.table.uses(term);
  }

  get terms(): number {
    return this.table.size;
  }

  get bytes(): number {
    const { places, rooms, entries, sizes } = this;
    return (
      this.table.bytes + this.pool.bytes + places.byteLength + rooms.byteLength + entries.byteLength + sizes.byteLength
    );
  }

  /** Postings of a term, valid until the next write. */
  of(term: number): Numbers {
    const place = this.places[term] as number;
    return { list: this.pool.page(place), from: place & (pageSize - 1), length: this.frequency(term) };
  }

  /** Entries of a document, valid until the next write. */
  entriesOf(slot: number): Numbers {
    const length = this.sizes[slot] ?? 0;
    if (length === 0) return { list: none, from: 0, length };
    const place = this.entries[slot] as number;
    return { list: this.pool.page(place), from: place & (pageSize - 1), length };
  }

  /** How often a document has a term, at most `maxFrequency` times. */
  times(slot: number, term: number): number {
    const { list, from, length } = this.entriesOf(slot);
    const at = lowerBound(list, from, length, term);
    const entry = list[at] as number;
    return at < from + length && entry >>> 8 === term ? entry & 255 : 0;
  }

  /** Adds terms of a document that has none; `counts` says how often it has each. */
  add(slot: number, counts: ReadonlyMap<string, number>): void {
    const entries = new Uint32Array(counts.size);
    let i = 0;
    for (const [name, times] of counts) {
      const count = Math.min(times, maxFrequency);
      const term = this.table.take(name);
      this.insert(term, ((slot << 8) | count) >>> 0, slot);
      entries[i++] = ((term << 8) | count) >>> 0;
    }
    entries.sort();
    this.entries = withRoom(this.entries, slot, 16, 0);
    this.sizes = withRoom(this.sizes, slot, 17, 0);
    this.sizes[slot] = i;
    if (i === 0) return;
    const place = (this.entries[slot] = this.pool.take(classOf(i)));
    this.pool.page(place).set(entries, place & (pageSize - 1));
  }

  /** Removes all terms of a document. */
  remove(slot: number): void {
    const { list, from, length } = this.entriesOf(slot);
    for (let i = from; i < from + length; i++) this.takeOut((list[i] as number) >>> 8, slot);
    if (length > 0) this.pool.give(this.entries[slot] as number, classOf(length));
    this.sizes[slot] = 0;
  }

  image(): PostingsImage {
    const { places, rooms, entries, sizes } = this;
    return { terms: this.table.image(), pool: this.pool.image(), columns: [places, rooms, entries, sizes] };
  }

  restore({ terms, pool, columns }: PostingsImage): void {
    this.table.restore(terms);
    this.pool.restore(pool);
    [this.places, this.rooms, this.entries, this.sizes] = columns;
  }

  /** The term has been taken for this posting. */
  private insert(term: number, posting: number, slot: number): void {
    const length = this.frequency(term) - 1;
    this.places = withRoom(this.places, term, 18, 0);
    this.rooms = withRoom(this.rooms, term, 19, 0);
    const room = length === 0 ? 0 : (this.rooms[term] as number);
    let place = length === 0 ? this.pool.take(room) : (this.places[term] as number);
    const full = length === 2 ** room;
    if (full) place = this.pool.move(place, room, room + 1, length);
    this.rooms[term] = full ? room + 1 : room;
    this.places[term] = place;
    const list = this.pool.page(place);
    const from = place & (pageSize - 1);
    const at = lowerBound(list, from, length, slot);
    list.copyWithin(at + 1, at, from + length);
    list[at] = posting;
  }

  private takeOut(term: number, slot: number): void {
    const { list, from, length } = this.of(term);
    const at = lowerBound(list, from, length, slot);
    list.copyWithin(at, at + 1, from + length);
    const room = this.rooms[term] as number;
    const place = this.places[term] as number;
    if (length === 1) this.pool.give(place, room);
    else if (room > 1 && length - 1 <= 2 ** (room - 2)) {
      this.places[term] = this.pool.move(place, room, room - 1, length - 1);
      this.rooms[term] = room - 1;
    }
    this.table.release(term);
  }
}

/** The index of the first number whose key (its upper 24 bits) is this one or a later one. */
export function lowerBound(list: Uint32Array, from: number, length: number, key: number): number {
  let low = from;
  let high = from + length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) >>> 8 < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
