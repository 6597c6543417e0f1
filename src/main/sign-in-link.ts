/**
 * The one-time sign-in link of the console, which a start shows on its terminal so that nobody has to paste the first
 * key. The link's code is not a key: it is exchanged for one.
 *
 *  SignInLink.L1 A code works once, and for 60 seconds from the moment that it is issued. Only one code is known at a
 *     time, in the memory of this process, as a hash.
 *  SignInLink.L2 No key exists before a code is redeemed, and a code makes at most one key. That key expires after the
 *     12 hours that the terminal announced, and its audit record names the link and the client's address.
 *  SignInLink.L3 If the key cannot be made, for instance because the store is away, the code can be tried again until
 *     its 60 seconds are over.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { RedeemCode } from '../../gateway/options.js';
import type { Admin } from '../admin.js';
import type { RandomBytes } from '../api-keys.js';
import type { MonotonicClock } from '../domain/clock.js';
import { scopes } from '../domain/vocabulary.js';
import { defaultWorkspace } from '../domain/workspace.js';

export const codeSeconds = 60;
export const signedInHours = 12;

export interface SignInLink {
  /** Returns a new code, which replaces the one before. */
  issue(): string;
  redeem: RedeemCode;
}

export interface SignInLinkParts {
  admin: Pick<Admin, 'createKey'>;
  clock: MonotonicClock;
  randomBytes: RandomBytes;
}

const digest = (code: string): Buffer => createHash('sha256').update(code).digest();

export function createSignInLink({ admin, clock, randomBytes }: SignInLinkParts): SignInLink {
  let issued: { hash: Buffer; until: number } | null = null;
  return {
    issue() {
      const code = Buffer.from(randomBytes(16)).toString('base64url');
      issued = { hash: digest(code), until: clock.elapsed() + codeSeconds * 1000 };
      return code;
    },
    async redeem(code, from) {
      const known = issued;
      if (known === null || clock.elapsed() >= known.until || !timingSafeEqual(known.hash, digest(code))) return null;
      issued = null; // before anything is awaited, so that two requests cannot both redeem it
      const expires_at = new Date(clock.now() + signedInHours * 3_600_000).toISOString();
      try {
        const { key, secret } = await admin.createKey(
          defaultWorkspace,
          { name: 'console sign-in', mode: 'live', scopes, expires_at },
          { actor: 'sign-in link', from },
        );
        return { id: key.id, key: secret, expires_at };
      } catch (error) {
        issued ??= known;
        throw error;
      }
    },
  };
}
