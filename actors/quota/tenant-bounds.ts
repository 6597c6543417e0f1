/**
 * The limits of a workspace's tier apart from its monthly quota: the number of bytes that it may store, and the number
 * of messages that its agents may send one another per minute.
 *
 *  - The stored size is cached for `freshMs`, so that a check adds nothing to the latency of a request; for `staleMs`
 *    longer it is used while it is read again, unless the limit is reached. Bytes that were admitted since it was
 *    read, and in the period before, are added to it, since they may not be committed yet. A workspace can therefore
 *    exceed its storage limit by what runs store for steps in progress, and by the runs that its unread messages still
 *    start: those runs fail, but each is kept with its input. It is asked on a message's way for three things that no
 *    one question answers: whether the request fits (before anything is decided), whether a step may begin (before a
 *    model is paid; also of runs that no request has started), and whether the calls of a step fit (when their size is
 *    known). Between two reads each is a look at a map.
 *  - A message above the rate limit is delayed, never lost: it waits in its sender's outbox.
 * If the store fails, the check rejects, and the next caller reads again.
 */
import type { Tier } from '../../src/domain/shared/vocabulary.js';
import type { EntityRef, Store } from '../../src/store/port.js';
import { type MaybePromise, type Waiting, finish, wait } from '../../src/maybe-promise.js';
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { type StorageExceeded, storageLimit } from '../../src/domain/workspace/usage.js';
import type { Limits, Policy } from '../../src/limits/port.js';
import { mailboxPolicy } from '../../src/limits/tiers.js';

/* The tier of a workspace, which its desk says. */

export const deskOf = (workspace: string): EntityRef & { kind: 'workspace' } => ({
  workspace,
  kind: 'workspace',
  id: workspace,
});

/** Null if the workspace does not exist. */
export function* tierOf(store: Pick<Store, 'head'>, workspace: string): Waiting<Tier | null> {
  const head = yield* wait(store.head(deskOf(workspace)));
  return head && head.snapshot.tier;
}

const freshMs = 100;
const staleMs = 900;
const mostKept = 10_000;

/** How long after its end a period's admissions still count if there was no other read since, ms. */
const admittedMs = 2_000;

interface Found {
  readonly tier: Tier | null;
  /** Bytes; null if unlimited. */
  readonly limit: number | null;
  readonly used: number;
  readonly until: number;
  /** Bytes that were admitted in the period before this one (`before`) and in this one (`admitted`). */
  readonly before: number;
  admitted: number;
}

/** Whether the limit was reached by then. It is read again before anything is refused: a delete may have made room. */
const isFull = ({ limit, used, before, admitted }: Found): boolean =>
  limit !== null && used + before + admitted >= limit;

function exceeded(found: Found, adding?: () => number): StorageExceeded | null {
  const { limit, used, before } = found;
  if (limit === null) return null;
  const taken = used + before + found.admitted;
  const more = taken >= limit ? 0 : (adding?.() ?? 0);
  if (taken >= limit || taken + more > limit) return { limit, used };
  found.admitted += more;
  return null;
}

export interface TenantBoundsDeps {
  store: Pick<Store, 'head' | 'storage'>;
  clock: MonotonicClock;
  limits: Limits;
}

export class TenantBounds {
  private readonly found = new Map<string, Found>();
  private readonly looking = new Map<string, Promise<Found>>();

  constructor(private readonly deps: TenantBoundsDeps) {}

  /**
   * Returns null if there is no limit, or if there is room for the bytes that `adding` returns, which then count as
   * stored.
   */
  storageExceeded(workspace: string, adding?: () => number): MaybePromise<StorageExceeded | null> {
    const found = this.of(workspace);
    return found instanceof Promise ? found.then((read) => exceeded(read, adding)) : exceeded(found, adding);
  }

  /** Counts a message between agents. Returns 0, or the time in ms after which to retry if the rate is exceeded. */
  mailboxDelay(workspace: string): MaybePromise<number> {
    return finish(this.delay(workspace));
  }

  private *delay(workspace: string): Waiting<number> {
    const { tier } = yield* wait(this.of(workspace));
    const policy: Policy | null = tier === null ? null : mailboxPolicy(tier);
    if (policy === null) return 0;
    const taken = yield* wait(this.deps.limits.take(`mailbox:${workspace}`, policy, this.deps.clock.now()));
    return taken.allowed ? 0 : Math.max(1, taken.retryAfter) * 1000;
  }

  private of(workspace: string): MaybePromise<Found> {
    const known = this.found.get(workspace);
    const now = this.deps.clock.elapsed();
    if (known && now < known.until) return known;
    const next = this.looking.get(workspace) ?? this.lookOnce(workspace);
    if (!known || now >= known.until + staleMs || isFull(known) || !(next instanceof Promise)) return next;
    next.catch(() => undefined); // whoever needs it reads again
    return known;
  }

  private lookOnce(workspace: string): MaybePromise<Found> {
    const look = finish(this.look(workspace));
    if (!(look instanceof Promise)) return look;
    const done = look.finally(() => this.looking.delete(workspace));
    this.looking.set(workspace, done);
    return done;
  }

  private *look(workspace: string): Waiting<Found> {
    const { store } = this.deps;
    const tier = yield* tierOf(store, workspace);
    const limit = tier === null ? null : storageLimit(tier);
    return this.keep(workspace, tier, limit, limit === null ? 0 : yield* wait(store.storage(workspace)));
  }

  private keep(workspace: string, tier: Tier | null, limit: number | null, used: number): Found {
    if (this.found.size >= mostKept) this.found.clear();
    const now = this.deps.clock.elapsed();
    const last = this.found.get(workspace);
    const before = last !== undefined && now - last.until < admittedMs ? last.admitted : 0;
    const found = { tier, limit, used, until: now + freshMs, before, admitted: 0 };
    this.found.set(workspace, found);
    return found;
  }
}
