/**
 * The certificate and key that HIVEKEEP_TLS_CERT and HIVEKEEP_TLS_KEY name: read at the start, checked to belong
 * together, and read again when they change, so that a renewed certificate needs no restart.
 *
 *  TlsFiles.C1 A pair is used only when both files are there and belong together; until then the one before it is.
 *  TlsFiles.C2 A change is acted on when it has settled: the same twice in a row. Files are replaced one after the
 *     other, and what lies between is no mistake.
 *  TlsFiles.C3 What cannot be used is said once, as a sentence in the log, not at every look.
 * The files are looked at rather than watched: watching a file misses what replaces it by a rename or a link (certbot,
 * Kubernetes), and looking at two files a second costs nothing.
 */
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../domain/clock.js';
import { Failure } from './failure.js';

export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
}

/** The settings that name them. */
export interface TlsSettings {
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
}

/** Null where HTTPS is not configured. Throws Failure with a sentence that names the setting at fault. */
export function readTlsFiles({ tlsCert, tlsKey }: TlsSettings): TlsFiles | null {
  if (tlsCert === null || tlsKey === null) return null;
  const files = { cert: read('HIVEKEEP_TLS_CERT', tlsCert), key: read('HIVEKEEP_TLS_KEY', tlsKey) };
  try {
    createSecureContext(files);
  } catch (cause) {
    throw new Failure(
      'HIVEKEEP_TLS_CERT and HIVEKEEP_TLS_KEY are not a certificate (PEM) and the private key that belongs to it',
      { cause },
    );
  }
  return files;
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Failure(`${setting} names a file that cannot be read: ${file}`, { cause });
  }
}

export interface TlsWatchOptions {
  settings: TlsSettings;
  /** The pair in use, as it was read. */
  current: TlsFiles;
  clock: Clock;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Puts a pair into use; throws where it cannot be. */
  renew: (files: TlsFiles) => void;
}

const lookMs = 1000;

/** Looks for changes until the returned function is called. Without HTTPS there is nothing to look for. */
export function watchTlsFiles({ settings, current, clock, log, renew }: TlsWatchOptions): () => void {
  const { tlsCert, tlsKey } = settings;
  if (tlsCert === null || tlsKey === null) return () => undefined;
  let used = current;
  let stopped = false;
  let cancel = (): void => undefined;
  /** As last acted on, and as last seen. What changed since the start read them is found by the first look that has settled. */
  let known = '';
  let seen = '';

  function act(): void {
    try {
      const files = readTlsFiles(settings);
      if (files === null || (files.cert.equals(used.cert) && files.key.equals(used.key))) return;
      renew(files);
      used = files;
      log.info({ cert: tlsCert }, 'the certificate was replaced by the new one');
    } catch (error) {
      log.warn(
        { reason: (error as Error).message, err: error },
        'the certificate files have changed and cannot be used; the certificate of before stays in use',
      );
    }
  }

  async function look(): Promise<void> {
    const now = `${await stateOf(tlsCert ?? '')} ${await stateOf(tlsKey ?? '')}`;
    const settled = now === seen;
    seen = now;
    if (stopped) return;
    if (settled && now !== known) {
      known = now;
      act();
    }
    cancel = clock.after(lookMs, () => {
      void look();
    });
  }
  void look();
  return () => {
    stopped = true;
    cancel();
  };
}

/** What differs when a file was written, replaced or linked elsewhere. Never rejects. */
async function stateOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(file);
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch {
    return 'gone';
  }
}
