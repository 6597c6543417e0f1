/**
 * Copies of the data file that can be put back: made while a server works on it, checked, and restored.
 *
 *  - A copy is one committed state: every page of the state is read while a read transaction keeps writers from using
 *    its pages again, and both meta pages of the copy name that state. What was acknowledged before the backup began
 *    is in it.
 *  - A backup is complete or is no backup: its manifest, which holds size and SHA-256 of the copy, is written last,
 *    after every page and value of the copy was read. Without it nothing is restored.
 *  - A restore never replaces data, and one that was interrupted leaves a folder that no server opens and that the
 *    same restore completes.
 *
 * lmdb-js has a `backup` of its own, of which copies that cannot be opened were reported. This one reads the file as
 * page-check.ts does.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, readSync, renameSync, statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StoreError } from '../port.js';
import { checkPages } from './page-check.js';
import {
  flushDirectory,
  isDataDirectory,
  markStopped,
  prepareDirectory,
  restoringName,
  writeDurably,
} from './data-directory.js';
import { defaultMapSize, openEnvironment, openTrees } from './environment.js';
import { corrupt, toStoreError } from './failures.js';
import { readMeta, type MetaPage } from './file-header.js';
import { checkSchema, otherSchema, schemaVersion } from './schema.js';

const dataName = 'data.mdb';
const partName = 'data.mdb.part';
const manifestName = 'backup.json';
/** Stands beside a copy that is whole, until both have their names. */
const manifestDraft = 'backup.json.part';
const what = 'a backup of the data of a hivekeep service';
const chunkBytes = 4 * 1024 * 1024;

export interface Backup {
  /** When the copied state was the newest one. */
  created_at: string;
  /** The version of the stored layout (schema.ts). */
  schema: number;
  bytes: number;
  sha256: string;
}

export interface CopyOptions {
  /** Is told how much of the copy is written. */
  progress?: (bytes: number, of: number) => void | Promise<void>;
  chunk?: number;
}

/** Copies the data in `dir` into `target`, a folder that is empty or not there yet. */
export async function backUp(dir: string, target: string, options: CopyOptions = {}): Promise<Backup> {
  if (!isDataDirectory(dir))
    throw new StoreError('foreign', `There is no data of hivekeep in ${resolve(dir)}. Set HIVEKEEP_DATA_DIR to it.`);
  if (prepareDirectory(dir).fresh)
    throw new StoreError('foreign', `There is no data in ${resolve(dir)} yet. Start the service on it once.`);
  prepareTarget(target, leftoversOfBackup(target), 'a backup');
  const root = openEnvironment(dir, defaultMapSize);
  try {
    const schema = checkSchema(openTrees(root), dir);
    const pin = root.useReadTransaction();
    const source = await open(join(dir, dataName), 'r');
    try {
      const meta = stableMeta(source, dir);
      const created_at = new Date().toISOString();
      const { bytes, sha256 } = await copy(source, join(target, partName), meta, options);
      refuseDamage(join(target, partName), dir);
      const backup: Backup = { created_at, schema, bytes, sha256 };
      writeDurably(join(target, manifestDraft), `${JSON.stringify({ what, ...backup })}\n`);
      renameSync(join(target, partName), join(target, dataName));
      flushDirectory(target);
      renameSync(join(target, manifestDraft), join(target, manifestName));
      flushDirectory(target);
      return backup;
    } finally {
      await source.close();
      pin.done();
    }
  } catch (error) {
    throw toStoreError(error, target);
  } finally {
    await root.close();
  }
}

/** Reads all of a backup. Rejects with a StoreError that says what is wrong with it. */
export async function verifyBackup(from: string, options: CopyOptions = {}): Promise<Backup> {
  const backup = readManifest(from);
  const file = await openCopy(from, backup);
  try {
    await copy(file, null, backup, options);
  } finally {
    await file.close();
  }
  refuseDamage(join(from, dataName), from);
  return backup;
}

/** Puts a backup into the data folder `dir`, which must not hold data. */
export async function restore(from: string, dir: string, options: CopyOptions = {}): Promise<Backup> {
  const backup = readManifest(from);
  if (backup.schema !== schemaVersion) throw otherSchema(from, backup.schema);
  const file = await openCopy(from, backup);
  const draft = join(dir, restoringName);
  try {
    prepareTarget(dir, /^(data\.mdb\.restoring|hivekeep\.json.*|lost\+found)$/, 'a restore');
    await copy(file, draft, backup, options);
    refuseDamage(draft, from);
    // As long as the draft is there, no server opens the folder; the renaming completes it at once.
    markStopped(dir);
    renameSync(draft, join(dir, dataName));
    flushDirectory(dir);
    return backup;
  } catch (error) {
    throw toStoreError(error, dir);
  } finally {
    await file.close();
  }
}

/** A copy without a manifest is ours if the draft of one is there. */
const leftoversOfBackup = (target: string): RegExp =>
  existsSync(join(target, manifestDraft)) && !existsSync(join(target, manifestName))
    ? /^(data\.mdb|data\.mdb\.part|backup\.json\.part.*)$/
    : /^(data\.mdb\.part|backup\.json\.part\..*)$/;

/** Makes the folder if it is missing, and refuses one that holds anything but what an interrupted `whose` leaves. */
function prepareTarget(dir: string, leftovers: RegExp, whose: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const names = readdirSync(dir);
    const others = names.filter((name) => !leftovers.test(name));
    const markerAlone = names.includes('hivekeep.json') && !names.includes(restoringName);
    if (others.length === 0 && !markerAlone) return;
    throw new StoreError(
      'foreign',
      `The folder ${resolve(dir)} is not empty (${names.slice(0, 3).join(', ')}). Name an empty or a new folder for ${whose}; nothing is ever replaced.`,
    );
  } catch (error) {
    throw toStoreError(error, dir);
  }
}

function readManifest(from: string): Backup {
  const path = join(from, manifestName);
  if (!existsSync(path))
    throw new StoreError(
      'foreign',
      existsSync(join(from, partName)) || existsSync(join(from, dataName))
        ? `The backup in ${resolve(from)} is not complete. Use another one, or make one again in an empty folder.`
        : `There is no backup in ${resolve(from)}.`,
    );
  const text = readText(path, from);
  try {
    const found = JSON.parse(text) as Partial<Backup> & { what?: unknown };
    const { created_at, schema, bytes, sha256 } = found;
    if (
      found.what === what &&
      typeof created_at === 'string' &&
      typeof schema === 'number' &&
      typeof bytes === 'number' &&
      typeof sha256 === 'string'
    )
      return { created_at, schema, bytes, sha256 };
  } catch {
    /* reported below */
  }
  throw damaged(from, `${manifestName} is not what hivekeep writes`);
}

function readText(path: string, from: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw toStoreError(error, from); // what may not be read may be whole
  }
}

const damaged = (from: string, problem: string): StoreError =>
  new StoreError('corrupt', `The backup in ${resolve(from)} is damaged: ${problem}. Use another one.`);

async function openCopy(from: string, { bytes }: Backup): Promise<FileHandle> {
  const path = join(from, dataName);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw damaged(from, `${dataName} is missing`);
  if (size !== bytes) throw damaged(from, `${dataName} has ${size} bytes and should have ${bytes}`);
  return open(path, 'r');
}

/**
 * The newest committed state. A read transaction that began before keeps the pages of this state, too: writers use a
 * page again only if it was freed before the oldest reader began.
 */
function stableMeta({ fd }: FileHandle, dir: string): SourceState {
  for (;;) {
    const meta = readMeta(fd);
    if (typeof meta === 'string') throw corrupt(dir, meta);
    const page = Buffer.alloc(meta.pageSize);
    readSync(fd, page, 0, page.length, (meta.transaction & 1) * meta.pageSize);
    const again = readMeta(fd);
    if (typeof again !== 'string' && again.transaction === meta.transaction) return { ...meta, page };
  }
}

/** A state of a data file that is being written to, with its meta page. */
interface SourceState extends MetaPage {
  page: Buffer;
}

/**
 * Copies a data file, or only reads it if `to` is null. Of a file in use the pages of one state are copied; of a backup
 * all, and they must have its digest.
 */
async function copy(
  source: FileHandle,
  to: string | null,
  state: SourceState | Backup,
  { progress, chunk = chunkBytes }: CopyOptions,
): Promise<{ bytes: number; sha256: string }> {
  const bytes = 'page' in state ? (state.lastPage + 1) * state.pageSize : state.bytes;
  const hash = createHash('sha256');
  const target = to === null ? null : await open(to, 'w', 0o600);
  try {
    const buffer = Buffer.alloc(chunk);
    for (let at = 0; at < bytes; at += chunk) {
      const part = buffer.subarray(0, Math.min(chunk, bytes - at));
      const { bytesRead } = await source.read(part, 0, part.length, at);
      part.fill(0, bytesRead); // free pages at the end of the file need never have been written
      if ('page' in state) nameState(part, at, state);
      hash.update(part);
      await target?.writeFile(part); // unlike a single write, keeps all of it or fails
      await progress?.(at + part.length, bytes);
    }
    await target?.sync();
  } finally {
    await target?.close();
  }
  const sha256 = hash.digest('hex');
  if ('sha256' in state && state.sha256 !== sha256)
    throw new StoreError('corrupt', 'The backup is damaged: its content is not what its digest says. Use another one.');
  return { bytes, sha256 };
}

/** Puts the state's meta page in place of both meta pages, so that the copy knows no other state. */
function nameState(part: Buffer, at: number, { page, pageSize }: SourceState): void {
  for (const number of [0, 1]) {
    const offset = number * pageSize - at;
    if (offset < 0 || offset + pageSize > part.length) continue;
    page.copy(part, offset);
    part.writeBigUInt64LE(BigInt(number), offset);
  }
}

function refuseDamage(file: string, of: string): void {
  const [problem] = checkPages(file, { values: true }).problems;
  if (problem !== undefined) throw corrupt(of, problem);
}
