/**
 * Growable typed arrays, used as columns with one element for each document or session.
 *
 * The columns of one table start at different lengths (`first`), so that they double on different writes and no single
 * write pays for all of them. At 131,072 slots, growing one column of 8 bytes takes well under a millisecond; growing
 * ten of them at once would not.
 */

/** Shared by all columns that are still empty, because each empty typed array takes 200 bytes. */
export const noFloats = new Float64Array(0);
export const noIntegers = new Int32Array(0);
export const noBytes = new Uint8Array(0);

export type Integers = Int32Array<ArrayBuffer>;
export type Unsigned = Uint32Array<ArrayBuffer>;
type Column = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** Returns the column itself if it has the slot, else a copy of twice the length; new elements are set to `fill`. */
export function withRoom<T extends Column>(column: T, slot: number, first: number, fill: number): T {
  if (slot < column.length) return column;
  const larger = new (column.constructor as new (length: number) => T)(Math.max(first, slot + 1, column.length * 2));
  larger.set(column);
  if (fill !== 0) larger.fill(fill, column.length);
  return larger;
}

/**
 * Keeps many short lists of 32-bit numbers in few typed arrays, so that a list costs no object of its own and all of
 * them can be written to a file as they are (snapshots.ts).
 *
 *  - The room of a list is a power of two. A list that outgrows it is copied to one of twice the size, and
 *     what it leaves is used again by the next list of that size.
 *  - No call does more work than copying one page or one list.
 *
 * An address is page number << 16 | offset. A list of more than a page has a page of its own size.
 */
const pageBits = 16;
export const pageSize = 1 << pageBits;
const firstPage = 64;

/** The exponent of the smallest power of two that is at least `length`. */
export const classOf = (length: number): number => (length <= 1 ? 0 : 32 - Math.clz32(length - 1));

export interface PoolImage {
  pages: Uint32Array[];
  used: number;
  open: number;
  free: number[][];
}

export class ListPool {
  private pages: Uint32Array[] = [];
  /** The page from which room is cut, and how much of it is used. */
  private open = -1;
  private used = 0;
  /** Addresses of free room, by class. */
  private free: number[][] = [];
  bytes = 0;

  page(address: number): Uint32Array {
    return this.pages[address >>> pageBits] as Uint32Array;
  }

  /** The address of room for 2^size numbers, whose contents are arbitrary. */
  take(size: number): number {
    const again = this.free[size]?.pop();
    if (again !== undefined) return again;
    const length = 2 ** size;
    if (length >= pageSize) return this.add(new Uint32Array(length)) * pageSize;
    let page = this.pages[this.open];
    if (!page || this.used + length > pageSize) {
      page = new Uint32Array(Math.max(length, this.pages.length === 0 ? firstPage : pageSize));
      this.open = this.add(page);
      this.used = 0;
    } else if (this.used + length > page.length) this.grow(page, length);
    const at = this.open * pageSize + this.used;
    this.used += length;
    return at;
  }

  /** Frees room that `take(size)` has returned. */
  give(address: number, size: number): void {
    (this.free[size] ??= []).push(address);
  }

  /** Moves the first `length` numbers at an address to room of another size. */
  move(address: number, from: number, to: number, length: number): number {
    const moved = this.take(to);
    const at = address & (pageSize - 1);
    this.page(moved).set(this.page(address).subarray(at, at + length), moved & (pageSize - 1));
    this.give(address, from);
    return moved;
  }

  image(): PoolImage {
    return { pages: this.pages, used: this.used, open: this.open, free: this.free };
  }

  restore({ pages, used, open, free }: PoolImage): void {
    Object.assign(this, { pages, used, open, free });
    this.bytes = pages.reduce((sum, page) => sum + page.byteLength, 0);
  }

  private add(page: Uint32Array): number {
    if (this.pages.length === 1 << pageBits) throw new RangeError('the index of a memory space is full');
    this.bytes += page.byteLength;
    return this.pages.push(page) - 1;
  }

  /** The first page of a small index grows, so that it costs little. */
  private grow(page: Uint32Array, length: number): void {
    const larger = new Uint32Array(Math.min(pageSize, Math.max(page.length * 2, 2 ** classOf(this.used + length))));
    larger.set(page.subarray(0, this.used));
    this.bytes += larger.byteLength - page.byteLength;
    this.pages[this.open] = larger;
  }
}

/*
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
