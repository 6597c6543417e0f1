/** Converts errors of lmdb and the operating system into sentences that say what to do. */
import { statfsSync } from 'node:fs';
import { StoreError } from '../port.js';

/** Error codes of lmdb are negative; those of the system are positive numbers, and node's are names. */
const fullCodes: ReadonlySet<unknown> = new Set([
  28 /* ENOSPC */,
  27 /* EFBIG */,
  122 /* EDQUOT on Linux */,
  69 /* EDQUOT elsewhere */,
  -30792 /* MDB_MAP_FULL */,
  'ENOSPC',
  'EFBIG',
  'EDQUOT',
]);
const corruptCodes: ReadonlySet<unknown> = new Set([
  -30796 /* MDB_CORRUPTED */, -30797 /* MDB_PAGE_NOTFOUND */, -30793 /* MDB_INVALID */,
  -30794 /* MDB_VERSION_MISMATCH */,
]);
/** The code of a truncated write, which also occurs on a full disk. */
const inputOutput = new Set<unknown>([5, 'EIO']);

const nearlyFull = 1024 * 1024;

export const closed = (): StoreError =>
  new StoreError('closed', 'The store is closed. Start the service again to use it.');

export const noRoom = (dir: string, cause?: unknown): StoreError =>
  new StoreError(
    'full',
    `The disk that holds ${dir} is full; nothing of this write was kept. Free some space: reads work, and writes do again as soon as there is room.`,
    { cause },
  );

export function toStoreError(error: unknown, dir: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (fullCodes.has(code) || (inputOutput.has(code) && freeBytes(dir) < nearlyFull)) return noRoom(dir, error);
  if (corruptCodes.has(code)) return corrupt(dir, message, error);
  if (/closed database|environment is already closed|Database is closed/i.test(message)) return closed();
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 13 || code === 1 || code === 30) {
    return new StoreError(
      'io',
      `The data directory ${dir} cannot be written (${message}). Give the user that runs the service access to it, or name another with HIVEKEEP_DATA_DIR.`,
      { cause: error },
    );
  }
  return new StoreError(
    'io',
    `The data in ${dir} could not be read or written (${message}). Look at the disk and at the system's log, then start the service again.`,
    { cause: error },
  );
}

export const corrupt = (dir: string, what: string, cause?: unknown): StoreError =>
  new StoreError(
    'corrupt',
    `The data in ${dir} is damaged: ${what}. Restore the directory from a backup, or move it away to start empty.`,
    { cause },
  );

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

export const freeBytes = (dir: string): number => bytesOn(dir, 'bavail');
export const totalBytes = (dir: string): number => bytesOn(dir, 'blocks');

/** Infinity for a file system that does not report its space, which is not considered full. */
function bytesOn(dir: string, what: 'bavail' | 'blocks'): number {
  try {
    const space = statfsSync(dir);
    if (space.blocks > 0) return space[what] * space.bsize;
  } catch {
    /* not reported */
  }
  return Infinity;
}
