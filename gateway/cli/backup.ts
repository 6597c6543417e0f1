/** `hivekeep backup` and `restore`: of the embedded store, beside a running server or without one. */
import { resolve } from 'node:path';
import type { Config } from '../../src/config/config.js';
import { backUp, restore, verifyBackup, type Backup, type CopyOptions } from '../../src/store/lmdb/backup.js';
import { Failure } from './failure.js';
import type { Io } from './io.js';
import { mebibytes, progress } from './progress.js';
import { missingKeyFile } from './secret-file.js';

export async function backup(config: Config, io: Io, dir: string): Promise<void> {
  const made = await backUp(embedded(config), dir, told(io));
  io.out(resolve(dir));
  io.note(
    `The backup is complete: ${described(made)}. The secret key is not in it; keep ${config.secretKeyFile ?? `${resolve(config.dataDir)}.key`} or your HIVEKEEP_SECRET_KEY elsewhere.`,
  );
}

export async function backupVerify(io: Io, dir: string): Promise<void> {
  const found = await verifyBackup(dir, told(io));
  io.note(`The backup in ${resolve(dir)} is whole: ${described(found)}, schema ${found.schema}.`);
}

export async function restoreBackup(config: Config, io: Io, dir: string): Promise<void> {
  const dataDir = embedded(config);
  const missing = missingKeyFile(config);
  if (missing !== null)
    io.note(
      `There is no secret key in ${missing}, and the backup has none: the next start makes a new one. Without the old key, tokens and credentials of pushes and secrets of webhooks cannot be read, and cursors that were given out are refused. If you have it, put it there before you start the service.`,
    );
  const made = await restore(dir, dataDir, told(io));
  io.note(
    `${resolve(dataDir)} holds the data of ${made.created_at} (${mebibytes(made.bytes)}). Start the service on it.`,
  );
}

function embedded({ mongodbUrl, dataDir }: Config): string {
  if (mongodbUrl === null) return dataDir;
  throw new Failure(
    'HIVEKEEP_MONGODB_URL is set, and backups of MongoDB are made with its own tools, such as mongodump --oplog; docs/operations.md says how',
  );
}

const described = ({ bytes, created_at }: Backup): string => `${mebibytes(bytes)}, as of ${created_at}`;

function told(io: Io): CopyOptions {
  const tell = progress(io);
  return {
    progress: (bytes, of) => {
      tell(() => `${mebibytes(bytes)} of ${mebibytes(of)}`);
    },
  };
}
