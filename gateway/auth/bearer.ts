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
import type { GatewayRequest } from '../http/prototypes.js';
import { hash as digest } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { AccessTokens } from '../../src/oauth/access-tokens.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import type { Caller, Principal, Service } from '../../src/service.js';
import { HivekeepError, notFound } from '../../src/domain/shared/errors.js';
import type { Scope, TokenScope } from '../../src/domain/shared/vocabulary.js';

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

/* Authorization of principals on REST and at an agent's A2A endpoint (docs/api.md 5.1, 5.2). */

/**
 * Returns the caller if it is an API key with the scope, or an access token for the whole workspace; with null,
 * whatever its scopes. A token of agents gives access to their endpoints only.
 */
export function requireScope(principal: Principal | null, scope: Scope | null): Principal {
  if (principal === null) throw unauthenticated();
  if (agentsOf(principal) !== null)
    throw new HivekeepError(
      'INSUFFICIENT_SCOPE',
      "an agent token opens its own agent's A2A endpoint only: use an API key",
      { details: { ...(scope !== null && { required_scope: scope }) } },
    );
  return scope === null ? principal : requireGranted(principal, scope);
}

/**
 * Returns the caller at the endpoint of `agent`: one of the whole workspace, or a token of this agent. A token of
 * another agent gets NOT_FOUND.
 */
export function openAgent(principal: Principal | null, agent: string): Caller {
  if (principal === null) throw unauthenticated();
  if (agentsOf(principal)?.has(agent) === false) throw notFound('agent', agent);
  return principal;
}

/** The agents that the credential is for; null are all of its workspace. */
const agentsOf = (principal: Principal): ReadonlySet<string> | null =>
  principal.kind === 'token' ? new Set([principal.agent]) : principal.kind === 'access' ? principal.agents : null;

/** Returns the caller if it has the scope. */
export function requireGranted<C extends Caller | Principal>(caller: C, scope: TokenScope): C {
  if (caller.scopes.includes(scope)) return caller;
  const kindName = 'kind' in caller && caller.kind !== 'key' ? 'token' : 'key';
  throw new HivekeepError('INSUFFICIENT_SCOPE', `this ${kindName} lacks the scope ${scope}`, {
    details: { required_scope: scope },
  });
}

/**
 * The caller with what the audit says of where it asks from. It is on the path of a message, so each field is named: a
 * copy by a spread takes thirty times as long.
 */
export const withOrigin = (
  caller: Caller,
  req: GatewayRequest,
  addressOf: (req: GatewayRequest) => string,
): Required<{ [F in keyof Caller]: unknown }> & Caller => ({
  workspace: caller.workspace,
  credentialId: caller.credentialId,
  name: caller.name,
  tier: caller.tier,
  scopes: caller.scopes,
  agent: caller.agent,
  ownTasks: caller.ownTasks,
  byModel: caller.byModel,
  issued_at: caller.issued_at,
  expires_at: caller.expires_at,
  powers: caller.powers,
  onlyIf: caller.onlyIf,
  idempotencyKey: caller.idempotencyKey,
  from: addressOf(req),
  request: req.exchange?.id,
});

export const unauthenticated = (): HivekeepError =>
  new HivekeepError('UNAUTHENTICATED', 'send a valid API key: Authorization: Bearer svc_...');

/*
 * Enforces HTTPS (docs/api.md 1): either our own TLS, or a trusted proxy that forwards `https`. Plain HTTP is accepted
 * only on a loopback bind, or with HIVEKEEP_PLAIN_HTTP; forwarding headers of untrusted peers are ignored there. A
 * trusted proxy that forwards `http`, or no scheme, is refused even then.
 */

/** Whether an address belongs to a trusted proxy; Express compiles it from its setting `trust proxy`. */
export type TrustFunction = (address: string, hop: number) => boolean;

export function isSecure(req: IncomingMessage, plainHttp: boolean, trusts: TrustFunction): boolean {
  return isHttps(req, trusts) ?? plainHttp;
}

/**
 * Whether the request used HTTPS on every hop that trusted proxies report; undefined for a direct connection without
 * TLS.
 */
export function isHttps(req: IncomingMessage, trusts: TrustFunction): boolean | undefined {
  if ((req.socket as TLSSocket).encrypted) return true;
  const peer = req.socket.remoteAddress;
  if (peer === undefined || !trusts(peer, 0)) return undefined;
  const forwarded = req.headers['x-forwarded-proto'];
  // a chain of proxies may produce a list; every hop must have used https
  return typeof forwarded === 'string' && forwarded.split(',').every((proto) => proto.trim().toLowerCase() === 'https');
}

export const httpsRequired = (): HivekeepError =>
  new HivekeepError(
    'HTTPS_REQUIRED',
    'plain HTTP is served on loopback only: use https, or put a proxy named in HIVEKEEP_TRUSTED_PROXIES in front',
  );

/*
 * Determines the API version of a request (docs/api.md 9): from the path, or from X-Service-Version if the path names
 * none.
 */

const known = new Set(['v1', '1']);
/** First path segments that are not versioned. */
const unversioned = new Set([
  '',
  '.well-known',
  'livez',
  'readyz',
  'metrics',
  'openapi.json',
  'docs',
  'console',
  'favicon.ico',
  'api',
  'mcp',
]);

/** The request target (path and query) with the version prefixed; unchanged if none is to be added. */
export function withVersion(target: string, header: string | undefined): string {
  if (header === undefined) return target;
  const first = /^\/([^/?]*)/.exec(target)?.[1] ?? '';
  if (/^v\d+$/.test(first) || unversioned.has(first)) return target;
  if (!known.has(header.trim().toLowerCase()))
    throw new HivekeepError('UNSUPPORTED_VERSION', 'X-Service-Version must be v1', { details: { supported: ['v1'] } });
  return `/v1${target}`;
}

/** Whether a path is under /v1, /api/v1 (A2A) or /mcp and so needs a credential, even if no such route exists. */
export const needsCredential = (target: string): boolean =>
  isUnder(target, '/v1') || isUnder(target, '/api/v1') || isUnder(target, '/mcp');

function isUnder(target: string, root: string): boolean {
  if (!target.startsWith(root)) return false;
  const after = target.charCodeAt(root.length);
  return Number.isNaN(after) || after === 0x2f || after === 0x3f;
}
