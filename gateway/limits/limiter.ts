/**
 * Who may do how much: the limits of docs/api.md 8 over the limits port.
 *
 * Which limit a request counts against
 *  - With a valid key or agent token: the credential's own, as its workspace's tier says; a svc_test_ key's is the
 *    sandbox's, whatever the tier. POST /v1/memories/search counts against the key's searches besides.
 *  - Without one (401), and where none is needed (documentation, unknown paths outside the API, refusals before a
 *    credential is read): that of the client's address. Nobody's key pays for it.
 *  - Probes (/livez, /readyz, /metrics): a bucket of the client's address for probes alone, far above any need, so that
 *    neither a flood of probes costs much nor a flood of anything else makes an orchestrator think the process dead. It
 *    is kept in this process: whether a process lives must not depend on another server.
 *
 * Invariants
 *  1. The headers are those of the limit that the request counted against; of the searches only where these refuse it.
 *     A search that is refused has been a request.
 *  2. A valid key passes whatever its address has used up: who guesses keys behind the same NAT locks out nobody. So a
 *     credential is always looked up, and over the limit a wrong one is told 429 in place of 401.
 *  3. A request holds a place from its admission until its response is over, a stream until it ends. Places are renewed
 *     while they are held, with one timer for all, so that what a crashed process held comes back soon.
 *  4. With limits that answer at once, admission is synchronous.
 * When the limits cannot be asked, admission fails with their error (503): to let requests pass uncounted would make an
 * outage the way around every limit. A place whose answer was lost is given back, in case it was given. A renewal or a
 * leave that fails is no one's failure: the place is renewed at the next turn, or ends by itself.
 */
import type { Clock } from '../../src/domain/clock.js';
import { createInMemoryLimits } from '../../src/limits/in-memory.js';
import type { Limits, Policy, Taken } from '../../src/limits/port.js';
import { policyOf, type KeyLimits, type TierLimits } from '../../src/limits/tiers.js';
import { type MaybePromise, thenSync } from '../../src/maybe-promise.js';
import type { Admission, Limiter } from './port.js';
import { DeadlineQueue } from '../streams/deadline-queue.js';
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
  /** Counts for keys and tokens. */
  keys: Limits;
  /** Counts for addresses: apart, so that strangers, however many, make nobody's bucket be forgotten. */
  addresses: Limits;
  tiers: TierLimits;
  /** Requests without a valid key, for each address. */
  address: Policy;
  /** Probes, for each address. Default 60,000 a minute. */
  probe?: Policy;
  clock: Clock;
  /** How long a place of `keys` lasts without being renewed, ms. */
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
  const held = new DeadlineQueue<Held>(clock, holdMs / 3, (place) => {
    held.add(place);
    ignoreFailure(keys.enter(place.key, place.max, place.id, clock.now()));
  });

  function place(key: string, max: number, id: string, headers: RateHeaders): MaybePromise<Admission> {
    const entering = keys.enter(key, max, id, clock.now());
    if (entering instanceof Promise)
      entering.catch(() => {
        ignoreFailure(keys.leave(key, id));
      });
    return thenSync(entering, (entered) => {
      if (!entered) return { headers, refusal: concurrencyExceeded(max) };
      const mine: Held = { key, max, id };
      held.add(mine);
      return {
        headers,
        release: () => {
          if (held.delete(mine)) ignoreFailure(keys.leave(key, id));
        },
      };
    });
  }

  return {
    admit(request, principal, id) {
      const { key } = principal;
      const { requests, searches, concurrent } = meters[principal.tier];
      return thenSync(keys.take(key, requests.policy, clock.now()), (taken) => {
        const headers = headersOf(requests, taken);
        if (!taken.allowed) return { headers, refusal: rateExceeded('requests of this key', requests.policy, taken) };
        if (!isSearch(request)) return place(key, concurrent, id, headers);
        return thenSync(keys.take(`search:${key}`, searches.policy, clock.now()), (search) =>
          search.allowed
            ? place(key, concurrent, id, headers)
            : {
                headers: headersOf(searches, search),
                refusal: rateExceeded('searches of this key', searches.policy, search),
              },
        );
      });
    },
    admitAddress: (from) =>
      thenSync(addresses.take(networkOf(from), address, clock.now()), (taken: Taken): Admission => ({
        headers: headersOf(byAddress, taken),
        ...(!taken.allowed && {
          refusal: rateExceeded('requests without a valid key from this address', address, taken),
        }),
      })),
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

interface Held {
  key: string;
  max: number;
  id: string;
}

const metersOf = ({ requests, searches, concurrent }: KeyLimits): Meters => ({
  requests: metered(requests),
  searches: metered(searches),
  concurrent,
});

/** As the router reads it: with or without a slash at its end. */
function isSearch({ method, url }: { method?: string; url?: string }): boolean {
  return (
    method === 'POST' &&
    url !== undefined &&
    url.startsWith('/v1/memories/search') &&
    /^\/?(?:$|[?#])/.test(url.slice('/v1/memories/search'.length))
  );
}

function ignoreFailure(done: unknown): void {
  if (done instanceof Promise) done.catch(() => undefined);
}
