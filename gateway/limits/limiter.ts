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
import type { Clock } from '../../src/domain/clock.js';
import type { Principal } from '../../src/service.js';
import { createInMemoryLimits } from '../../src/limits/in-memory.js';
import type { Limits, Policy } from '../../src/limits/port.js';
import { policyOf, type KeyLimits, type TierLimits } from '../../src/limits/tiers.js';
import { finish, wait, type Waiting } from '../../src/maybe-promise.js';
import type { Admission, Limiter } from './port.js';
import { networkOf } from './address.js';
import {
  concurrencyExceeded,
  headersOf,
  metered,
  rateExceeded,
  untouched,
  type Metered,
  type RateHeaders,
} from './headers.js';

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
