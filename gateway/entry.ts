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
import { type Waiting, finish, wait } from '../src/maybe-promise.js';
import { type Authenticator, httpsRequired, needsCredential, unauthenticated, withVersion } from './auth/bearer.js';
import type { Cors } from './http/cors.js';
import type { Exchange, GatewayRequest, GatewayResponse } from './http/prototypes.js';
import { checkHandshake, checkHead, clientRequestId, protect } from './http/head.js';
import { type Limiter, applyAdmission, showHeaders } from './limits/limiter.js';
import { isHandshake } from './streams/websocket.js';

export interface EntryDeps {
  authenticator: Authenticator;
  secure: (req: GatewayRequest) => boolean;
  /** The client's address, or the nearest known hop (limits/connections.ts). */
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

/**
 * Finds the handler of a request by the segments of its path, where Express would try the paths of its table one after
 * another. Only what needs nothing of Express is found: the methods of a path as they are registered, and a path that
 * is spelt as a client spells it that builds it from a template and ids.
 *
 * Invariant: what is found is what Express would find for the same request. Where nothing is found (an encoded
 * character, a slash at the end, HEAD, a method or path that does not exist), the request goes on to Express, which
 * answers it.
 */
interface Segment<H> {
  readonly literals: Map<string, Segment<H>>;
  parameter: Segment<H> | null;
  /** The handlers of the path that ends here, by method, and the names of its parameters. */
  readonly handlers: Map<string, H>;
  names: readonly string[];
}

const segment = <H>(): Segment<H> => ({ literals: new Map(), parameter: null, handlers: new Map(), names: [] });

export interface FoundRoute<H> {
  handle: H;
  params: Record<string, string>;
}

/** Paths of these characters are compared as they are: they need no decoding. A colon may begin a part of a segment. */
const plain = /^\/[\w\-./~]*$/;
/** Templates of literal segments and of parameters that are a whole segment. */
const template = /^\/(?:(?::\w+|[\w\-.]+)(?:\/|$))*$/;

export class DirectRoutes<H> {
  private readonly root = segment<H>();

  /** Leaves a template out that it cannot compare. */
  add(method: string, path: string, handle: H): void {
    if (!template.test(path)) return;
    let at = this.root;
    for (const part of path.slice(1).split('/'))
      if (part.startsWith(':')) at = at.parameter ??= segment();
      else {
        const next = at.literals.get(part) ?? segment<H>();
        at.literals.set(part, next);
        at = next;
      }
    at.handlers.set(method, handle);
    at.names = path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []));
  }

  find(method: string, url: string): FoundRoute<H> | null {
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (!plain.test(path)) return null;
    let at = this.root;
    const values: string[] = [];
    for (let from = 1; from <= path.length;) {
      const slash = path.indexOf('/', from);
      const to = slash === -1 ? path.length : slash;
      const part = path.slice(from, to);
      from = to + 1;
      const literal = at.literals.get(part);
      if (literal !== undefined) {
        at = literal;
        continue;
      }
      if (at.parameter === null || part === '') return null;
      values.push(part);
      at = at.parameter;
    }
    const handle = at.handlers.get(method);
    if (handle === undefined) return null;
    const params: Record<string, string> = {};
    for (let i = 0; i < values.length; i++) params[at.names[i] ?? ''] = values[i] ?? '';
    return { handle, params };
  }
}
