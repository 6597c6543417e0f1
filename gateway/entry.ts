/**
 * What happens to every request before its route: an id, the HTTPS rule, the version, who it is, the limiter.
 *
 * Invariants
 *  1. Every response carries X-Request-Id, and the client's own sane id as X-Client-Request-Id.
 *  2. Over plain HTTP where it is not allowed, nothing of the request is looked at, its token least of all; probes are exempt.
 *  3. No path under /v1 or /api/v1, known or not, tells anything to a request without a valid key or token.
 *  4. A known key passes without waiting.
 */
import type { ServerResponse } from 'node:http';
import { invalid } from '../src/domain/errors.js';
import type { Principal } from '../src/service.js';
import type { Authenticator } from './auth/bearer.js';
import { httpsRequired } from './auth/https-only.js';
import { unauthenticated } from './auth/scopes.js';
import { needsCredential, withVersion } from './auth/version.js';
import type { GatewayRequest } from './http/prototypes.js';
import { clientRequestId } from './http/request-id.js';
import type { Limiter } from './options.js';

export interface EntryDeps {
  authenticator: Authenticator;
  secure: (req: GatewayRequest) => boolean;
  requestIds: () => string;
  monotonic: () => number;
  /** Paths that need neither HTTPS nor a key. */
  probes: ReadonlySet<string>;
  limiter?: Limiter;
}

/** Calls `next` when the request may go on to its route; throws or rejects with what it is refused for. */
export type Entry = (req: GatewayRequest, res: ServerResponse, next: () => void) => void | Promise<void>;

/** Names the request, before anything that can fail. */
export function begin(req: GatewayRequest, res: ServerResponse, deps: Pick<EntryDeps, 'requestIds' | 'monotonic'>): void {
  const header = req.headers['x-request-id'];
  const clientId = header === undefined ? null : clientRequestId(typeof header === 'string' ? header : header[0]);
  const id = deps.requestIds();
  req.exchange = { id, clientId, startedAt: deps.monotonic(), route: 'unmatched', principal: null };
  res.setHeader('X-Request-Id', id);
  if (clientId !== null) res.setHeader('X-Client-Request-Id', clientId);
}

export function createEntry({ authenticator, secure, probes, limiter }: EntryDeps): Entry {
  return (req, res, next) => {
    if (req.httpVersion === '1.1' && req.headers.host === undefined) throw invalid({ path: 'Host', message: 'is required in HTTP/1.1' });
    const target = originForm(req.url ?? '/');
    if (probes.has(pathOf(target))) { req.url = target; next(); return; }
    if (!secure(req)) throw httpsRequired();
    const version = req.headers['x-service-version'];
    const versioned = withVersion(target, typeof version === 'string' ? version : version?.[0]);
    req.url = versioned;
    if (!needsCredential(versioned)) { next(); return; }
    const known = authenticator.fromHeader(req.headers.authorization);
    if (known !== null && !(known instanceof Promise) && limiter === undefined) { accept(req, known); next(); return; }
    return slow(req, res, next, known, limiter);
  };
}

async function slow(req: GatewayRequest, res: ServerResponse, next: () => void, asked: Principal | null | Promise<Principal | null>, limiter: Limiter | undefined): Promise<void> {
  const principal = await asked;
  if (limiter !== undefined) {
    const admission = await limiter.admit(req, principal);
    const { refusal } = admission;
    if (res.destroyed) admission.release?.(); else res.once('close', () => admission.release?.());
    for (const [name, value] of Object.entries(admission.headers)) res.setHeader(name, value);
    if (principal !== null && refusal) throw refusal;
  }
  if (principal === null) throw unauthenticated();
  accept(req, principal);
  next();
}

function accept(req: GatewayRequest, principal: Principal): void {
  if (req.exchange) req.exchange.principal = principal;
}

/** A target as it is after the origin: a client may also send a whole URL (RFC 9112, 3.2.2), or `*`. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  return path === undefined ? '/' : path.startsWith('/') ? path : `/${path}`;
}

const pathOf = (target: string): string => {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
};
