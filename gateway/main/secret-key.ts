/**
 * Finds the service's secret keys (keyring.ts): in a setting, in a file that a setting names, or in a file beside the
 * data folder that the first start creates. The file is beside the folder and not inside it, so that a copy of the data
 * does not contain the key. Only if the service may not write there, the file is in the folder, and the log says so.
 *
 * The processes of a cluster need the same key, which only a setting can provide. Without it they use the one that
 * is made in the database, and the log says so.
 */
import { hash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Admin } from '../admin/admin.js';
import type { Config } from '../../src/config/config.js';
import { secretKeys } from '../../src/config/parse.js';
import { createKeyring, type Keyring } from '../../src/secrets/keyring.js';
import type { Logger } from '../../src/telemetry/pino-log.js';
import { Failure, systemCode } from '../cli/failure.js';
import { makeSecretFile, secretKeyPaths } from '../cli/secret-file.js';

type Settings = Pick<Config, 'secretKey' | 'secretKeyFile' | 'dataDir' | 'mongodbUrl'>;

/** Throws Failure if a configured key cannot be read. */
export async function openKeyring(
  config: Settings,
  admin: Pick<Admin, 'storedSecret' | 'ensureStoredSecret'>,
  log: Pick<Logger, 'warn'>,
): Promise<Keyring> {
  const { secretKey, secretKeyFile, dataDir, mongodbUrl } = config;
  const keys =
    secretKey ??
    (secretKeyFile !== null
      ? namedFile(secretKeyFile, mongodbUrl === null)
      : mongodbUrl === null
        ? defaultFile(dataDir, log)
        : null);
  const before = await admin.storedSecret();
  if (keys !== null) return createKeyring([...keys.map(bytesOf), ...(before ? [before] : [])]);
  log.warn(
    { event: 'secret_key.in_database' },
    'Neither HIVEKEEP_SECRET_KEY nor HIVEKEEP_SECRET_KEY_FILE is set, so the key that encrypts push credentials is in the database beside them: set the same one for all processes',
  );
  return createKeyring([before ?? (await admin.ensureStoredSecret())]);
}

/** Hashes a key, given as text, to a fixed length. */
const bytesOf = (text: string): Uint8Array => hash('sha256', text, 'buffer');

function namedFile(path: string, make: boolean): readonly string[] {
  if (!existsSync(path) && make) writeKey(path);
  return readKeys(path);
}

function defaultFile(dataDir: string, log: Pick<Logger, 'warn'>): readonly string[] {
  const [beside, inside] = secretKeyPaths(dataDir);
  const found = [beside, inside].find((path) => existsSync(path));
  if (found !== undefined) return readKeys(found);
  try {
    writeKey(beside);
    return readKeys(beside);
  } catch (error) {
    const code = systemCode((error as Error).cause);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
  }
  log.warn(
    { event: 'secret_key.in_data_folder', file: inside },
    `${beside} cannot be written, so the secret key is in the data folder, and copies of the folder take it along: set HIVEKEEP_SECRET_KEY or HIVEKEEP_SECRET_KEY_FILE`,
  );
  writeKey(inside);
  return readKeys(inside);
}

function readKeys(path: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Failure(`The secret key cannot be read from ${path} (${systemCode(cause) ?? 'unknown error'})`, {
      cause,
    });
  }
  const keys = secretKeys(text.trim());
  if (Array.isArray(keys)) return keys as readonly string[];
  throw new Failure(`${path} holds no secret key: a line of 32 characters or more was expected`);
}

function writeKey(path: string): void {
  try {
    makeSecretFile(path, `${randomBytes(32).toString('hex')}\n`);
  } catch (cause) {
    throw new Failure(
      `The secret key cannot be written to ${path} (${systemCode(cause) ?? 'unknown error'}): set HIVEKEEP_SECRET_KEY or HIVEKEEP_SECRET_KEY_FILE`,
      { cause },
    );
  }
}
