/** Credentials: how secrets are made, hashed and hinted at. A raw secret is shown once, when it is made, and never stored (spec 2.4, design section 6). */
import { createHash } from 'node:crypto';
import type { ApiKey, Scope } from './domain/model.js';

export type RandomBytes = (n: number) => Uint8Array;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 40;
/** How much of a secret a hint shows after its prefix: enough to tell keys apart, too little to guess one. */
const hintLength = 4;

export const keyPrefixes = { live: 'svc_live_', test: 'svc_test_' } as const;

/** `prefix` and 40 base-62 characters, each equally likely (about 238 bits). */
export function newSecret(prefix: string, randomBytes: RandomBytes): string {
  let secret = '';
  while (secret.length < secretLength) {
    // 248 is the largest multiple of 62 in a byte: what lies above would make the first characters likelier.
    for (const byte of randomBytes(secretLength)) if (byte < 248 && secret.length < secretLength) secret += alphabet.charAt(byte % 62);
  }
  return prefix + secret;
}

/** SHA-256 in hex: what is stored, and what `Service.authenticate` is asked with. Secrets are long and random, so no slow hash is needed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The start of a secret: its prefix and a few characters. */
export const hintOf = (secret: string): string => secret.slice(0, secret.lastIndexOf('_') + 1 + hintLength);

/** An API key as it is stored: a document of kind `key` of its workspace. */
export interface StoredKey extends ApiKey { hash: string; updated_at: string; [field: string]: unknown }

export interface KeyRequest { name: string; mode: 'live' | 'test'; scopes: readonly Scope[]; expires_at: string | null }

/** `at` is the entity's clock, ms. */
export function storedKey(id: string, secret: string, request: KeyRequest, at: number): StoredKey {
  const created_at = new Date(at).toISOString();
  return {
    id, hash: hashSecret(secret), name: request.name, mode: request.mode, scopes: [...request.scopes],
    hint: hintOf(secret), expires_at: request.expires_at, created_at, updated_at: created_at,
  };
}

/** What may be shown of a stored key. */
export const shownKey = ({ id, name, mode, scopes, hint, expires_at, created_at }: StoredKey): ApiKey => ({ id, name, mode, scopes, hint, expires_at, created_at });
