/**
 * Credentials: how secrets are generated, hashed and abbreviated to hints. A raw secret is shown once, when it is
 * created, and never stored (docs/api.md 2.4).
 */
import type { StoredKey } from '../domain/shared/documents.js';
import { createHash } from 'node:crypto';
import type { AgentToken, ApiKey } from '../domain/model/model.js';
import type { Scope, Mode } from '../domain/shared/vocabulary.js';

export type RandomBytes = (n: number) => Uint8Array;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 40;
/** How many characters of a secret a hint shows after its prefix: enough to tell keys apart, too few to guess one. */
const hintLength = 4;

export const keyPrefixes = { live: 'svc_live_', test: 'svc_test_' } as const;

/** Returns `prefix` and 40 base-62 characters, each equally likely (about 238 bits). */
export function newSecret(prefix: string, randomBytes: RandomBytes): string {
  let secret = '';
  while (secret.length < secretLength) {
    // 248 is the largest multiple of 62 that fits in a byte; larger bytes would make the first characters more likely.
    for (const byte of randomBytes(secretLength))
      if (byte < 248 && secret.length < secretLength) secret += alphabet.charAt(byte % 62);
  }
  return prefix + secret;
}

/**
 * SHA-256 in hex. This is what is stored, and what is passed to `Service.authenticate`. Secrets have 238 random bits,
 * so there is no list of likely ones to try and no slow hash is needed. For the same reason a look-up by hash need not
 * take constant time. Its timing may reveal how many leading digits of a guess's hash agree with a stored one, but
 * getting the next digit to agree requires finding another secret whose hash has that prefix, and for all 64 digits
 * that amounts to searching through all secrets. The secret itself is never compared or stored. Hashes are compared
 * nowhere else: a credential is valid if the store finds it.
 */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The start of a secret: its prefix and a few characters. */
export const hintOf = (secret: string): string => secret.slice(0, secret.lastIndexOf('_') + 1 + hintLength);

export interface KeyRequest {
  name: string;
  mode: Mode;
  scopes: readonly Scope[];
  expires_at: string | null;
}

/** `at` is the entity's clock, in milliseconds since the epoch. */
export function storedKey(id: string, secret: string, request: KeyRequest, at: number): StoredKey {
  const created_at = new Date(at).toISOString();
  return {
    id,
    hash: hashSecret(secret),
    name: request.name,
    mode: request.mode,
    scopes: [...request.scopes],
    hint: hintOf(secret),
    expires_at: request.expires_at,
    last_used_at: null,
    created_at,
    updated_at: created_at,
  };
}

/** The part of a stored key that may be shown. */
export const shownKey = (k: StoredKey): ApiKey => ({
  id: k.id,
  name: k.name,
  mode: k.mode,
  scopes: k.scopes,
  hint: k.hint,
  expires_at: k.expires_at,
  last_used_at: k.last_used_at,
  created_at: k.created_at,
});

/** The part of a stored token that may be shown. */
export const shownToken = (t: AgentToken): AgentToken => ({
  id: t.id,
  agent_id: t.agent_id,
  name: t.name,
  scopes: t.scopes,
  hint: t.hint,
  expires_at: t.expires_at,
  last_used_at: t.last_used_at,
  created_at: t.created_at,
});
