/**
 * Checks data.mdb before lmdb opens it, because lmdb crashes the process (segmentation fault, bus error) on a file that
 * is not an LMDB file or is shorter than its header says.
 *
 * Only the two meta pages are read (LMDB data format 2, 64 bit): page header of 24 bytes, then magic, format, address,
 * map size, two tree descriptors of 48 bytes with their roots (the free list, which also holds the page size, and the
 * tree of trees), last page, transaction.
 * This detects foreign files, incomplete copies and truncated files. It does not check every page.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const magic = 0xbeefc0de;
const format = 2;
const at = { magic: 24, format: 28, pageSize: 48, freeRoot: 88, root: 136, lastPage: 144, transaction: 152 } as const;
const metaBytes = 160;

/**
 * `suspect`: shorter than the header says, which is valid only if the pages at its end were freed before they were ever
 * written.
 */
export type Finding =
  { kind: 'fine' } | { kind: 'suspect'; what: string; whole: number } | { kind: 'damaged'; what: string };

/** Inspects the header; an empty or absent file is valid (lmdb then creates it). */
export function inspectHeader(file: string): Finding {
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

const fine: Finding = { kind: 'fine' };
const damaged = (what: string): Finding => ({ kind: 'damaged', what });

function check(fd: number): Finding {
  const { size } = fstatSync(fd);
  if (size === 0) return fine;
  const first = meta(fd, 0);
  if (!first) return damaged('data.mdb does not begin as an LMDB file does');
  const { pageSize } = first;
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0)
    return damaged(`data.mdb claims pages of ${pageSize} bytes`);
  const second = meta(fd, pageSize);
  if (!second) return damaged('the second page of data.mdb is not what it should be');
  const newest = first.transaction >= second.transaction ? first : second;
  const bytes = (page: bigint): bigint => (page + 1n) * BigInt(pageSize);
  const whole = Number(bytes(newest.lastPage));
  const short = `data.mdb has ${size} bytes and should have ${whole}`;
  for (const root of [newest.freeRoot, newest.root]) if (root !== noPage && bytes(root) > size) return damaged(short);
  if (whole > size) return { kind: 'suspect', what: short, whole };
  return fine;
}

const noPage = 0xffffffffffffffffn;

function meta(
  fd: number,
  position: number,
): { pageSize: number; freeRoot: bigint; root: bigint; lastPage: bigint; transaction: bigint } | null {
  const bytes = Buffer.alloc(metaBytes);
  if (readSync(fd, bytes, 0, metaBytes, position) < metaBytes) return null;
  if (bytes.readUInt32LE(at.magic) !== magic || bytes.readUInt32LE(at.format) !== format) return null;
  return {
    pageSize: bytes.readUInt32LE(at.pageSize),
    freeRoot: bytes.readBigUInt64LE(at.freeRoot),
    root: bytes.readBigUInt64LE(at.root),
    lastPage: bytes.readBigUInt64LE(at.lastPage),
    transaction: bytes.readBigUInt64LE(at.transaction),
  };
}
