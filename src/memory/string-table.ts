/**
 * Gives numbers to names (terms, types, speakers, sessions, ids) and counts their uses. A name without uses is
 * forgotten and its number given again, so the size of a table depends only on what is in it now.
 *
 *  - A name keeps one number as long as it is in use; no two names in use share a number.
 *  - `uses` is the number of calls of `take` minus the number of calls of `release`.
 *  - Adding a name never rehashes all of them: the table grows by splitting one bucket for each name (linear
 *     hashing).
 *
 * Names are kept as characters in a pool and not as strings: a name costs some 30 bytes instead of 120, and a table is
 * written to a file and read from it as it is. Characters are two to a number of 32 bits, or four where all of them are
 * below 256.
 */
import { type Integers, noIntegers, type Unsigned, withRoom } from './columns.js';
import { classOf, ListPool, pageSize, type PoolImage } from './list-pool.js';

const wide = 0x40000000;
const none = new Uint32Array(0);

export interface TableImage {
  pool: PoolImage;
  columns: [heads: Integers, next: Integers, counts: Integers, lengths: Integers, places: Unsigned];
  free: number[];
  counters: [names: number, size: number, buckets: number, seed: number];
}

export class StringTable {
  private readonly pool = new ListPool();
  /** By bucket the name that was added last, and by name the one that was added before it; -1 if there is none. */
  private heads = noIntegers;
  private next = noIntegers;
  private counts = noIntegers;
  /** The number of characters, with `wide` added where they take two bytes each. */
  private lengths = noIntegers;
  private places = none;
  private free: number[] = [];
  private names = 0;
  private buckets = 1;
  /** So that nobody can choose names that all are in one bucket. */
  private seed = (Math.random() * 0x7fffffff) | 0;
  size = 0;

  /** The number of a name that is in use, or undefined. */
  find(name: string): number | undefined {
    if (this.size === 0) return undefined;
    let at = this.heads[this.bucketOf(this.hash(name))] as number;
    for (; at >= 0; at = this.next[at] as number) if (this.is(at, name)) return at;
    return undefined;
  }

  uses(number: number): number {
    return this.counts[number] ?? 0;
  }

  name(number: number): string {
    const length = (this.lengths[number] as number) & ~wide;
    const isWide = (this.lengths[number] as number) !== length;
    const place = this.places[number] as number;
    const page = this.pool.page(place);
    const bytes = Buffer.from(
      page.buffer,
      page.byteOffset + 4 * (place & (pageSize - 1)),
      isWide ? 2 * length : length,
    );
    return bytes.toString(isWide ? 'utf16le' : 'latin1');
  }

  /** Adds a use of the name and returns its number. */
  take(name: string): number {
    const number = this.find(name) ?? this.add(name);
    this.counts[number] = (this.counts[number] as number) + 1;
    return number;
  }

  /** Ends one use of the name; returns true if it was the last. */
  release(number: number): boolean {
    const left = (this.counts[number] as number) - 1;
    this.counts[number] = left;
    if (left > 0) return false;
    const bucket = this.bucketOf(this.hash(this.name(number)));
    const following = this.next[number] as number;
    if (this.heads[bucket] === number) this.heads[bucket] = following;
    else {
      let before = this.heads[bucket] as number;
      while (this.next[before] !== number) before = this.next[before] as number;
      this.next[before] = following;
    }
    const place = this.places[number] as number;
    const room = this.room(this.lengths[number] as number);
    const from = place & (pageSize - 1);
    this.pool.page(place).fill(0, from, from + 2 ** room); // no snapshot has a name that was forgotten
    this.pool.give(place, room);
    this.free.push(number);
    this.size--;
    return true;
  }

  get bytes(): number {
    const { heads, next, counts, lengths, places, free } = this;
    return (
      this.pool.bytes +
      [heads, next, counts, lengths, places].reduce((sum, column) => sum + column.byteLength, 8 * free.length)
    );
  }

  image(): TableImage {
    const { heads, next, counts, lengths, places, free, names, size, buckets, seed } = this;
    return {
      pool: this.pool.image(),
      columns: [heads, next, counts, lengths, places],
      free,
      counters: [names, size, buckets, seed],
    };
  }

  restore({ pool, columns, free, counters }: TableImage): void {
    this.pool.restore(pool);
    [this.heads, this.next, this.counts, this.lengths, this.places] = columns;
    [this.names, this.size, this.buckets, this.seed] = counters;
    this.free = free;
  }

  private add(name: string): number {
    if (this.size >= this.buckets) this.split();
    const number = this.free.pop() ?? this.names++;
    this.next = withRoom(this.next, number, 8, -1);
    this.counts = withRoom(this.counts, number, 9, 0);
    this.lengths = withRoom(this.lengths, number, 10, 0);
    this.places = withRoom(this.places, number, 11, 0);
    this.heads = withRoom(this.heads, this.buckets - 1, 12, -1);
    const length = isNarrow(name) ? name.length : name.length | wide;
    const place = this.pool.take(this.room(length));
    this.lengths[number] = length;
    this.places[number] = place;
    this.counts[number] = 0;
    const page = this.pool.page(place);
    const start = page.byteOffset + 4 * (place & (pageSize - 1));
    if (length === name.length) {
      const bytes = new Uint8Array(page.buffer, start, length);
      for (let i = 0; i < length; i++) bytes[i] = name.charCodeAt(i);
    } else {
      const units = new Uint16Array(page.buffer, start, name.length);
      for (let i = 0; i < name.length; i++) units[i] = name.charCodeAt(i);
    }
    this.link(number);
    this.size++;
    return number;
  }

  private link(number: number): void {
    const bucket = this.bucketOf(this.hash(this.name(number)));
    this.next[number] = this.heads[bucket] as number;
    this.heads[bucket] = number;
  }

  private split(): void {
    const power = 2 ** (31 - Math.clz32(this.buckets));
    const from = this.buckets - power;
    this.heads = withRoom(this.heads, this.buckets, 12, -1);
    this.heads[this.buckets++] = -1;
    let at = this.heads[from] as number;
    this.heads[from] = -1;
    while (at >= 0) {
      const following = this.next[at] as number;
      this.link(at);
      at = following;
    }
  }

  private bucketOf(hash: number): number {
    const power = 2 ** (31 - Math.clz32(this.buckets));
    const bucket = hash & (2 * power - 1);
    return bucket < this.buckets ? bucket : bucket & (power - 1);
  }

  private hash(name: string): number {
    let hash = this.seed;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x5bd1e995);
    return mixed(hash);
  }

  private is(number: number, name: string): boolean {
    const length = this.lengths[number] as number;
    const count = length & ~wide;
    if (count !== name.length) return false;
    const place = this.places[number] as number;
    const page = this.pool.page(place);
    const from = place & (pageSize - 1);
    for (let i = 0; i < count; i++) if (unitAt(page, from, i, length !== count) !== name.charCodeAt(i)) return false;
    return true;
  }

  /** The class of the room for so many characters. */
  private room(length: number): number {
    const count = length & ~wide;
    return classOf(length === count ? (count + 3) >> 2 : (count + 1) >> 1);
  }
}

const unitAt = (page: Uint32Array, from: number, i: number, isWide: boolean): number =>
  isWide
    ? ((page[from + (i >> 1)] as number) >>> ((i & 1) << 4)) & 0xffff
    : ((page[from + (i >> 2)] as number) >>> ((i & 3) << 3)) & 0xff;

function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  return once ^ (once >>> 15);
}

function isNarrow(name: string): boolean {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) > 255) return false;
  return true;
}
