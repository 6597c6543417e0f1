/**
 * The certificate and key of HIVEKEEP_TLS_CERT and HIVEKEEP_TLS_KEY: read at the start, verified to match, and reloaded
 * when they change, so that a renewed certificate needs no restart.
 *
 *  - A pair is used only if both files exist and match; until then the previous pair stays in use.
 *  - A change is applied once it is stable, which means the same in two successive looks: files are replaced one after
 *    the other, and the state in between is not an error.
 *  - An unusable pair is logged once, in a sentence, instead of at every look.
 * The files are polled rather than watched: watching a file misses replacement by rename or symlink (certbot,
 * Kubernetes), and polling two files every second costs nothing.
 */
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../../src/domain/shared/clock.js';
import { Failure } from './failure.js';

export interface GivenTlsFiles {
  cert: Buffer;
  key: Buffer;
}

/** The settings that name the files. */
export interface TlsSettings {
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
}

/** Returns null if HTTPS is not configured. Throws Failure with a sentence that names the faulty setting. */
export function readTlsFiles({ tlsCert, tlsKey }: TlsSettings): GivenTlsFiles | null {
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

export interface TlsWatchDeps {
  settings: TlsSettings;
  /** The pair in use, as it was read. */
  current: GivenTlsFiles;
  clock: Clock;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Puts a pair into use; throws if it is unusable. */
  renew: (files: GivenTlsFiles) => void;
}

const lookMs = 1000;

/** Polls for changes until the returned function is called. Does nothing without HTTPS. */
export function watchTlsFiles({ settings, current, clock, log, renew }: TlsWatchDeps): () => void {
  const { tlsCert, tlsKey } = settings;
  if (tlsCert === null || tlsKey === null) return () => undefined;
  let used = current;
  let stopped = false;
  let cancel = (): void => undefined;
  /**
   * The states last applied and last seen. Both start empty, so a change made since the files were read is found too.
   */
  let known = '';
  let seen = '';

  function act(): void {
    try {
      const files = readTlsFiles(settings);
      if (files === null || (files.cert.equals(used.cert) && files.key.equals(used.key))) return;
      renew(files);
      used = files;
      log.info({ event: 'tls.certificate_renewed', cert: tlsCert }, 'the new certificate is in use');
    } catch (error) {
      log.warn(
        { event: 'tls.certificate_unusable', reason: (error as Error).message, err: error },
        'the changed certificate files cannot be used; the previous certificate stays in use',
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

/** The state of a file, which differs if it was written, replaced or linked elsewhere. Never rejects. */
async function stateOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(file);
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch {
    return 'gone';
  }
}
