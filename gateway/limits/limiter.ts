/**
 * Applies the limits of docs/api.md 8, using the limits port.
 *
 * Which limit a request counts against
 *  - With a valid key or agent token: the credential's, as its workspace's tier defines it. A svc_test_ key has the
 *    sandbox limits whatever the tier. POST /v1/memories/search, POST /v1/context, the MCP tool recall and its prompt
 *    also count against the key's searches.
 *  - Without a valid credential (401), or where none is needed (documentation, unknown paths outside the API, refusals
 *    before a credential is read): that of the client's address. Nobody's key pays for it.
 *  - Probes (/livez, /readyz, /metrics): a separate bucket of the client's address, far above any need, so that a flood
 *    of probes stays cheap and other floods do not make an orchestrator believe that the process is dead. It is kept in
 *    this process, because liveness must not depend on another server.
 *
 * Invariants
 *  - The headers describe the limit that the request counted against; the search limit only if that refuses
 *     it. A refused search still counts as a request.
 *  - A valid key passes whatever its address has used up, so someone guessing keys behind the same NAT locks nobody
 *    out. A credential is therefore always looked up, and over the limit an invalid one gets 429 instead of 401.
 *  - A request holds a concurrency slot from its admission until its response, or stream, is over. Slots in use are
 *    renewed, and those of a crashed process expire soon.
 *  - With limits that answer synchronously, admission is synchronous.
 * When the limits cannot be reached, admission fails with their error (503): letting requests pass uncounted would turn
 * an outage into a way around every limit. A slot whose grant was lost in transit is released in case it was granted. A
 * renewal or release that fails is ignored: the slot is renewed the next time, or expires.
 */
import type { IncomingMessage } from 'node:http';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import type { Principal } from '../../src/service.js';
import { type Limits, type Policy, type Taken, windowMs } from '../../src/limits/port.js';
import type { Clock } from '../../src/domain/shared/clock.js';
import { createInMemoryLimits } from '../../src/limits/in-memory.js';
import { type KeyLimits, type TierLimits, policyOf } from '../../src/limits/tiers.js';
import { type Waiting, finish, wait } from '../../src/maybe-promise.js';
import { networkOf } from './connections.js';
import type { GatewayRequest, GatewayResponse } from '../http/prototypes.js';

/* The limiter as the rest of the gateway sees it. */

/** A limiter's decision about one request. */
export interface Admission {
  /** Set on the response whether or not it is refused (docs/api.md 8.3). */
  headers: Readonly<Record<string, string>>;
  /** Answered instead of running the route. */
  refusal?: HivekeepError;
  /** Call this when the response is over; further calls have no effect. */
  release?: () => void;
}

/** Decides for every request which limit it counts against and whether it may proceed (limits/limiter.ts). */
export interface Limiter {
  /** For a request with a valid credential; `id` is its `req_...` id. */
  admit(
    request: Pick<IncomingMessage, 'method' | 'url'>,
    principal: Principal,
    id: string,
  ): Admission | Promise<Admission>;
  /** For a search that its request does not show by its path: it counts against the principal's searches too. */
  admitSearch(principal: Principal): Admission | Promise<Admission>;
  /** For a request without a valid credential, or that needs none: it counts against its address. */
  admitAddress(address: string): Admission | Promise<Admission>;
  /**
   * For a probe: it counts against its address, separately from other requests. Answers synchronously, whatever else is
   * down.
   */
  admitProbe(address: string): Admission;
  /** The headers of input that counts against nothing: failures before the caller is known. */
  uncounted(): Admission['headers'];
}

/*
 * The four rate-limit headers that every response carries (docs/api.md 8.3), and the errors of refused requests
 * (docs/api.md 7.1).
 */

const windowSeconds = windowMs / 1000;

export interface RateHeaders extends Readonly<Record<string, string>> {
  'X-RateLimit-Limit': string;
  'X-RateLimit-Remaining': string;
  'X-RateLimit-Reset': string;
  'X-RateLimit-Policy': string;
}

/** A policy together with its precomputed header texts. */
export interface Metered {
  readonly policy: Policy;
  readonly limit: string;
  readonly text: string;
}

export const metered = (policy: Policy): Metered => ({
  policy,
  limit: String(policy.limit),
  text: `${policy.limit};w=${windowSeconds}`,
});

export const headersOf = ({ limit, text }: Metered, taken: Taken): RateHeaders => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': String(taken.remaining),
  'X-RateLimit-Reset': String(taken.resetAt),
  'X-RateLimit-Policy': text,
});

/** The headers of a limit from which nothing was taken. */
export const untouched = ({ limit, text }: Metered, now: number): RateHeaders => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': limit,
  'X-RateLimit-Reset': String(Math.ceil(now / 1000)),
  'X-RateLimit-Policy': text,
});

/**
 * `subject` completes the sentence "too many ...", for example: requests of this key, searches of this key, requests
 * without a valid key from this address.
 */
export function rateExceeded(subject: string, { limit, burst }: Policy, { retryAfter }: Taken): HivekeepError {
  return untraced(
    () =>
      new HivekeepError(
        'RATE_LIMIT_EXCEEDED',
        `too many ${subject}: ${limit} a minute, and ${burst} at once after a rest`,
        {
          retryAfter,
          details: { limit, window: `${windowSeconds}s`, retry_after: retryAfter },
        },
      ),
  );
}

/** The end of a request in progress cannot be predicted, so clients are advised to retry soon. */
const concurrencyRetrySeconds = 1;

export const concurrencyExceeded = (max: number): HivekeepError =>
  untraced(
    () =>
      new HivekeepError(
        'CONCURRENCY_LIMIT_EXCEEDED',
        `too many requests of this key at the same time: ${max} may be in progress, open streams included`,
        {
          retryAfter: concurrencyRetrySeconds,
          details: { limit: max, retry_after: concurrencyRetrySeconds },
        },
      ),
  );

/**
 * Creates the error without a stack trace: nobody needs one for a refusal, and capturing it would be a large part of
 * the cost of refusing.
 */
function untraced(make: () => HivekeepError): HivekeepError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export interface LimiterOptions {
  /** Counters of keys and tokens. */
  keys: Limits;
  /** Counters of addresses. They are separate, so that any number of strangers cannot evict a key's bucket. */
  addresses: Limits;
  tiers: TierLimits;
  /** The policy of each address for requests without a valid key. */
  address: Policy;
  /** The policy of each address for probes. Default 60,000 a minute. */
  probe?: Policy;
  clock: Clock;
  /** How long a slot in `keys` lasts without being renewed, ms. */
  holdMs: number;
}

interface Meters {
  requests: Metered;
  searches: Metered;
  concurrent: number;
}

export function createLimiter({
  keys,
  addresses,
  tiers,
  address,
  probe = policyOf(60_000),
  clock,
  holdMs,
}: LimiterOptions): Limiter {
  const meters = Object.fromEntries(Object.entries(tiers).map(([tier, limits]) => [tier, metersOf(limits)])) as Record<
    keyof TierLimits,
    Meters
  >;
  const byAddress = metered(address);
  const byProbe = metered(probe);
  const probes = createInMemoryLimits({ holdMs });

  /** Renews a slot until the returned function is called. */
  function renewing(key: string, max: number, id: string): () => void {
    let cancel = (): void => undefined;
    const renewLater = (): void => {
      cancel = clock.after(holdMs / 3, () => {
        renewLater();
        ignoreFailure(keys.enter(key, max, id, clock.now()));
      });
    };
    renewLater();
    return () => {
      cancel();
    };
  }

  function* takeSlot(key: string, max: number, id: string, headers: RateHeaders): Waiting<Admission> {
    const entering = keys.enter(key, max, id, clock.now());
    if (entering instanceof Promise)
      entering.catch(() => {
        ignoreFailure(keys.leave(key, id));
      });
    if (!(yield* wait(entering))) return { headers, refusal: concurrencyExceeded(max) };
    let stop: (() => void) | null = renewing(key, max, id);
    return {
      headers,
      release: () => {
        if (stop === null) return;
        stop();
        stop = null;
        ignoreFailure(keys.leave(key, id));
      },
    };
  }

  /** Counts a search; undefined if it is allowed. */
  function* search(key: string, searches: Metered): Waiting<Admission | undefined> {
    const taken = yield* wait(keys.take(`search:${key}`, searches.policy, clock.now()));
    if (taken.allowed) return undefined;
    return {
      headers: headersOf(searches, taken),
      refusal: rateExceeded('searches of this key', searches.policy, taken),
    };
  }

  function* admitSearch({ credentialId, tier }: Principal): Waiting<Admission> {
    return (yield* search(credentialId, meters[tier].searches)) ?? { headers: {} };
  }

  function* admit(
    request: Parameters<typeof isSearch>[0],
    { credentialId, tier }: Principal,
    id: string,
  ): Waiting<Admission> {
    const { requests, searches, concurrent } = meters[tier];
    const taken = yield* wait(keys.take(credentialId, requests.policy, clock.now()));
    const headers = headersOf(requests, taken);
    if (!taken.allowed) return { headers, refusal: rateExceeded('requests of this key', requests.policy, taken) };
    const refused = isSearch(request) ? yield* search(credentialId, searches) : undefined;
    return refused ?? (yield* takeSlot(credentialId, concurrent, id, headers));
  }

  function* admitAddress(from: string): Waiting<Admission> {
    const taken = yield* wait(addresses.take(networkOf(from), address, clock.now()));
    return {
      headers: headersOf(byAddress, taken),
      ...(!taken.allowed && {
        refusal: rateExceeded('requests without a valid key from this address', address, taken),
      }),
    };
  }

  return {
    admitSearch: (principal) => finish(admitSearch(principal)),
    admit: (request, principal, id) => finish(admit(request, principal, id)),
    admitAddress: (from) => finish(admitAddress(from)),
    admitProbe(from) {
      const taken = probes.take(networkOf(from), probe, clock.now());
      return {
        headers: headersOf(byProbe, taken),
        ...(!taken.allowed && { refusal: rateExceeded('probes from this address', probe, taken) }),
      };
    },
    uncounted: () => untouched(byAddress, clock.now()),
  };
}

const metersOf = ({ requests, searches, concurrent }: KeyLimits): Meters => ({
  requests: metered(requests),
  searches: metered(searches),
  concurrent,
});

/** Matches as the router does: with or without a trailing slash. */
const isSearch = ({ method, url = '' }: { method?: string; url?: string }): boolean =>
  method === 'POST' && /^\/v1\/(?:memories\/search|context)\/?(?:$|[?#])/.test(url);

function ignoreFailure(done: unknown): void {
  if (done instanceof Promise) done.catch(() => undefined);
}

/*
 * Applies the limiter's decision to a response.
 *
 * Invariant: an admitted request is released exactly once, when its response is over for any reason: it was answered,
 * the client aborted, or the client disconnected during admission.
 */

export function showHeaders(res: GatewayResponse, headers: Admission['headers']): void {
  for (const name in headers) res.show(name, headers[name] ?? '');
}

/** Returns the refusal, if any, instead of throwing it, because refusing must be cheap. */
export function applyAdmission(
  req: GatewayRequest,
  res: GatewayResponse,
  { headers, refusal, release }: Admission,
): Admission['refusal'] {
  showHeaders(res, headers);
  if (release !== undefined) {
    if (res.destroyed || req.socket.destroyed) release();
    else res.on('close', release);
  }
  return refusal;
}
