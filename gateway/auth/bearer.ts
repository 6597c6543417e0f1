/**
 * Who a request comes from (docs/api.md 5).
 *
 * Invariants
 *  1. A credential is known by its SHA-256 only: the raw one is kept nowhere, and compared with nothing
 *     (src/api-keys.ts says why a look-up by hash need not take constant time).
 *  2. An answer is used again for at most `ttlMs`, a refusal never: a key that was just made works at once.
 *  3. After `forget`, nothing that was answered before it is used again, answers still on their way included.
 *  4. At most `maxEntries` are kept; the oldest go first.
 *  5. A known key is recognised without waiting (no promise).
 * When the service fails, the failure is the caller's: nothing is kept.
 */
import { hash as digest } from 'node:crypto';
import type { Clock } from '../../src/domain/clock.js';
import type { Principal, Service } from '../../src/service.js';

const maxEntries = 10_000;
/** Longer ones are nobody's, and not worth hashing. */
const maxCredential = 512;

export interface Authenticator {
  /** Of an Authorization header; null when it is missing, malformed or nobody's. */
  fromHeader(header: string | undefined): Principal | null | Promise<Principal | null>;
  /** Of a raw credential. */
  fromCredential(credential: string): Principal | null | Promise<Principal | null>;
  /** Drops every answer: a key or a token has just been revoked. */
  forget(): void;
}

export function createAuthenticator(
  service: Pick<Service, 'authenticate'>,
  clock: Clock,
  ttlMs: number,
): Authenticator {
  let known = new Map<string, { principal: Principal; until: number }>();

  function keep(into: typeof known, hash: string, principal: Principal | null): Principal | null {
    if (principal === null || into !== known) return principal;
    known.delete(hash);
    if (known.size >= maxEntries) {
      const oldest = known.keys().next();
      if (!oldest.done) known.delete(oldest.value);
    }
    known.set(hash, { principal, until: clock.now() + ttlMs });
    return principal;
  }

  function fromCredential(credential: string): Principal | null | Promise<Principal | null> {
    if (credential.length > maxCredential) return null;
    const hash = digest('sha256', credential);
    const found = known.get(hash);
    if (found !== undefined && clock.now() < found.until) return found.principal;
    const asked = known;
    const answer = service.authenticate(hash);
    return answer instanceof Promise
      ? answer.then((principal) => keep(asked, hash, principal))
      : keep(asked, hash, answer);
  }

  return {
    fromCredential,
    fromHeader(header) {
      const credential = header === undefined ? null : bearerOf(header);
      return credential === null ? null : fromCredential(credential);
    },
    forget: () => {
      known = new Map();
    },
  };
}

/** The credential of `Bearer <credential>` (RFC 6750); null for any other header. */
export function bearerOf(header: string): string | null {
  const match = /^bearer +([\x21-\x7e]+) *$/i.exec(header);
  return match?.[1] ?? null;
}
