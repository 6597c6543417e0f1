/**
 * Secrets of keys and tokens: told once, when they are minted, and stored as hashes (spec 2.4). A mint that may be sent
 * again must tell the same secret again, so that one is made of the service's own key and a salt; the command's record
 * keeps the salt, never the secret. It is told again to the API key that minted it alone: another one of the workspace may
 * have fewer scopes than what was minted, so for that key the same Idempotency-Key is another command.
 */
import { createHmac } from 'node:crypto';
import { hashSecret, hintOf, newSecret, type RandomBytes } from '../../src/api-keys.js';
import type { Caller } from '../../src/service.js';
import type { CommandName } from '../entities/command.js';
import { named, type ServiceContext } from './context.js';

interface Made {
  hash: string;
  hint: string;
  salt?: string;
  command?: CommandName;
}

/** `mint` answers what was made, or for a repeated command what its record keeps: `{ [name], salt }`. */
export async function minted<T, N extends string>(
  c: ServiceContext,
  caller: Caller,
  prefix: string,
  name: N,
  mint: (made: Made) => Promise<T>,
): Promise<Record<N, T> & { secret: string }> {
  const command = named(caller)?.command;
  if (!command) {
    const secret = newSecret(prefix, c.randomBytes);
    return { [name]: await mint({ hash: hashSecret(secret), hint: hintOf(secret) }), secret } as Record<N, T> & {
      secret: string;
    };
  }
  const salt = Buffer.from(c.randomBytes(16)).toString('hex');
  const secret = newSecret(prefix, stream(c.secretKey, salt));
  const answer = await mint({
    hash: hashSecret(secret),
    hint: hintOf(secret),
    salt,
    command: { ...command, id: `${command.id}_${caller.key}` },
  });
  if (!caller.command?.replayed) return { [name]: answer, secret } as Record<N, T> & { secret: string };
  const kept = answer as unknown as Record<N, T> & { salt: string };
  return { [name]: kept[name], secret: newSecret(prefix, stream(c.secretKey, kept.salt)) } as Record<N, T> & {
    secret: string;
  };
}

/** Bytes that only this service can make of the salt. */
function stream(key: Uint8Array, salt: string): RandomBytes {
  let block = 0;
  return (n) => {
    const out: Buffer[] = [];
    for (let have = 0; have < n; have += 64)
      out.push(createHmac('sha512', key).update(`secret ${salt} ${block++}`).digest());
    return Buffer.concat(out).subarray(0, n);
  };
}
