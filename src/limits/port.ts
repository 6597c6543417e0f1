/**
 * The limits port: what a key may still do, counted where every process that serves it can count. Adapters:
 * `in-memory.ts` (one process) and `redis/limits.ts` (many). Both pass test/contract/limits.
 *
 * Every adapter guarantees:
 *  Limits.L1 A spike of up to `burst` requests passes; between any two requests that passed, t ms apart, at most burst
 *     + limit * t / 60,000 pass. No request is refused that this bound would allow.
 *  Limits.L2 A refusal takes nothing: a client that hammers gets as much as one that waits.
 *  Limits.L3 At most `max` ids have a slot under a key at any time. A slot is free again when it is left, or `holdMs`
 *     after its id last entered, so the slots of a crashed process are recovered.
 *  Limits.L4 Keys are independent of each other, and buckets of slots.
 *  Limits.L5 Calls take effect one after another in some order, from any number of processes.
 *  Limits.L6 The caller supplies the time (ms since the epoch). If it goes back, nothing is granted twice, and nobody
 *     waits longer for a request than one window (for a slot: than `holdMs`) more than otherwise.
 * An adapter that cannot answer rejects with HivekeepError UNAVAILABLE.
 */
import type { MaybePromise } from '../maybe-promise.js';

/** The window in which limits are stated (docs/api.md 8.1): a minute. */
export const windowMs = 60_000;

export interface Policy {
  /** The sustained rate, in requests a minute; at least 1. */
  readonly limit: number;
  /** The number of requests that may come at once after a rest; at least `limit`. */
  readonly burst: number;
}

/** The state of a key after a request (docs/api.md 8.3). */
export interface Taken {
  allowed: boolean;
  limit: number;
  /** How much of the sustained limit remains: `limit` at first, and 0 while the burst is being used. */
  remaining: number;
  /**
   * When `remaining` is back at `limit`, in Unix seconds, rounded up, but never more than a window after the current
   * second.
   */
  resetAt: number;
  /** Seconds until a request passes, at least 1; 0 if this one did. */
  retryAfter: number;
}

export interface Limits {
  /**
   * Takes one request from `key`, if it is allowed. A key whose policy changes keeps its contents, up to the new
   * limits.
   */
  take(key: string, policy: Policy, now: number): MaybePromise<Taken>;
  /**
   * Enters `id` into one of the `max` slots of `key`; false if all are in use. An id that has a slot renews it for
   * another `holdMs`.
   */
  enter(key: string, max: number, id: string, now: number): MaybePromise<boolean>;
  /** Releases the slot, if there is one. */
  leave(key: string, id: string): MaybePromise<void>;
}
