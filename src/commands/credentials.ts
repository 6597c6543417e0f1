/** What a credential may grant to those that are made with it. */
import type { Caller } from '../domain/shared/caller.js';
import { invalid } from '../domain/shared/errors.js';
import { type Scope, scopes, type TokenScope } from '../domain/shared/vocabulary.js';

/**
 * A key cannot grant scopes that it does not have: VALIDATION_ERROR on `scopes`. `agent:mcp` only says where a token is
 * accepted, and gives it nothing else.
 */
export function checkGranted(caller: Caller, granted: readonly TokenScope[]): void {
  const beyond = granted.filter((s) => s !== 'agent:mcp' && !caller.scopes.includes(s));
  if (beyond.length > 0)
    throw invalid({
      path: 'scopes',
      message: `must be among the scopes of the key that mints it, which has no ${beyond.join(', ')}`,
    });
}

/** The scopes of a key, in the order of the vocabulary. */
export const keyScopes = (caller: Caller): Scope[] => scopes.filter((scope) => caller.scopes.includes(scope));

/** Credentials created by an expiring key expire no later than that key: VALIDATION_ERROR if a later time is given. */
export function expiryWithin(caller: Caller, wanted: string | null | undefined): string | null {
  const end = caller.expires_at;
  if (end === undefined || (wanted && Date.parse(wanted) <= Date.parse(end))) return wanted ?? null;
  if (wanted)
    throw invalid({ path: 'expires_at', message: `must not be after ${end}, when the key that mints it expires` });
  return end;
}
