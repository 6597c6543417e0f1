/**
 * Delivers the first API key, which a start has created: into a file of the data folder that only its owner can read,
 * and to a terminal. Other output ends up in logs, which are kept and read by more people, so the key is printed there
 * only if HIVEKEEP_FIRST_KEY_TO_LOG allows it.
 */
import { join } from 'node:path';
import type { Config } from '../../src/config/config.js';
import type { Logger } from '../../src/telemetry/pino-log.js';
import type { Io } from '../cli/io.js';
import { makeSecretFile } from '../cli/secret-file.js';

export interface FirstKey {
  /** The key to print; null if it must not be shown here. */
  shown: string | null;
  /** The file that holds it; null if it could not be written, or there is no data folder. */
  file: string | null;
}

const mayShow = (config: Config, io: Io): boolean => io.screen || config.firstKeyToLog === 'true';

/** Whether the key can be delivered: a key that nobody would see must not be created. */
export const canKeepFirstKey = (config: Config, io: Io): boolean => config.mongodbUrl === null || mayShow(config, io);

export function keepFirstKey(config: Config, io: Io, secret: string, log: Pick<Logger, 'error'>): FirstKey {
  const shown = mayShow(config, io) ? secret : null;
  if (config.mongodbUrl !== null) return { shown, file: null };
  const file = join(config.dataDir, 'first-key');
  try {
    makeSecretFile(file, `${secret}\n`);
    return { shown, file };
  } catch (err) {
    log.error(
      { err, event: 'first_key.not_stored' },
      'the first API key could not be written to the data folder: make another with "hivekeep key create"',
    );
    return { shown, file: null };
  }
}
