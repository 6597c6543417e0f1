/** The certificate and key that HIVEKEEP_TLS_CERT and HIVEKEEP_TLS_KEY name, read and checked to belong together. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.js';
import { Failure } from './failure.js';

export interface TlsFiles { cert: Buffer; key: Buffer }

/** Null where HTTPS is not configured. Throws Failure with a sentence that names the setting at fault. */
export function readTlsFiles(config: Config): TlsFiles | null {
  if (config.tlsCert === null || config.tlsKey === null) return null;
  const files = { cert: read('HIVEKEEP_TLS_CERT', config.tlsCert), key: read('HIVEKEEP_TLS_KEY', config.tlsKey) };
  try {
    createSecureContext(files);
  } catch (cause) {
    throw new Failure('HIVEKEEP_TLS_CERT and HIVEKEEP_TLS_KEY are not a certificate (PEM) and the private key that belongs to it', { cause });
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
