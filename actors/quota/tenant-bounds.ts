/**
 * What a workspace may hold and do by its tier, beside its monthly quota: the bytes that it stores, and the messages that
 * its agents send one another a minute.
 *
 *  TB1 What was found is used again for `freshMs`, so a check costs nothing on the way of a request. A workspace may go
 *      past its storage by what it can write in that time, and by the runs that its unread messages still wake: they
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

interface Found {
  tier: Tier | null;
  exceeded: StorageExceeded | null;
  until: number;
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

  /** Null while there is room, or no limit. */
  storageExceeded(workspace: string): MaybePromise<StorageExceeded | null> {
    return thenSync(this.of(workspace), ({ exceeded }) => exceeded);
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
      if (limit === null) return this.keep(workspace, tier, null);
      return store.storage(workspace).then((used) => this.keep(workspace, tier, used < limit ? null : { limit, used }));
    });
  }

  private keep(workspace: string, tier: Tier | null, exceeded: StorageExceeded | null): Found {
    if (this.found.size >= mostKept) this.found.clear();
    const found = { tier, exceeded, until: this.parts.clock.now() + freshMs };
    this.found.set(workspace, found);
    return found;
  }
}
