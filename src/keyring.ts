/**
 * The service's own secret keys: what cursors are signed with, what secrets that may be told again are made of, and what
 * push tokens are encrypted with. They come from outside the store (main/secret-key.ts), so that a copy of the data opens
 * nothing that was sealed in it.
 *
 * The first key is in force. The others were in force before: what was made with them is still read, and nothing new is
 * made with them. Each purpose has a subkey of its own (HKDF-SHA256), and what is made names its key, so that a service
 * that lost a key knows it and does not answer nonsense.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

export type Purpose = 'cursors' | 'minted secrets' | 'push credentials' | 'message ids';

export interface Keyring {
  /** Names the key in force; safe to store and to log. */
  readonly id: string;
  /** The 32 bytes of a key for one purpose: of the key in force, or of the one with this id. Null where it is unknown. */
  derive(purpose: Purpose): Uint8Array;
  derive(purpose: Purpose, id: string): Uint8Array | null;
  /** Encrypts and authenticates (AES-256-GCM); `context` says what the text belongs to, and `open` must be given the same. */
  seal(purpose: Purpose, text: string, context: string): string;
  /** The text; null where it was sealed with another key or for another context, or was changed. */
  open(purpose: Purpose, sealed: string, context: string): string | null;
  /** The key that earlier versions kept in the store; null where there was none. */
  readonly legacy: Uint8Array | null;
}

const sealedPrefix = 'sealed:';
const nonceBytes = 12;
const tagBytes = 16;

/** Whether `seal` made it; what earlier versions stored in plain is not. */
export const isSealed = (text: string): boolean => text.startsWith(sealedPrefix);

/** `keys` are of 16 bytes or more each, the one in force first. */
export function createKeyring(keys: readonly Uint8Array[], legacy: Uint8Array | null = null): Keyring {
  const [first] = keys;
  if (first === undefined || keys.some((key) => key.length < 16))
    throw new RangeError('a keyring needs a key, and each must have at least 16 bytes');
  const byId = new Map([...(legacy ? [legacy] : []), ...keys].map((key) => [idOf(key), key]));
  const id = idOf(first);
  const derived = new Map<string, Uint8Array>();

  function derive(purpose: Purpose): Uint8Array;
  function derive(purpose: Purpose, of: string): Uint8Array | null;
  function derive(purpose: Purpose, of = id): Uint8Array | null {
    const name = `${of} ${purpose}`;
    const known = derived.get(name);
    if (known) return known;
    const key = byId.get(of);
    if (!key) return null;
    const subkey = new Uint8Array(hkdfSync('sha256', key, 'hivekeep', purpose, 32));
    derived.set(name, subkey);
    return subkey;
  }

  return {
    id,
    legacy,
    derive,
    seal(purpose, text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', derive(purpose), nonce).setAAD(Buffer.from(context));
      const box = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${sealedPrefix}${id}:${box.toString('base64url')}`;
    },
    open(purpose, sealed, context) {
      const [of = '', box = ''] = sealed.slice(sealedPrefix.length).split(':');
      const key = isSealed(sealed) ? derive(purpose, of) : null;
      const bytes = Buffer.from(box, 'base64url');
      if (key === null || bytes.length < nonceBytes + tagBytes) return null;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString();
      } catch {
        return null;
      }
    },
  };
}

const idOf = (key: Uint8Array): string =>
  createHash('sha256').update('hivekeep key id').update(key).digest('hex').slice(0, 12);
