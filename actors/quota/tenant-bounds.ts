/**
 * What a workspace may hold and do by its tier, beside its monthly quota: the bytes that it stores, and the messages that
 * its agents send one another a minute.
 *
 *  TB1 What was found is used again for `freshMs`, so a check costs nothing on the way of a request. What was admitted
 *      since, and in the period before, which may not be committed yet, is added to it. So a workspace goes past its
 *      storage by what runs keep of the steps in progress, and by the runs that its unread messages still wake: they
 *      fail, but each is kept with its input.
 *  TB2 A message over the rate is late, never lost: it waits in the outbox of its sender.
 * A store that fails rejects the check; whoever is next asks anew.
 */
import type { Clock } from '../../src/domain/clock.js';
import type { Tier } from '../../src/domain/vocabulary.js';
import { type StorageExceeded, storageLimit } from '../../src/domain/storage.js';
import type { Limits, Policy } from '../../src/limits/port.js';
import { mailboxPolicy } from '../../src/limits/tiers.js';
import type { Store } from '../../src/store/port.js';
import { tierOf } from './local-quota.js';
import { type MaybePromise, thenSync } from '../../src/maybe-promise.js';

const freshMs = 100;
const mostKept = 10_000;

/** How long a period counts that nobody has followed up with a look. */
const admittedMs = 2_000;

interface Found {
  readonly tier: Tier | null;
  /** Null is unlimited. */
  readonly limit: number | null;
  readonly used: number;
  readonly until: number;
  /** Bytes that were admitted in the period before and since. */
  readonly before: number;
  admitted: number;
}

export interface TenantBoundsParts {
  store: Pick<Store, 'head' | 'storage'>;
  clock: Clock;
  limits: Limits;
}

export class TenantBounds {
  private readonly found = new Map<string, Found>();
  private readonly looking = new Map<string, Promise<Found>>();

  constructor(private readonly parts: TenantBoundsParts) {}

  /** Null while there is room for what `adding` says more, which is then taken as stored; or while there is no limit. */
  storageExceeded(workspace: string, adding?: () => number): MaybePromise<StorageExceeded | null> {
    return thenSync(this.of(workspace), (found) => {
      const { limit, used, before } = found;
      if (limit === null) return null;
      const taken = used + before + found.admitted;
      const more = taken >= limit ? 0 : (adding?.() ?? 0);
      if (taken >= limit || taken + more > limit) return { limit, used };
      found.admitted += more;
      return null;
    });
  }

  /** Counts a message between agents; the ms after which to try again where it is too many. */
  mailboxDelay(workspace: string): MaybePromise<number> {
    return thenSync(this.of(workspace), ({ tier }) => {
      const policy: Policy | null = tier === null ? null : mailboxPolicy(tier);
      if (policy === null) return 0;
      return thenSync(this.parts.limits.take(`mailbox:${workspace}`, policy, this.parts.clock.now()), (taken) =>
        taken.allowed ? 0 : Math.max(1, taken.retryAfter) * 1000,
      );
    });
  }

  private of(workspace: string): MaybePromise<Found> {
    const known = this.found.get(workspace);
    if (known && this.parts.clock.now() < known.until) return known;
    const asked = this.looking.get(workspace);
    if (asked) return asked;
    const look = this.look(workspace);
    if (!(look instanceof Promise)) return look;
    const done = look.finally(() => this.looking.delete(workspace));
    this.looking.set(workspace, done);
    return done;
  }

  private look(workspace: string): MaybePromise<Found> {
    const { store } = this.parts;
    return thenSync(tierOf(store, workspace), (tier) => {
      const limit = tier === null ? null : storageLimit(tier);
      if (limit === null) return this.keep(workspace, tier, null, 0);
      return store.storage(workspace).then((used) => this.keep(workspace, tier, limit, used));
    });
  }

  private keep(workspace: string, tier: Tier | null, limit: number | null, used: number): Found {
    if (this.found.size >= mostKept) this.found.clear();
    const now = this.parts.clock.now();
    const last = this.found.get(workspace);
    const before = last !== undefined && now - last.until < admittedMs ? last.admitted : 0;
    const found = { tier, limit, used, until: now + freshMs, before, admitted: 0 };
    this.found.set(workspace, found);
    return found;
  }
}
