/**
 * The one-time sign-in link of the console, which a start shows on its terminal and `hivekeep sign-in` makes anew, so
 * that nobody has to paste a key. The link's code is not a key: it is exchanged for one.
 *
 *  SignInLink.L1 A code works once, and for 60 seconds from the moment that it is issued. Only one code is known at a
 *     time, as a hash in the data folder.
 *  SignInLink.L2 No key exists before a code is redeemed, and a code makes at most one key. That key expires after the
 *     12 hours that the terminal announced, and its audit record names the link and the client's address.
 *  - If the key cannot be made, for instance because the store is away, the code can be tried again until its 60
 *    seconds are over.
 */
import type { RedeemCode } from '../options.js';
import type { Admin } from '../admin/admin.js';
import { type SignInCodes, signedInHours } from '../cli/sign-in-code.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import { scopes } from '../../src/domain/shared/vocabulary.js';
import { defaultWorkspace } from '../../src/domain/workspace/workspace.js';

export interface SignInLinkDeps {
  admin: Pick<Admin, 'createKey'>;
  clock: Pick<Clock, 'now'>;
  codes: SignInCodes;
}

export const redeemSignInLink =
  ({ admin, clock, codes }: SignInLinkDeps): RedeemCode =>
  async (code, from) => {
    if (!codes.take(code)) return null;
    const expires_at = new Date(clock.now() + signedInHours * 3_600_000).toISOString();
    try {
      const { key, secret } = await admin.createKey(
        defaultWorkspace,
        { name: 'console sign-in', mode: 'live', scopes, expires_at },
        { actor: 'sign-in link', from },
      );
      return { id: key.id, key: secret, expires_at };
    } catch (error) {
      codes.giveBack();
      throw error;
    }
  };
