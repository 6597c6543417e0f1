/**
 * Secrets of keys and tokens are shown once, when they are created, and stored as hashes (docs/api.md 2.4). A repeated
 * creation must return the same secret, so a repeatable one is derived from the service's secret key (keyring.ts) and a
 * salt. The idempotency record contains the salt, never the secret, and the store does not contain that key. The secret
 * is repeated only for the API key that created it: another key of the workspace may have fewer scopes than the created
 * credential, so for that key the same Idempotency-Key is a different request.
 */
import { createHmac } from 'node:crypto';
import { hashSecret, hintOf, type RandomBytes } from '../../src/secrets/api-keys.js';
import { conflict } from '../../src/domain/errors.js';
import type { Keyring } from '../../src/secrets/keyring.js';
import type { Caller } from '../../src/service.js';
import type { IdempotencyKey } from '../entities/idempotency.js';
import { withIdempotencyKey, type ServiceContext } from './context.js';

interface Made {
  hash: string;
  hint: string;
  salt?: string;
  idempotencyKey?: IdempotencyKey;
}

/**
 * `newSecret` makes the secret of random bytes. `mint` resolves to what was created, or for a repeated command to the
 * contents of its record: `{ [name], salt }`.
 */
export async function mintSecret<T, N extends string>(
  c: ServiceContext,
  caller: Caller,
  newSecret: (randomBytes: RandomBytes) => string,
  name: N,
  mint: (made: Made, secret: string) => Promise<T>,
): Promise<Record<N, T> & { secret: string }> {
  const idempotencyKey = withIdempotencyKey(caller)?.idempotencyKey;
  if (!idempotencyKey) {
    const secret = newSecret(c.randomBytes);
    return { [name]: await mint({ hash: hashSecret(secret), hint: hintOf(secret) }, secret), secret } as Record<
      N,
      T
    > & {
      secret: string;
    };
  }
  const { keyring } = c;
  const salt = `${keyring.id}:${Buffer.from(c.randomBytes(16)).toString('hex')}`;
  const secret = newSecret(stream(keyring.derive('minted secrets'), salt));
  const made = { hash: hashSecret(secret), hint: hintOf(secret), salt };
  const answer = await mint(
    { ...made, idempotencyKey: { ...idempotencyKey, id: `${idempotencyKey.id}_${caller.credentialId}` } },
    secret,
  );
  if (!caller.idempotencyKey?.replayed) return { [name]: answer, secret } as Record<N, T> & { secret: string };
  const kept = answer as unknown as Record<N, T> & { salt: string };
  const secretKey = secretKeyOf(keyring, kept.salt);
  if (secretKey === null)
    throw conflict(
      `this Idempotency-Key made a ${name} before the service's secret key was changed, so its secret cannot be told again: revoke it and make another`,
    );
  return { [name]: kept[name], secret: newSecret(stream(secretKey, kept.salt)) } as Record<N, T> & {
    secret: string;
  };
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
