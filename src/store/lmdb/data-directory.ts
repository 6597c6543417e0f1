/**
 * The data directory: whether it is hivekeep's, whether it is whole, and what its first use leaves in it.
 *
 *  LmdbDataDirectory.D1 Nothing is written into a directory that holds something and is not marked as hivekeep's.
 *  LmdbDataDirectory.D2 The marker says `creating` until the store in it is complete, so a start that was cut off is
 *     simply done again, while a complete store without its data file is refused instead of being replaced by an empty
 *     one.
 *  LmdbDataDirectory.D3 lmdb gets to see only a file that it can open (file-header.ts).
 *  LmdbDataDirectory.D4 Only the user who runs the service reads it: the directory has mode 0700 and its files 0600,
 *     also where an earlier version made them.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StoreError } from '../port.js';
import { corrupt, toStoreError } from './failures.js';
import { inspectHeader } from './file-header.js';

const markerName = 'hivekeep.json';
const what = 'the data of a hivekeep service';
type State = 'creating' | 'ready';

/** Makes the directory where it must; afterwards lmdb may open it. Answers whether the store in it is new. */
export function prepareDirectory(dir: string): { fresh: boolean } {
  try {
    makeDirectory(dir);
    const names = readdirSync(dir);
    const state = readMarker(dir, names);
    restrict(dir, 0o700); // only now is it known to be ours
    if (state === null) mark(dir, 'creating');
    else if (state === 'ready' && !hasData(dir)) throw corrupt(dir, 'data.mdb is missing');
    checkFile(dir);
    return { fresh: state !== 'ready' };
  } catch (error) {
    throw notADirectory(error)
      ? new StoreError('foreign', `${resolve(dir)} is not a directory. Name a directory with HIVEKEEP_DATA_DIR.`, {
          cause: error,
        })
      : toStoreError(error, dir);
  }
}

/**
 * Its parents are as the system makes them; they may be others'. One at a time: a recursive mkdir of node tries for ever
 * where a file system answers ENOENT although the parent is there (/proc, an automount that is away).
 */
function makeDirectory(dir: string): void {
  const missing: string[] = [];
  for (let at = dir; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) missing.unshift(at);
  for (const path of missing) {
    try {
      mkdirSync(path, path === dir ? { mode: 0o700 } : {});
    } catch (error) {
      if (codeOf(error) === 'EEXIST' || notADirectory(error)) continue; // what it is instead, reading it will say
      throw new StoreError(
        'io',
        `The data directory ${dir} cannot be made: ${path} was refused (${(error as Error).message}). Make it yourself, or name another with HIVEKEEP_DATA_DIR.`,
        { cause: error },
      );
    }
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** lmdb makes its files readable for everybody whom the umask lets (LmdbDataDirectory.D4). */
export function restrictFiles(dir: string): void {
  for (const name of ['data.mdb', 'lock.mdb', markerName]) restrict(join(dir, name), 0o600);
}

/** Nobody but its owner gets in; what is another user's is that user's concern. */
function restrict(path: string, mode: number): void {
  const known = statSync(path, { throwIfNoEntry: false });
  if (!known || (known.mode & 0o077) === 0 || known.uid !== process.getuid?.()) return;
  chmodSync(path, mode);
}

/** The store in the directory is complete. */
export const markReady = (dir: string): void => mark(dir, 'ready');

function readMarker(dir: string, names: readonly string[]): State | null {
  if (!names.includes(markerName)) {
    // what a first start can leave behind before it is marked, and what file systems put into an empty directory
    const others = names.filter((n) => !n.startsWith(`${markerName}.`) && n !== 'lost+found');
    if (others.length === 0) return null;
    throw new StoreError(
      'foreign',
      `The directory ${resolve(dir)} holds something else (${others.slice(0, 3).join(', ')}) and is not a data directory of hivekeep. Name an empty or a new one with HIVEKEEP_DATA_DIR.`,
    );
  }
  const text = readFileSync(join(dir, markerName), 'utf8');
  try {
    const marker = JSON.parse(text) as { what?: unknown; state?: unknown } | null;
    if (marker?.what === what && (marker.state === 'creating' || marker.state === 'ready')) return marker.state;
  } catch {
    /* told below */
  }
  throw corrupt(dir, `${markerName} is not what hivekeep writes`);
}

function checkFile(dir: string): void {
  const file = join(dir, 'data.mdb');
  const finding = inspectHeader(file);
  if (finding.kind === 'damaged') throw corrupt(dir, finding.what);
  if (finding.kind !== 'suspect') return;
  if (!readable(dir)) throw corrupt(dir, finding.what);
  // should a page of the free list be missing, lmdb now finds zeros and says so, instead of ending the process
  truncateSync(file, finding.whole);
}

function readable(dir: string): boolean {
  const probe = fileURLToPath(new URL(`./probe${extname(import.meta.url)}`, import.meta.url));
  const options = process.execArgv.filter((o) => !o.startsWith('--inspect'));
  return spawnSync(process.execPath, [...options, probe, dir], { stdio: 'ignore' }).status === 0;
}

function hasData(dir: string): boolean {
  return (statSync(join(dir, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Whole or not at all, and on the disk before anything relies on it. */
function mark(dir: string, state: State): void {
  const draft = join(dir, `${markerName}.${process.pid}`);
  const fd = openSync(draft, 'w', 0o600);
  try {
    writeSync(fd, `${JSON.stringify({ what, state })}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, join(dir, markerName));
  flushDirectory(dir);
}

/** So that names made in it survive a loss of power. Not every system can; there the file system's own order must do. */
function flushDirectory(dir: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function notADirectory(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTDIR' || code === 'EEXIST';
}
