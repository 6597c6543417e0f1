/** Makes a file that only its owner may read. */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

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
