/**
 * The service's own secret keys. They sign cursors, derive the secrets that may have to be repeated, and encrypt push
 * tokens. They come from outside the store (main/secret-key.ts), so that a copy of the data is not enough to open what
 * was sealed in it.
 *
 * The first key is the current one. The others were current before: what was made with them can still be read, but
 * nothing new is made with them. Each purpose has its own subkey (HKDF-SHA256). Everything made with a key names it, so
 * that a service that has lost a key detects this instead of returning garbage.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

export type Purpose = 'cursors' | 'minted secrets' | 'push credentials' | 'message ids' | 'pushes of peers';

export interface Keyring {
  /** Identifies the current key; safe to store and to log. */
  readonly id: string;
  /** The 32-byte subkey for a purpose, of the current key or of the one with this id; null if that key is unknown. */
  derive(purpose: Purpose): Uint8Array;
  derive(purpose: Purpose, id: string): Uint8Array | null;
  /** Encrypts and authenticates (AES-256-GCM). `context` says what the text belongs to; `open` needs the same value. */
  seal(purpose: Purpose, text: string, context: string): string;
  /** Returns the text, or null if it was sealed with an unknown key or for another context, or has been changed. */
  open(purpose: Purpose, sealed: string, context: string): string | null;
}

const sealedPrefix = 'sealed:';
const nonceBytes = 12;
const tagBytes = 16;

const isSealed = (text: string): boolean => text.startsWith(sealedPrefix);

/** Each of `keys` must have at least 16 bytes; the current one comes first. */
export function createKeyring(keys: readonly Uint8Array[]): Keyring {
  const [first] = keys;
  if (first === undefined || keys.some((key) => key.length < 16))
    throw new RangeError('a keyring needs a key, and each must have at least 16 bytes');
  const byId = new Map(keys.map((key) => [idOf(key), key]));
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
