/**
 * What happens to every request before its route: an id, the HTTPS rule, the version, who it is, the limiter.
 *
 * Invariants
 *  1. Every response carries X-Request-Id, and the client's own sane id as X-Client-Request-Id.
 *  2. Over plain HTTP where it is not allowed, nothing of the request is looked at, its token least of all; probes are
 *     exempt.
 *  3. No path under /v1 or /api/v1, known or not, tells anything to a request without a valid key or token. Preflights
 *     of allowed origins (http/cors.ts) pass without one: their answer is the same for every path.
 *  4. A known key passes without waiting, where the limits answer at once.
 *  5. Every response carries the headers of the limit that the request counted against (docs/api.md 8.3): the
 *     credential's, or else the address's, which has one of its own for probes. What never becomes a request
 *     (server.ts) counts against nothing and says so.
 */
import type { ServerResponse } from 'node:http';
import type { Principal } from '../src/service.js';
import { type MaybePromise, thenSync } from '../src/maybe-promise.js';
import type { Authenticator } from './auth/bearer.js';
import { httpsRequired } from './auth/https-only.js';
import { unauthenticated } from './auth/scopes.js';
import { needsCredential, withVersion } from './auth/version.js';
import type { Cors } from './http/cors.js';
import type { Exchange } from './http/exchange.js';
import { checkHead } from './http/head.js';
import type { GatewayRequest } from './http/prototypes.js';
import { clientRequestId } from './http/request-id.js';
import { protect } from './http/security-headers.js';
import { applyAdmission, showHeaders } from './limits/admission.js';
import type { Admission, Limiter } from './limits/port.js';

export interface EntryDeps {
  authenticator: Authenticator;
  secure: (req: GatewayRequest) => boolean;
  /** Of the client, or of the nearest thing to it that is known (limits/address.ts). */
  addressOf: (req: GatewayRequest) => string;
  requestIds: () => string;
  monotonic: () => number;
  /** Paths that need neither HTTPS nor a key. */
  probes: ReadonlySet<string>;
  limiter?: Limiter;
  /** Whether a request came by HTTPS, for the headers that say so. */
  https: (req: GatewayRequest) => boolean;
  /** Null: no web page of another origin may read anything. */
  cors: Cors | null;
}

/** Calls `next` once: with what the request is refused for, or with undefined when it may go on to its route. */
export type Entry = (
  req: GatewayRequest,
  res: ServerResponse,
  exchange: Exchange,
  next: (refusal: unknown) => void,
) => void | Promise<void>;

/** Names the request and says what is the same on every response, before anything that can fail. */
export function begin(
  req: GatewayRequest,
  res: ServerResponse,
  deps: Pick<EntryDeps, 'requestIds' | 'monotonic' | 'https' | 'cors'>,
): Exchange {
  const header = req.headers['x-request-id'];
  const clientId = header === undefined ? null : clientRequestId(typeof header === 'string' ? header : header[0]);
  const id = deps.requestIds();
  const exchange: Exchange = { id, clientId, startedAt: deps.monotonic(), route: 'unmatched', principal: null };
  req.exchange = exchange;
  protect(res, deps.https(req));
  deps.cors?.show(req, res);
  res.setHeader('X-Request-Id', id);
  if (clientId !== null) res.setHeader('X-Client-Request-Id', clientId);
  return exchange;
}

type Way = 'probe' | 'open' | 'keyed';

export function createEntry({ authenticator, secure, addressOf, probes, limiter = noLimits, cors }: EntryDeps): Entry {
  /** Where a request goes, as far as its head says. Its target is then as the routes know it. */
  function wayOf(req: GatewayRequest): Way {
    const target = originForm(req.url ?? '/');
    req.url = target;
    if (probes.has(pathOf(target))) return 'probe';
    if (!secure(req)) throw httpsRequired();
    if (cors?.isPreflight(req)) return 'open';
    const version = req.headers['x-service-version'];
    req.url = withVersion(target, typeof version === 'string' ? version : version?.[0]);
    return needsCredential(req.url) ? 'keyed' : 'open';
  }

  /** Against its address. What it is refused for: the limit, or else the reason given. */
  const count = (req: GatewayRequest, res: ServerResponse, reason: () => unknown): MaybePromise<unknown> =>
    thenSync(limiter.admitAddress(addressOf(req)), (admission) => applyAdmission(req, res, admission) ?? reason());

  function admit(
    req: GatewayRequest,
    res: ServerResponse,
    exchange: Exchange,
    principal: Principal,
  ): MaybePromise<unknown> {
    exchange.principal = principal;
    return thenSync(limiter.admit(req, principal, exchange.id), (admission) => applyAdmission(req, res, admission));
  }

  /** What the request is refused for; undefined when it may go on. */
  function decide(req: GatewayRequest, res: ServerResponse, exchange: Exchange): MaybePromise<unknown> {
    let way: Way;
    try {
      checkHead(req);
    } catch (error) {
      res.shouldKeepAlive = false;
      return count(req, res, () => error);
    }
    try {
      way = wayOf(req);
    } catch (error) {
      return count(req, res, () => error);
    }
    switch (way) {
      case 'probe':
        return applyAdmission(req, res, limiter.admitProbe(addressOf(req)));
      case 'open':
        return count(req, res, goesOn);
      case 'keyed':
        return thenSync(authenticator.fromHeader(req.headers.authorization), (principal) =>
          principal === null ? count(req, res, unauthenticated) : admit(req, res, exchange, principal),
        );
    }
  }

  /** Who asks, or what they may, could not be found out: the headers are there all the same (5). */
  function failed(res: ServerResponse, error: unknown): unknown {
    showHeaders(res, limiter.uncounted());
    return error;
  }

  return (req, res, exchange, next) => {
    let refusal: MaybePromise<unknown>;
    try {
      refusal = decide(req, res, exchange);
    } catch (error) {
      refusal = failed(res, error);
    }
    if (refusal instanceof Promise) return refusal.catch((error: unknown) => failed(res, error)).then(next);
    next(refusal);
  };
}

const goesOn = (): undefined => undefined;
const nothing: Admission = { headers: {} };
const noLimits: Limiter = {
  admit: () => nothing,
  admitAddress: () => nothing,
  admitProbe: () => nothing,
  uncounted: () => nothing.headers,
};

/** A target as it is after the origin: a client may also send a whole URL (RFC 9112, 3.2.2), or `*`. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  return path === undefined ? '/' : path.startsWith('/') ? path : `/${path}`;
}

/** Of a target, without its query. */
export const pathOf = (target: string): string => {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
};
