/**
 * Keeps many short lists of 32-bit numbers in few typed arrays, so that a list costs no object of its own and all of
 * them can be written to a file as they are (snapshot.ts).
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
