/**
 * Processing that every request goes through before its route: request id, HTTPS rule, API version, authentication,
 * rate limits.
 *
 * Invariants
 *  - Every response carries X-Request-Id, and also X-Client-Request-Id if the client sent a valid id of its own.
 *  - A request over plain HTTP where that is not allowed is refused before anything in it, its token least of all, is
 *    read. Probes are exempt.
 *  - Paths under /v1, /api/v1 or /mcp, existing or not, reveal nothing to a request without a valid key or
 *     token. Preflights from allowed origins (http/cors.ts) pass without one; their answer is the same for every path.
 *     So do readers of cards where agents may be public; of any other agent they learn nothing (a2a/card-routes.ts).
 *  - A cached key passes synchronously if the limits answer synchronously.
 *  - Every response carries the headers of the limit that the request counted against (docs/api.md 8.3): the
 *    credential's, or otherwise that of the client's address, which has a separate one for probes. Input that never
 *    becomes a request (server.ts) counts against nothing, and its answer says so.
 */
import { finish, wait, type Waiting } from '../src/maybe-promise.js';
import type { Authenticator } from './auth/bearer.js';
import { httpsRequired } from './auth/https-only.js';
import { unauthenticated } from './auth/scopes.js';
import { needsCredential, withVersion } from './auth/version.js';
import type { Cors } from './http/cors.js';
import type { Exchange, GatewayRequest, GatewayResponse } from './http/prototypes.js';
import { checkHandshake, checkHead } from './http/head.js';
import { clientRequestId } from './http/request-id.js';
import { protect } from './http/security-headers.js';
import { applyAdmission, showHeaders } from './limits/admission.js';
import type { Limiter } from './limits/port.js';
import { isHandshake } from './streams/websocket.js';

export interface EntryDeps {
  authenticator: Authenticator;
  secure: (req: GatewayRequest) => boolean;
  /** The client's address, or the nearest known hop (limits/address.ts). */
  addressOf: (req: GatewayRequest) => string;
  requestIds: () => string;
  monotonic: () => number;
  /** Paths that need neither HTTPS nor a key. */
  probes: ReadonlySet<string>;
  /** Whether its route decides whether the request needs a credential; it has none. */
  mayBePublic: (req: GatewayRequest) => boolean;
  limiter: Limiter;
  /** Whether a request used HTTPS; decides about headers such as HSTS. */
  https: (req: GatewayRequest) => boolean;
  /** Null: pages of other origins may read nothing. */
  cors: Cors | null;
}

/** Calls `next` once: with an error if the request is refused, with undefined if it may proceed to its route. */
export type Entry = (
  req: GatewayRequest,
  res: GatewayResponse,
  exchange: Exchange,
  next: (refusal: unknown) => void,
) => void | Promise<void>;

/** Assigns the request id and sets the headers common to every response, before anything that can fail. */
export function begin(
  req: GatewayRequest,
  res: GatewayResponse,
  deps: Pick<EntryDeps, 'requestIds' | 'monotonic' | 'https' | 'cors'>,
): Exchange {
  const header = req.headers['x-request-id'];
  const clientId = header === undefined ? null : clientRequestId(typeof header === 'string' ? header : header[0]);
  const id = deps.requestIds();
  const exchange: Exchange = { id, clientId, startedAt: deps.monotonic(), route: 'unmatched', principal: null };
  req.exchange = exchange;
  protect(res, deps.https(req));
  deps.cors?.show(req, res);
  res.show('X-Request-Id', id);
  if (clientId !== null) res.show('X-Client-Request-Id', clientId);
  return exchange;
}

type RequestClass = 'probe' | 'open' | 'keyed';

export function createEntry({
  authenticator,
  secure,
  addressOf,
  probes,
  mayBePublic,
  limiter,
  cors,
}: EntryDeps): Entry {
  /** Classifies the request by its head. Rewrites its target to the form that the routes know. */
  function classify(req: GatewayRequest): RequestClass {
    const target = originForm(req.url ?? '/');
    req.url = target;
    if (probes.has(pathOf(target))) return 'probe';
    if (!secure(req)) throw httpsRequired();
    if (cors?.isPreflight(req)) return 'open';
    const version = req.headers['x-service-version'];
    req.url = withVersion(target, typeof version === 'string' ? version : version?.[0]);
    return needsCredential(req.url) && !mayBePublic(req) ? 'keyed' : 'open';
  }

  /** Counts the request against its address. Resolves to the rate-limit refusal, or else to `reason`. */
  function* count(req: GatewayRequest, res: GatewayResponse, reason: () => unknown): Waiting<unknown> {
    return applyAdmission(req, res, yield* wait(limiter.admitAddress(addressOf(req)))) ?? reason();
  }

  function* admit(req: GatewayRequest, res: GatewayResponse, exchange: Exchange): Waiting<unknown> {
    const principal = yield* wait(authenticator.fromHeaders(req.headers, isHandshake(req)));
    if (principal === null) return yield* count(req, res, unauthenticated);
    exchange.principal = principal;
    return applyAdmission(req, res, yield* wait(limiter.admit(req, principal, exchange.id)));
  }

  /** Returns the error with which the request is refused, or undefined if it may proceed. */
  function* decide(req: GatewayRequest, res: GatewayResponse, exchange: Exchange): Waiting<unknown> {
    let kind: RequestClass;
    try {
      checkHead(req);
      if (isHandshake(req)) checkHandshake(req);
    } catch (error) {
      res.shouldKeepAlive = false;
      return yield* count(req, res, () => error);
    }
    try {
      kind = classify(req);
    } catch (error) {
      return yield* count(req, res, () => error);
    }
    switch (kind) {
      case 'probe':
        return applyAdmission(req, res, limiter.admitProbe(addressOf(req)));
      case 'open':
        return yield* count(req, res, goesOn);
      case 'keyed':
        return yield* admit(req, res, exchange);
    }
  }

  /**
   * Authentication or the limits have failed; the response carries the rate-limit headers all the same.
   */
  function failed(res: GatewayResponse, error: unknown): unknown {
    showHeaders(res, limiter.uncounted());
    return error;
  }

  return (req, res, exchange, next) => {
    const refusal = finish(decide(req, res, exchange));
    if (refusal instanceof Promise) return refusal.catch((error: unknown) => failed(res, error)).then(next);
    next(refusal);
  };
}

const goesOn = (): undefined => undefined;
/**
 * The target in origin form: a client may also send an absolute URL (RFC 9112, 3.2.2). `*` (3.2.4) is left as it is.
 */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  return path === undefined ? target : path.startsWith('/') ? path : `/${path}`;
}

/** The path of a request target, without its query. */
export const pathOf = (target: string): string => {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
};
