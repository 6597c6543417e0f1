/**
 * The limits port: how much a key may still do, counted where all who serve it can count. Adapters: `in-memory.ts` (one
 * process). All pass test/contract/limits.
 *
 * What every adapter promises
 *  Limits.L1 A spike of up to `burst` requests passes; between any two requests that passed, t ms apart, at most
 *     burst + limit * t / 60,000 pass. Nothing is refused that this would have let through.
 *  Limits.L2 Refusing takes nothing: a client that hammers gets as much as one that waits.
 *  Limits.L3 At most `max` ids have a place under a key at any time; a place is free again when it is left, or `holdMs`
 *     after its id entered last, so what a crashed process held comes back.
 *  Limits.L4 Keys know nothing of each other, and buckets nothing of places.
 *  Limits.L5 Calls take effect one after the other in some order, from however many processes they come.
 *  Limits.L6 Time is the caller's (ms since the epoch). Where it goes back, nothing is given away, and nobody waits
 *     longer for a request than a window (for a place: than `holdMs`) more than otherwise.
 * An adapter that cannot answer rejects with HivekeepError UNAVAILABLE.
 */
import type { MaybePromise } from '../maybe-promise.js';

/** The window that limits are stated for (docs/api.md 8.1): a minute. */
export const windowMs = 60_000;

export interface Policy {
  /** Requests a minute that can go on for ever; at least 1. */
  readonly limit: number;
  /** Requests that may come at once after a rest; at least `limit`. */
  readonly burst: number;
}

/** How a key stands after a request (docs/api.md 8.3). */
export interface Taken {
  allowed: boolean;
  limit: number;
  /** What is left of the sustained limit: from `limit` down, and 0 while the burst is being used. */
  remaining: number;
  /** When `remaining` is `limit` again, in Unix seconds, rounded up, but never more than a window after the second that it is. */
  resetAt: number;
  /** Seconds until a request passes, at least 1; 0 when this one did. */
  retryAfter: number;
}

export interface Limits {
  /** One request of `key`, which counts where it is allowed. A key whose policy changes keeps what it holds, up to the new limits. */
  take(key: string, policy: Policy, now: number): MaybePromise<Taken>;
  /** A place for `id` among the `max` of `key`; false when all are held. Who has one and enters again keeps it for another `holdMs`. */
  enter(key: string, max: number, id: string, now: number): MaybePromise<boolean>;
  /** Gives the place back; nothing where there is none. */
  leave(key: string, id: string): MaybePromise<void>;
}
