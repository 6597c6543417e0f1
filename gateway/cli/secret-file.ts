/** The files that hold secrets of the service: where they are, how they are made, and who may read them. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../src/config/config.js';

/** Where the secret key of a data folder is without a setting: that of `./data` in `./data.key`, or else inside it. */
export const secretKeyPaths = (dataDir: string): readonly [beside: string, inside: string] => [
  `${resolve(dataDir)}.key`,
  join(dataDir, 'secret.key'),
];

type KeySettings = Pick<Config, 'secretKey' | 'secretKeyFile' | 'dataDir' | 'mongodbUrl'>;

/** The files in which the secret key of this service may be; none where it is in a setting or in the database. */
function keyFiles({ secretKey, secretKeyFile, dataDir, mongodbUrl }: KeySettings): readonly string[] {
  if (secretKey !== null) return [];
  if (secretKeyFile !== null) return [secretKeyFile];
  return mongodbUrl === null ? secretKeyPaths(dataDir) : [];
}

/** The file that the next start makes, with a new secret key in it; null where there is a key. */
export function missingKeyFile(settings: KeySettings): string | null {
  const [first, ...others] = keyFiles(settings);
  return first === undefined || [first, ...others].some((path) => existsSync(path)) ? null : first;
}

type SecretSettings = KeySettings & Pick<Config, 'tlsKey' | 'cardKeyFile'>;

/** A sentence for each file of a secret that others than its owner may read. */
export function exposedSecrets(settings: SecretSettings): string[] {
  const files = [...keyFiles(settings), settings.tlsKey, settings.cardKeyFile];
  return files.flatMap((path) => {
    const found = path === null ? undefined : statOf(path);
    // Windows has no such permissions
    if (found === undefined || process.platform === 'win32') return [];
    const mode = found.mode & 0o777;
    // a file of another owner, such as root, can be read by its group alone
    const exposed = found.uid === process.getuid?.() ? 0o044 : 0o004;
    if ((mode & exposed) === 0) return [];
    return [`${path} holds a secret, and others than its owner may read it (mode ${mode.toString(8)}): chmod 600 it.`];
  });
}

/** Undefined where there is none, or it cannot be asked: who needs the file says what is wrong with it. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Writes it atomically and durably, before anything depends on what it holds. */
export function makeSecretFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  const fd = openSync(draft, 'w', 0o600);
  try {
    chmodSync(draft, 0o600);
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, path);
}
