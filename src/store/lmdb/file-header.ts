/**
 * Checks data.mdb before lmdb opens it, because lmdb crashes the process (segmentation fault, bus error) on a file that
 * is not an LMDB file or is shorter than its header says.
 *
 * Only the two meta pages are read (LMDB data format 2, 64 bit): page header of 24 bytes, then magic, format, address,
 * map size, two tree descriptors of 48 bytes with their roots (the free list, which also holds the page size, and the
 * tree of trees), last page, transaction.
 * This detects a file that was never an LMDB file, an incomplete copy, and a truncated file. page-check.ts checks the
 * rest.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const magic = 0xbeefc0de;
const format = 2;
const at = {
  magic: 24,
  format: 28,
  mapSize: 40,
  pageSize: 48,
  freeTree: 48,
  mainTree: 96,
  lastPage: 144,
  transaction: 152,
} as const;
const metaBytes = 160;

/** The root page of a tree; null if it is empty. */
export interface TreeDescriptor {
  flags: number;
  depth: number;
  root: number | null;
}

/** One of the two meta pages: a committed state of the store. */
export interface MetaPage {
  pageSize: number;
  mapSize: number;
  lastPage: number;
  transaction: number;
  free: TreeDescriptor;
  main: TreeDescriptor;
}

/**
 * `suspect`: the file is shorter than its header says, which is valid only if the pages at its end were freed before
 * they were ever written.
 */
export type HeaderFinding = { kind: 'fine' } | { kind: 'suspect'; what: string } | { kind: 'damaged'; what: string };

/** Inspects the header; an empty or absent file is valid (lmdb then creates it). */
export function inspectHeader(file: string): HeaderFinding {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fine;
    throw error;
  }
  try {
    return check(fd);
  } finally {
    closeSync(fd);
  }
}

/** The newest committed state, or a description of the damage to the meta pages. */
export function readMeta(fd: number): MetaPage | string {
  const first = meta(fd, 0);
  if (!first) return 'data.mdb does not begin as an LMDB file does';
  const { pageSize } = first;
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0)
    return `data.mdb claims pages of ${pageSize} bytes`;
  const second = meta(fd, pageSize);
  if (second?.pageSize !== pageSize) return 'the second page of data.mdb is not what it should be';
  const newest = first.transaction >= second.transaction ? first : second;
  if ((newest.free.flags & ~harmlessFlags) !== numberKeys || newest.main.flags !== 0)
    return 'data.mdb claims options that hivekeep does not use';
  if ((newest.lastPage + 1) * pageSize > newest.mapSize) return 'data.mdb claims more pages than it has room for';
  return newest;
}

/** The flag of a tree whose keys are numbers. Only the free list has it. */
const numberKeys = 0x08;
/** Options of the environment, which are kept with the flags of the free list: LMDB_RESTORE=safe, and metrics. */
const harmlessFlags = 0x0c00;

const fine: HeaderFinding = { kind: 'fine' };
const damaged = (what: string): HeaderFinding => ({ kind: 'damaged', what });

function check(fd: number): HeaderFinding {
  if (fstatSync(fd).size === 0) return fine;
  const newest = readMeta(fd);
  if (typeof newest === 'string') return damaged(newest);
  // read after the header: a server that works on the file may have made it longer before it wrote the header
  const { size } = fstatSync(fd);
  const bytes = (page: number): number => (page + 1) * newest.pageSize;
  const whole = bytes(newest.lastPage);
  const short = `data.mdb has ${size} bytes and should have ${whole}`;
  for (const { root } of [newest.free, newest.main]) if (root !== null && bytes(root) > size) return damaged(short);
  if (whole > size) return { kind: 'suspect', what: short };
  return fine;
}

function meta(fd: number, position: number): MetaPage | null {
  const bytes = Buffer.alloc(metaBytes);
  if (readSync(fd, bytes, 0, metaBytes, position) < metaBytes) return null;
  if (bytes.readUInt32LE(at.magic) !== magic || bytes.readUInt32LE(at.format) !== format) return null;
  return {
    pageSize: bytes.readUInt32LE(at.pageSize),
    mapSize: readWord(bytes, at.mapSize),
    lastPage: readWord(bytes, at.lastPage),
    transaction: readWord(bytes, at.transaction),
    free: readTree(bytes, at.freeTree),
    main: readTree(bytes, at.mainTree),
  };
}

/**
 * Reads a 64-bit number. Numbers in a valid file are exact; larger ones are rounded, but stay larger than any of these.
 */
export const readWord = (bytes: Buffer, offset: number): number =>
  bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4) * 2 ** 32;

const noRoot = 2 ** 64; // all bits set, rounded

export const treeBytes = 48;

export function readTree(bytes: Buffer, offset: number): TreeDescriptor {
  const root = readWord(bytes, offset + 40);
  return {
    flags: bytes.readUInt16LE(offset + 4),
    depth: bytes.readUInt16LE(offset + 6),
    root: root === noRoot ? null : root,
  };
}
