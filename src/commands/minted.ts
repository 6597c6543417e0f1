/**
 * Secrets of keys and tokens are shown once, when they are created, and stored as hashes (docs/api.md 2.4). A repeated
 * creation must return the same secret, so a repeatable one is derived from the service's secret key (keyring.ts) and a
 * salt. The idempotency record contains the salt, never the secret, and the store does not contain that key. The secret
 * is repeated only for the API key that created it: another key of the workspace may have fewer scopes than the created
 * credential, so for that key the same Idempotency-Key is a different request.
 */
import { createHmac } from 'node:crypto';
import type { Caller } from '../domain/shared/caller.js';
import { conflict } from '../domain/shared/errors.js';
import { hashSecret, hintOf, type RandomBytes } from '../secrets/api-keys.js';
import type { Keyring } from '../secrets/keyring.js';
import type { Services } from './command.js';

/** What of a new secret goes to the entity. `salt` is what it was derived with, if the request may be repeated. */
export interface MadeSecret {
  hash: string;
  hint: string;
  salt: string | undefined;
}

/** The key of a request that makes a secret, which is repeated for the same credential only. */
export const mintedKey = ({ caller: { idempotencyKey: key, credentialId } }: { caller: Caller }) =>
  key && { id: `${key.id}_${credentialId}`, bodyHash: key.bodyHash };

/** What the record of such a request keeps: what was made under its name, and the salt. */
export const withSalt =
  (name: string) =>
  (made: unknown, { input: { salt } }: { input: { salt: string | undefined } }): unknown =>
    salt === undefined ? made : { [name]: made, salt };

/**
 * `newSecret` makes the secret of random bytes. `mint` resolves to what was created, or for a repeated command to the
 * contents of its record: `{ [name], salt }`.
 */
export async function mintSecret<T, N extends string>(
  { keyring, randomBytes }: Services,
  caller: Caller,
  newSecret: (randomBytes: RandomBytes) => string,
  name: N,
  mint: (made: MadeSecret, secret: string) => Promise<T>,
): Promise<Record<N, T> & { secret: string }> {
  const named = <M>(made: M, secret: string) => ({ [name]: made, secret }) as Record<N, M> & { secret: string };
  if (!caller.idempotencyKey) {
    const secret = newSecret(randomBytes);
    return named(await mint({ hash: hashSecret(secret), hint: hintOf(secret), salt: undefined }, secret), secret);
  }
  const salt = `${keyring.id}:${Buffer.from(randomBytes(16)).toString('hex')}`;
  const secret = newSecret(stream(keyring.derive('minted secrets'), salt));
  const answer = await mint({ hash: hashSecret(secret), hint: hintOf(secret), salt }, secret);
  if (!caller.idempotencyKey.replayed) return named(answer, secret);
  const kept = answer as unknown as Record<N, T> & { salt: string };
  const secretKey = secretKeyOf(keyring, kept.salt);
  if (secretKey === null)
    throw conflict(
      `this Idempotency-Key made a ${name} before the service's secret key was changed, so its secret cannot be told again: revoke it and make another`,
    );
  return named(kept[name], newSecret(stream(secretKey, kept.salt)));
}

/** Finds the secret key that a salt names. */
const secretKeyOf = (keyring: Keyring, salt: string): Uint8Array | null =>
  keyring.derive('minted secrets', salt.split(':', 1)[0] ?? '');

/** Derives from the salt bytes that only this service can compute. */
function stream(secretKey: Uint8Array, salt: string): RandomBytes {
  let block = 0;
  return (n) => {
    const out: Buffer[] = [];
    for (let have = 0; have < n; have += 64)
      out.push(createHmac('sha512', secretKey).update(`secret ${salt} ${block++}`).digest());
    return Buffer.concat(out).subarray(0, n);
  };
}
