/**
 * Where the first API key goes that a start has made: into a file of the data folder that only its owner reads, and to
 * a terminal. What is printed elsewhere ends in logs, which more people read and which are kept: only where
 * HIVEKEEP_FIRST_KEY_TO_LOG asks for it.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import type { Logger } from '../telemetry/log.js';
import type { Io } from '../cli/io.js';

export interface FirstKey {
  /** To be printed; null where nobody may see it here. */
  shown: string | null;
  /** Where it is kept; null where it could not be written, or there is no data folder. */
  file: string | null;
}

const mayShow = (config: Config, io: Io): boolean => io.screen || config.firstKeyToLog === 'true';

/** Whether there is a place for it: a key that nobody is told of must not be made. */
export const canKeepFirstKey = (config: Config, io: Io): boolean => config.mongodbUrl === null || mayShow(config, io);

export function keepFirstKey(config: Config, io: Io, secret: string, log: Pick<Logger, 'error'>): FirstKey {
  const shown = mayShow(config, io) ? secret : null;
  if (config.mongodbUrl !== null) return { shown, file: null };
  const file = join(config.dataDir, 'first-key');
  try {
    const fd = openSync(file, 'w', 0o600);
    try {
      writeSync(fd, `${secret}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return { shown, file };
  } catch (err) {
    log.error(
      { err, event: 'first_key_not_kept' },
      'the first API key could not be written to the data folder: make another with "hivekeep key create"',
    );
    return { shown, file: null };
  }
}
