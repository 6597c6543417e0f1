/**
 * The data directory: whether it is hivekeep's, whether it is complete, and how it is created.
 *
 *  - Nothing is written into a non-empty directory that is not marked as hivekeep's.
 *  - The marker says `creating` until the store in it is complete. An interrupted start is simply repeated, while a
 *    complete store without its data file is refused instead of being replaced by an empty one.
 *  - lmdb opens only files that it can read without crashing (file-header.ts, page-check.ts). The header is always
 *    checked, every page by a server whose predecessor did not stop cleanly.
 *  - Only the user who runs the service can read it: the directory has mode 0700 and its files 0600, even if they were
 *    changed since.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StoreError } from '../port.js';
import { corrupt, toStoreError } from './failures.js';
import { inspectHeader } from './file-header.js';
import { checkPages, mostProblems, type PageCheckResult } from './page-check.js';

const markerName = 'hivekeep.json';
/** Says that a migration into the directory is not complete. */
export const migratingName = 'migration.part';
/** The data file while a restore (backup.ts) writes it. */
export const restoringName = 'data.mdb.restoring';
const what = 'the data of a hivekeep service';
/** `serving` is true if a server has the store open, or did not close it. */
interface Marker {
  state: 'creating' | 'ready';
  serving: boolean;
}

export interface PreparedDirectory {
  /** The store in the directory is new. */
  fresh: boolean;
  /** The last server on the directory was killed, or is still running. */
  unclean: boolean;
}

/** Creates the directory if necessary. After this lmdb may open the environment, but no tree in it (see checkData). */
export function prepareDirectory(dir: string, isTarget = false): PreparedDirectory {
  try {
    makeDirectory(dir);
    const names = readdirSync(dir);
    if (names.includes(restoringName))
      throw new StoreError(
        'foreign',
        `A restore into ${resolve(dir)} was interrupted. Run the same hivekeep restore again, or remove the directory to start empty.`,
      );
    if (names.includes(migratingName) && !isTarget)
      throw new StoreError(
        'in-use',
        `A migration into ${resolve(dir)} is not complete. Run the same hivekeep migrate again, or remove the directory to start empty.`,
      );
    const marker = readMarker(dir, names);
    restrict(dir, 0o700); // not earlier: only now it is known to be ours
    if (marker === null) mark(dir, { state: 'creating', serving: false });
    else if (marker.state === 'ready' && !hasData(dir)) throw corrupt(dir, 'data.mdb is missing');
    checkFile(dir);
    return { fresh: marker?.state !== 'ready', unclean: marker?.serving ?? false };
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

/** lmdb creates its files with the permissions that the umask allows. */
export function restrictFiles(dir: string): void {
  for (const name of ['data.mdb', 'lock.mdb', markerName]) restrict(join(dir, name), 0o600);
}

/** Removes access for everybody but the owner; skips files that belong to another user. */
function restrict(path: string, mode: number): void {
  const known = statSync(path, { throwIfNoEntry: false });
  if (!known || (known.mode & 0o077) === 0 || known.uid !== process.getuid?.()) return;
  chmodSync(path, mode);
}

/** Whether the directory has the marker, whatever the marker contains. */
export const isDataDirectory = (dir: string): boolean => existsSync(join(dir, markerName));

/** Call this when the store in the directory is complete and a server has it open. */
export const markServing = (dir: string): void => mark(dir, { state: 'ready', serving: true });

/**
 * Call this when everything is on the disk and closed: the next start then need not check every page.
 */
export const markStopped = (dir: string): void => mark(dir, { state: 'ready', serving: false });

/**
 * Throws 'corrupt' if a page is damaged. If another process may write to the store, the caller must hold a read
 * transaction.
 */
export function checkData(dir: string): void {
  if (hasData(dir)) refuseDamage(dir, checkPages(dataFile(dir), { values: false }));
}

function refuseDamage(dir: string, { problems }: PageCheckResult): void {
  const [first] = problems;
  if (first === undefined) return;
  const others = problems.length - 1;
  const more =
    others < 1
      ? ''
      : ` (and ${others === mostProblems - 1 ? 'many' : others} more, which hivekeep doctor --deep lists)`;
  throw corrupt(dir, `${first}${more}`);
}

function readMarker(dir: string, names: readonly string[]): Marker | null {
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
    const marker = JSON.parse(text) as { what?: unknown; state?: unknown; serving?: unknown } | null;
    if (marker?.what === what && (marker.state === 'creating' || marker.state === 'ready'))
      return { state: marker.state, serving: marker.serving === true };
  } catch {
    /* reported below */
  }
  throw corrupt(dir, `${markerName} is not what hivekeep writes`);
}

/**
 * Never changes the length of the file: a server may be writing to it, whose pages would be lost or whose process would
 * end by a bus error.
 */
function checkFile(dir: string): void {
  const file = dataFile(dir);
  const finding = inspectHeader(file);
  if (finding.kind === 'damaged') throw corrupt(dir, finding.what);
  if (finding.kind !== 'suspect') return;
  const result = checkPages(file, { values: false });
  const [problem] = result.problems;
  // Pages that another server process has reused meanwhile are not damage.
  if (problem !== undefined && result.transaction === checkPages(file, { values: false }).transaction)
    throw corrupt(dir, `${finding.what}; ${problem}`);
}

const dataFile = (dir: string): string => join(dir, 'data.mdb');

function hasData(dir: string): boolean {
  return (statSync(dataFile(dir), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Writes the marker file atomically, and returns only when it is on the disk. */
function mark(dir: string, { state, serving }: Marker): void {
  writeDurably(join(dir, markerName), `${JSON.stringify({ what, state, ...(serving && { serving }) })}\n`);
}

/** Writes a small file atomically, and returns only when it is on the disk. */
export function writeDurably(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  const fd = openSync(draft, 'w', 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, path);
  flushDirectory(dirname(path));
}

/**
 * Ensures that names created in the directory survive a loss of power. On systems that do not support this, the file
 * system's own ordering has to suffice.
 */
export function flushDirectory(dir: string): void {
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
