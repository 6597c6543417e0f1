/**
 * Keeps a body on disk while it arrives, until it is known to be whole.
 *
 *  Spool.P1 The file has no name, so the system removes it when the process ends, also by kill -9.
 *  - It leaves room on the disk for others: a body for which there is none is refused, and not kept.
 *  - What an operator has to mend is told as that, and `hivekeep doctor` finds it: a folder that is missing, or may not
 *    be written to.
 */
import { mkdtemp, open, rm, statfs, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HivekeepError, unavailable } from '../domain/shared/errors.js';

export interface SpoolOptions {
  folder?: string;
  /** How many bytes must stay free for others. */
  spare?: number;
}

/** Of a small disk, such as a memory that is mounted, an eighth. */
const mostSpare = 512 * 1024 * 1024;
/** After so many bytes the free room is looked at again. */
const lookEvery = 16 * 1024 * 1024;

/** Runs `work` when all of the body is there; it may read it as often as it wants, once at a time. */
export async function spooled<T>(
  body: AsyncIterable<Uint8Array>,
  work: (read: () => AsyncIterable<Uint8Array>) => Promise<T>,
  { folder = tmpdir(), spare }: SpoolOptions = {},
): Promise<T> {
  const file = await nameless(folder).catch((error: unknown) => {
    throw unkept(folder, error);
  });
  try {
    let untilLook = 0;
    for await (const chunk of body) {
      untilLook -= chunk.length;
      if (untilLook < 0) {
        untilLook = lookEvery;
        await requireRoom(folder, spare);
      }
      // not write, which may take only a part of it where the disk becomes full
      await file.appendFile(chunk).catch((error: unknown) => {
        throw unkept(folder, error);
      });
    }
    return await work(() => file.createReadStream({ start: 0, autoClose: false }));
  } finally {
    await file.close();
  }
}

/** Spool.P1. */
async function nameless(parent: string): Promise<FileHandle> {
  const folder = await mkdtemp(join(parent, 'hivekeep-import-'));
  try {
    return await open(join(folder, 'body.ndjson'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function requireRoom(folder: string, given: number | undefined): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const spare = given ?? Math.min(mostSpare, (blocks * bsize) / 8);
  if (bavail * bsize < spare + lookEvery) throw noRoom(folder);
}

/** Why no body of an import could be kept; null if one can. */
export async function spoolProblem(folder = tmpdir()): Promise<Error | null> {
  try {
    await (await nameless(folder)).close();
    await requireRoom(folder, undefined);
    return null;
  } catch (error) {
    return error instanceof HivekeepError ? error : unkept(folder, error);
  }
}

const unusable: ReadonlySet<string> = new Set(['EROFS', 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

/** What is told of a body that could not be written. */
export function unkept(folder: string, cause: unknown): Error {
  const code = String((cause as { code?: string }).code);
  if (['ENOSPC', 'EDQUOT'].includes(code)) return noRoom(folder, cause);
  if (['EMFILE', 'ENFILE'].includes(code))
    return unavailable('the server has too many files open to keep the body of an import', { retryAfter: 60, cause });
  const text = `an import is kept on disk while it arrives, and this server cannot write to ${folder} (${code})`;
  if (unusable.has(code))
    return unavailable(`${text}: its operator mounts a folder there, or names one by TMPDIR`, {
      retryAfter: 60,
      details: { reason: 'NoTemporaryFolder' },
      cause,
    });
  return new Error(text, { cause });
}

const noRoom = (folder: string, cause?: unknown): Error =>
  unavailable(`there is no room in ${folder} of the server for the body of an import`, { retryAfter: 60, cause });
