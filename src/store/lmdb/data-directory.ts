/**
 * The data directory: whether it is hivekeep's, whether it is complete, and how it is created.
 *
 *  LmdbDataDirectory.D1 Nothing is written into a non-empty directory that is not marked as hivekeep's.
 *  LmdbDataDirectory.D2 The marker says `creating` until the store in it is complete. An interrupted start is simply
 *     repeated, while a complete store without its data file is refused instead of being replaced by an empty one.
 *  LmdbDataDirectory.D3 lmdb opens only files that it can read without crashing (file-header.ts).
 *  LmdbDataDirectory.D4 Only the user who runs the service can read it: the directory has mode 0700 and its files 0600,
 *     even if an earlier version created them differently.
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

/** Creates the directory if necessary; afterwards lmdb may open it. Returns whether the store in it is new. */
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
 * Parent directories keep the system's default mode, because they may be shared. Created one at a time: node's
 * recursive mkdir loops for ever if a file system answers ENOENT although the parent exists (/proc, an unmounted
 * automount).
 */
function makeDirectory(dir: string): void {
  const missing: string[] = [];
  for (let at = dir; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) missing.unshift(at);
  for (const path of missing) {
    try {
      mkdirSync(path, path === dir ? { mode: 0o700 } : {});
    } catch (error) {
      // if it is something else, reading it will report that
      if (codeOf(error) === 'EEXIST' || notADirectory(error)) continue;
      throw new StoreError(
        'io',
        `The data directory ${dir} cannot be made: ${path} was refused (${(error as Error).message}). Make it yourself, or name another with HIVEKEEP_DATA_DIR.`,
        { cause: error },
      );
    }
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** lmdb creates its files with the permissions that the umask allows (LmdbDataDirectory.D4). */
export function restrictFiles(dir: string): void {
  for (const name of ['data.mdb', 'lock.mdb', markerName]) restrict(join(dir, name), 0o600);
}

/** Removes access for everybody but the owner; skips what belongs to another user. */
function restrict(path: string, mode: number): void {
  const known = statSync(path, { throwIfNoEntry: false });
  if (!known || (known.mode & 0o077) === 0 || known.uid !== process.getuid?.()) return;
  chmodSync(path, mode);
}

/** Marks the store in the directory as complete. */
export const markReady = (dir: string): void => mark(dir, 'ready');

function readMarker(dir: string, names: readonly string[]): State | null {
  if (!names.includes(markerName)) {
    // files that an interrupted first start can leave behind, and that file systems put into an empty directory
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
    /* reported below */
  }
  throw corrupt(dir, `${markerName} is not what hivekeep writes`);
}

function checkFile(dir: string): void {
  const file = join(dir, 'data.mdb');
  const finding = inspectHeader(file);
  if (finding.kind === 'damaged') throw corrupt(dir, finding.what);
  if (finding.kind !== 'suspect') return;
  if (!readable(dir)) throw corrupt(dir, finding.what);
  // if a page of the free list is missing, lmdb now reads zeros and reports an error, instead of crashing the process
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

/** Writes the marker atomically, and durably before anything relies on it. */
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

/**
 * Makes names created in it survive a loss of power. Not every system supports this; there the file system's own order
 * has to suffice.
 */
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
