/**
 * Reads the keys with which agent cards are signed (a2a/card-signature.ts) from the file that HIVEKEEP_CARD_KEY_FILE
 * names. The first start on the embedded store makes it; the processes of a cluster need the same one.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { CardSigner } from '../../src/a2a/card-signature.js';
import type { Config } from '../../src/config/config.js';
import { Failure, systemCode } from './failure.js';
import { makeSecretFile } from './secret-file.js';

/** Null: cards are not signed. Throws Failure if there is no such key. */
export async function openCardSigner({
  cardKeyFile: path,
  mongodbUrl,
}: Pick<Config, 'cardKeyFile' | 'mongodbUrl'>): Promise<CardSigner | null> {
  if (path === null) return null;
  if (mongodbUrl === null && !existsSync(path)) attempt(path, 'written', () => makeSecretFile(path, newKey()));
  const keys = readCardKeys(path);
  // loaded only where cards are signed
  const { createCardSigner } = await import('../../src/a2a/card-signature.js');
  return createCardSigner(keys);
}

/** The first signs. Throws Failure if the file holds no such key. */
export function readCardKeys(path: string): [KeyObject, ...KeyObject[]] {
  const keys = keysIn(attempt(path, 'read', () => readFileSync(path, 'utf8')));
  if (keys === null)
    throw new Failure(
      `HIVEKEEP_CARD_KEY_FILE: ${path} must hold a private key on the curve P-256 (PEM, without a password), which signs agent cards, and may hold further keys on it behind that one`,
    );
  return keys;
}

const newKey = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

function attempt<T>(path: string, what: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    throw new Failure(
      `The key of agent cards cannot be ${what}: ${path} of HIVEKEEP_CARD_KEY_FILE (${systemCode(cause) ?? 'unknown error'})`,
      { cause },
    );
  }
}

function keysIn(pem: string): [KeyObject, ...KeyObject[]] | null {
  const blocks = Array.from(pem.matchAll(/-----BEGIN ([A-Z ]+)-----.+?-----END \1-----/gs));
  // one that is cut off would not be published, and nobody would miss it before it signs
  if (pem.split('-----BEGIN ').length - 1 !== blocks.length) return null;
  try {
    const [first, ...others] = blocks
      .filter(([, kind]) => kind !== 'EC PARAMETERS')
      .map(([block, kind]) => (kind === 'PUBLIC KEY' ? createPublicKey(block) : createPrivateKey(block)));
    if (first?.type !== 'private') return null;
    const keys: [KeyObject, ...KeyObject[]] = [first, ...others];
    return keys.every((key) => key.asymmetricKeyDetails?.namedCurve === 'prime256v1') ? keys : null;
  } catch {
    return null;
  }
}
