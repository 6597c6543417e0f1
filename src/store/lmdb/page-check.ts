/**
 * Checks every page of data.mdb that is in use, without lmdb. lmdb trusts its pages: with a damaged page it reads
 * wherever a number points, and the process is ended by a signal.
 *
 *  - No content of a file can make the check itself fail or run for ever: each page is read within its bounds and
 *    visited once.
 *  - lmdb can navigate every page of a file that passes: the page numbers, kinds, bounds, order of keys and depth of
 *    each tree are consistent, and no page has two owners or is both free and in use.
 *  - Every file that lmdb wrote passes, even after a kill at any time.
 *
 * Limits: LMDB has no checksums, so a changed character in a value that is still valid text is not detected. With
 * `values`, every value is at least read, and must have the form that the store writes (UTF-8, and JSON where it is
 * JSON).
 *
 * The layout (LMDB data format 2, 64 bit, little endian). A page begins with its number (8 bytes), transaction (8),
 * padding (2), flags (2), and lower and upper bound of its free space (2 and 2; in a page of a large value, how many
 * pages it takes: 4). Then follow the offsets of its nodes (2 each). Bounds and offsets count from behind the header. A
 * node is size or child (4), flags (2; the high bits of the child in a branch), length of the key (2), key, value.
 */
import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { decompress, isCompressed } from './compression.js';
import { readMeta, readTree, readWord, treeBytes, type MetaPage, type TreeDescriptor } from './file-header.js';

export interface PageCheckResult {
  /** Sentences without their full stop, at most `mostProblems`; empty if there are no problems. */
  problems: string[];
  pages: number;
  entries: number;
  /** The state that was checked. If the file has a later one, another process has written to it during the check. */
  transaction: number;
}

const headerBytes = 24;
const nodeBytes = 8;
const branch = 1;
const leaf = 2;
const overflow = 4;
const bigValue = 1;
const subTree = 2;
const duplicates = 4;
/** The flags for numeric keys, reverse key order and several values for a key. The other flags belong to lmdb-js. */
const otherKeys = 0x7e;
const firstPage = 2;
const deepest = 32;
export const mostProblems = 20;

/**
 * Checks the current state of the file. If another process may write to it, hold an lmdb read transaction meanwhile.
 * Throws only the errors of reading the file. With `values`, every value is read as well.
 */
export function checkPages(file: string, { values }: { values: boolean }): PageCheckResult {
  const fd = openSync(file, 'r');
  try {
    const meta = readMeta(fd);
    if (typeof meta === 'string') return { problems: [meta], pages: 0, entries: 0, transaction: 0 };
    return new PageWalk(fd, meta, values).run();
  } finally {
    closeSync(fd);
  }
}

/** Damage at one place. Everything below it in the tree is skipped, and the rest is still checked. */
class Damage extends Error {}

interface Tree {
  name: string;
  kind: 'free' | 'main' | 'data';
  /** One page buffer for each level, so that reading a child does not overwrite its parent. */
  levels: Buffer[];
}
/** The keys of a page are at or above `from` and below `to`; null means no bound. */
interface Bounds {
  from: Buffer | null;
  to: Buffer | null;
}
/** An entry of a leaf: where its key and value are in the page, or which other pages contain the value. */
interface Node {
  flags: number;
  key: Buffer;
  at: number;
  size: number;
}

class PageWalk {
  private readonly problems: string[] = [];
  private readonly filePages: number;
  /** One bit for each page that has an owner. */
  private readonly owned: Uint8Array;
  private pages = 0;
  private entries = 0;
  private large = Buffer.alloc(0);

  constructor(
    private readonly fd: number,
    private readonly meta: MetaPage,
    private readonly values: boolean,
  ) {
    this.filePages = Math.floor(fstatSync(fd).size / meta.pageSize);
    this.owned = new Uint8Array((this.filePages >> 3) + 1);
  }

  run(): PageCheckResult {
    this.tree('main', 'main', this.meta.main);
    this.tree('free list', 'free', this.meta.free); // last, so that a page which is free and in use is noticed
    return {
      problems: this.problems,
      pages: this.pages,
      entries: this.entries,
      transaction: this.meta.transaction,
    };
  }

  private tree(name: string, kind: Tree['kind'], told: TreeDescriptor): void {
    if (told.root === null) return;
    const tree: Tree = { name, kind, levels: [] };
    const { root, depth } = told;
    this.attempt(() => {
      if (kind === 'data' && (told.flags & otherKeys) !== 0)
        throw new Damage(`the ${name} tree claims keys of another kind`);
      if (depth < 1 || depth > deepest) throw new Damage(`the ${name} tree claims a depth of ${depth}`);
      this.page(tree, root, depth, { from: null, to: null });
    });
  }

  private attempt(work: () => void): void {
    if (this.problems.length >= mostProblems) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      this.problems.push(error.message);
    }
  }

  private page(tree: Tree, number: number, depth: number, bounds: Bounds): void {
    const fail = (what: string): Damage => new Damage(`page ${number} (${tree.name}) ${what}`);
    this.own(number, 1, fail);
    const page = (tree.levels[depth] ??= Buffer.alloc(this.meta.pageSize));
    if (readSync(this.fd, page, 0, page.length, number * page.length) < page.length)
      throw fail('cannot be read to its end');
    this.pages++;
    this.header(page, number, fail);
    const flags = page.readUInt16LE(18) & 0xff;
    if (flags !== (depth === 1 ? leaf : branch)) throw fail(`is no ${depth === 1 ? 'leaf' : 'branch'} of a tree`);
    const lower = page.readUInt16LE(20);
    const upper = page.readUInt16LE(22);
    if (lower > upper || upper > page.length - headerBytes || (lower & 1) === 1)
      throw fail('has bounds that cannot be');
    if (depth === 1) this.leaf(tree, page, lower >> 1, upper, bounds, fail);
    else this.branch(tree, page, lower >> 1, upper, depth, bounds, fail);
  }

  private header(page: Buffer, number: number, fail: (what: string) => Damage): void {
    const told = readWord(page, 0);
    if (told !== number) throw fail(told === 0 ? 'is empty' : 'holds something else');
    if (readWord(page, 8) > this.meta.transaction) throw fail('is of a transaction that never was');
  }

  private branch(
    tree: Tree,
    page: Buffer,
    count: number,
    upper: number,
    depth: number,
    bounds: Bounds,
    fail: (what: string) => Damage,
  ): void {
    if (count < 2) throw fail('is a branch with less than two children');
    const children: { number: number; key: Buffer | null }[] = [];
    for (let i = 0; i < count; i++) {
      const at = nodeAt(page, i, upper, fail);
      const keySize = page.readUInt16LE(at + 6);
      if (at + nodeBytes + keySize > page.length) throw fail('has a key that reaches beyond it');
      const number = page.readUInt32LE(at) + page.readUInt16LE(at + 4) * 2 ** 32;
      // the first key of a branch is not used; it stands for everything below the second
      children.push({
        number,
        key: i === 0 ? bounds.from : Buffer.from(page.subarray(at + nodeBytes, at + nodeBytes + keySize)),
      });
    }
    children.forEach(({ key }, i) => {
      if (i === 0 || key === null) return;
      const before = children[i - 1]?.key ?? null;
      if ((before && compare(tree, before, key) >= 0) || (bounds.to && compare(tree, key, bounds.to) >= 0))
        throw fail('has keys out of order');
    });
    children.forEach(({ number, key }, i) => {
      this.attempt(() => {
        this.page(tree, number, depth - 1, { from: key, to: children[i + 1]?.key ?? bounds.to });
      });
    });
  }

  private leaf(
    tree: Tree,
    page: Buffer,
    count: number,
    upper: number,
    bounds: Bounds,
    fail: (what: string) => Damage,
  ): void {
    let before = bounds.from;
    for (let i = 0; i < count; i++) {
      const node = leafNode(page, nodeAt(page, i, upper, fail), fail);
      const order = before === null ? 1 : compare(tree, node.key, before);
      if (order < 0 || (order === 0 && i > 0)) throw fail('has keys out of order');
      before = node.key;
      if (tree.kind === 'data') this.entries++;
      this.attempt(() => {
        this.entry(tree, page, node, fail);
      });
    }
    if (before && bounds.to && count > 0 && compare(tree, before, bounds.to) >= 0) throw fail('has keys out of order');
  }

  private entry(tree: Tree, page: Buffer, node: Node, fail: (what: string) => Damage): void {
    const { flags, key, at, size } = node;
    if ((flags & duplicates) !== 0 || flags > 7) throw fail('has an entry of a kind that hivekeep does not write');
    if ((flags & subTree) !== 0) {
      if (tree.kind !== 'main' || (flags & bigValue) !== 0 || size !== treeBytes)
        throw fail('names a tree where none can be');
      this.tree(key.toString('latin1').replace(/\0+$/, ''), 'data', readTree(page, at));
      return;
    }
    const value = (flags & bigValue) === 0 ? page.subarray(at, at + size) : this.largeValue(tree, page, node, fail);
    if (tree.kind === 'free') this.freePages(value, fail);
    else if (this.values && tree.kind === 'data' && !isValue(tree.name, value))
      throw fail('has a value that is not what hivekeep writes');
  }

  /** Only the first page of a large value has a header. The bytes of the value are read only if they are needed. */
  private largeValue(tree: Tree, page: Buffer, { at, size }: Node, fail: (what: string) => Damage): Buffer {
    const number = readWord(page, at);
    const count = readWord(page, at + 16);
    const { pageSize } = this.meta;
    if (count !== Math.floor((headerBytes - 1 + size) / pageSize) + 1)
      throw fail('names a large value of another length');
    const failThere = (what: string): Damage => new Damage(`page ${number} (${tree.name}, a large value) ${what}`);
    this.own(number, count, failThere);
    this.pages += count;
    const wanted = headerBytes + (this.values || tree.kind === 'free' ? size : 0);
    if (this.large.length < wanted) this.large = Buffer.alloc(wanted * 2);
    if (readSync(this.fd, this.large, 0, wanted, number * pageSize) < wanted)
      throw failThere('cannot be read to its end');
    this.header(this.large, number, failThere);
    if ((this.large.readUInt16LE(18) & 0xff) !== overflow || this.large.readUInt32LE(20) !== count)
      throw failThere('is no large value of that length');
    return this.large.subarray(headerBytes, wanted);
  }

  /**
   * Reads a list of free pages: the number of words that follow, and then page numbers. A negative word gives the
   * number of pages in a run that starts at the next page number, and 0 is a gap.
   */
  private freePages(value: Buffer, fail: (what: string) => Damage): void {
    const room = (value.length >> 3) - 1;
    const count = room < 0 ? 0 : readWord(value, 0);
    if (room < 0 || count > room) throw fail('is a free list of another length');
    for (let i = 1; i <= count; i++) {
      const word = value.readBigInt64LE(i * 8);
      if (word === 0n) continue;
      if (word < 0n && ++i > room) throw fail('is a free list that ends too early');
      const length = word < 0n ? Number(-word) : 1;
      const number = word < 0n ? readWord(value, i * 8) : Number(word);
      if (number < firstPage || number + length - 1 > this.meta.lastPage)
        throw fail(`counts page ${number} as free, which does not exist`);
      // pages that were free at once may never have been written, so the file may end before them
      this.claim(number, Math.min(length, this.filePages - number), () =>
        fail(`counts page ${number} as free, which is in use`),
      );
    }
  }

  private own(number: number, count: number, fail: (what: string) => Damage): void {
    if (number < firstPage || number + count - 1 > this.meta.lastPage) throw fail('does not exist');
    if (number + count > this.filePages) throw fail('lies behind the end of the file');
    this.claim(number, count, () => fail('is used twice'));
  }

  private claim(number: number, count: number, taken: () => Damage): void {
    for (let page = number; page < number + count; page++) {
      const bit = 1 << (page & 7);
      const bits = this.owned[page >> 3] ?? 0;
      if ((bits & bit) !== 0) throw taken();
      this.owned[page >> 3] = bits | bit;
    }
  }
}

function nodeAt(page: Buffer, index: number, upper: number, fail: (what: string) => Damage): number {
  const offset = page.readUInt16LE(headerBytes + index * 2);
  if (offset < upper || headerBytes + offset + nodeBytes > page.length) throw fail('points outside itself');
  return headerBytes + offset;
}

function leafNode(page: Buffer, at: number, fail: (what: string) => Damage): Node {
  const size = page.readUInt32LE(at);
  const flags = page.readUInt16LE(at + 4);
  const keySize = page.readUInt16LE(at + 6);
  const value = at + nodeBytes + keySize;
  const here = (flags & bigValue) === 0 ? size : 24; // number of its first page, transaction, how many pages
  if (keySize === 0 || value + here > page.length) throw fail('has an entry that reaches beyond it');
  return { flags, key: page.subarray(at + nodeBytes, value), at: value, size };
}

/** The keys of the free list are transactions; all others are compared byte by byte. */
function compare(tree: Tree, a: Buffer, b: Buffer): number {
  if (tree.kind !== 'free') return Buffer.compare(a, b);
  return a.length === 8 && b.length === 8 ? readWord(a, 0) - readWord(b, 0) : -1;
}

/**
 * values.ts and compression.ts define the format that the store writes: a head is preceded by its seq, and a document
 * may have several lines of JSON (entries.ts).
 */
function isValue(tree: string, bytes: Buffer): boolean {
  const stored = tree === 'heads' ? bytes.subarray(8) : bytes;
  try {
    const text = isCompressed(stored) ? decompress(stored) : stored;
    if (!isUtf8(text)) return false;
    const isLinesOfJson = tree === 'heads' || text[0] === 0x7b || text[0] === 0x5b;
    if (!isLinesOfJson) return !text.includes(0);
    for (const line of text.toString('utf8').split('\n')) JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
