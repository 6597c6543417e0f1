/**
 * Resolves credentials to principals (docs/api.md 5), with a short-lived cache.
 *
 * Invariants
 *  - Credentials are identified by their SHA-256 hash. The raw credential is neither stored nor compared
 *    (src/secrets/api-keys.ts explains why a look-up by hash need not take constant time).
 *  - A positive result is cached for at most `ttlMs`, also where the clock is set back, and a refusal never, so a
 *    newly created key works at once.
 *  - After `forget`, no earlier result is used, including those of look-ups still in progress.
 *  - The cache has at most `maxEntries`; the oldest are dropped first.
 *  - A cached key is resolved synchronously.
 *  - Requests that come with the same credential while it is looked up share the answer, so that many clients with one
 *    key cost one look-up.
 * If the service fails, the caller gets the failure and nothing is cached.
 */
import { hash as digest } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AccessTokens } from '../../src/oauth/access-tokens.js';
import type { Clock } from '../../src/domain/clock.js';
import type { Principal, Service } from '../../src/service.js';

const maxEntries = 10_000;
/** Longer keys and tokens cannot be valid and are not hashed. */
const maxCredential = 512;
const maxAccessToken = 8192;

/** Neither a key nor a token of an agent looks like a signed JWT. */
const looksLikeAccessToken = (credential: string): boolean =>
  credential.length <= maxAccessToken && /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(credential);

export interface Authenticator {
  /** Resolves the credential that a request carries; null when it is missing, malformed or unknown. */
  fromHeaders(headers: IncomingHttpHeaders, handshake?: boolean): Principal | null | Promise<Principal | null>;
  /** Resolves a raw credential. */
  fromCredential(credential: string): Principal | null | Promise<Principal | null>;
  /** Clears the cache, because a key or token has just been revoked. */
  forget(): void;
}

export function createAuthenticator(
  service: Pick<Service, 'authenticate' | 'admit'>,
  clock: Clock,
  ttlMs: number,
  accessTokens?: AccessTokens,
): Authenticator {
  let known = new Map<string, { principal: Principal; until: number }>();
  let asked = new Map<string, Promise<Principal | null>>();

  const isFresh = (leftMs: number): boolean => leftMs > 0 && leftMs <= ttlMs;

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
    const isAccess = accessTokens !== undefined && looksLikeAccessToken(credential);
    if (!isAccess && credential.length > maxCredential) return null;
    const hash = digest('sha256', credential);
    const found = known.get(hash);
    if (found !== undefined && isFresh(found.until - clock.now())) return found.principal;
    const shared = asked.get(hash);
    if (shared !== undefined) return shared;
    const into = known;
    const answer = isAccess
      ? accessTokens.verify(credential).then((grant) => grant && service.admit(grant))
      : service.authenticate(hash);
    if (!(answer instanceof Promise)) return keep(into, hash, answer);
    const among = asked;
    const kept = answer.then((principal) => keep(into, hash, principal)).finally(() => among.delete(hash));
    asked.set(hash, kept);
    return kept;
  }

  return {
    fromCredential,
    fromHeaders(headers, handshake = false) {
      const credential = handshake ? credentialInHandshake(headers) : credentialIn(headers);
      return credential === null ? null : fromCredential(credential);
    },
    forget: () => {
      known = new Map();
      asked = new Map();
    },
  };
}

/** The credential that a request carries: as bearer token or, without Authorization, in X-API-Key. */
export function credentialIn({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string | null {
  if (authorization !== undefined) return bearerOf(authorization);
  return typeof key === 'string' && /^[\x21-\x7e]+$/.test(key) ? key : null;
}

/** The same of a WebSocket handshake, in which browsers can name it as a subprotocol only: `bearer.<credential>`. */
function credentialInHandshake(headers: IncomingHttpHeaders): string | null {
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) return credentialIn(headers);
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  return offered.find((protocol) => protocol.startsWith('bearer.'))?.slice('bearer.'.length) ?? null;
}

/** The credential of `Bearer <credential>` (RFC 6750); null for any other header. */
export function bearerOf(header: string): string | null {
  const match = /^bearer +([\x21-\x7e]+) *$/i.exec(header);
  return match?.[1] ?? null;
}
