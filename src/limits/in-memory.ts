/**
 * The limits of one process, in memory: exact, because each call runs within one turn of the event loop, and
 * synchronous.
 *
 * Invariants (in addition to Limits.L1-L6 of port.ts)
 *  - At most `maxBuckets` buckets are kept. The one that was not used for longest makes room for a new one.
 *  - The number of slots is that of the ids that hold one; a key without any is forgotten.
 *  - There are no timers, and no work outside of calls.
 * When the process ends, everything is forgotten: all keys start with a full bucket and no slot in use.
 */
import { fullBucket, takeFrom, type Bucket } from './bucket.js';
import type { Limits, Policy, Taken } from './port.js';

export interface InMemoryOptions {
  /** How long a slot lasts without being renewed, ms. */
  holdMs: number;
  tuning?: Partial<InMemoryTuning>;
}

/** Values that only tests change. */
export interface InMemoryTuning {
  /** The number of buckets that are kept, about 250 bytes each. */
  maxBuckets: number;
}
const usualTuning: InMemoryTuning = { maxBuckets: 50_000 };

interface Entry {
  bucket: Bucket;
  movedAt: number;
}

/** The precision of the order by use, ms, so that a busy key need not be moved for each request. */
const orderMs = 1000;

export interface InMemoryLimits extends Limits {
  take(key: string, policy: Policy, now: number): Taken;
  enter(key: string, max: number, id: string, now: number): boolean;
  leave(key: string, id: string): void;
  /** The number of entries currently kept. */
  readonly size: { buckets: number; slots: number };
}

export function createInMemoryLimits({ holdMs, tuning }: InMemoryOptions): InMemoryLimits {
  const { maxBuckets } = { ...usualTuning, ...tuning };
  const entries = new Map<string, Entry>();
  const keys = new Map<string, ConcurrencySlots>();

  function entryOf(key: string, policy: Policy, now: number): Entry {
    const found = entries.get(key);
    if (found === undefined) {
      const [oldest] = entries.keys();
      if (entries.size >= maxBuckets && oldest !== undefined) entries.delete(oldest);
      const made: Entry = { bucket: fullBucket(policy, now), movedAt: now };
      entries.set(key, made);
      return made;
    }
    if (Math.abs(now - found.movedAt) >= orderMs) {
      found.movedAt = now;
      entries.delete(key);
      entries.set(key, found);
    }
    return found;
  }

  return {
    take: (key, policy, now) => takeFrom(entryOf(key, policy, now).bucket, policy, now),
    enter(key, max, id, now) {
      const held = keys.get(key);
      if (held !== undefined) return held.enter(max, id, now);
      const slots = new ConcurrencySlots(holdMs);
      const entered = slots.enter(max, id, now);
      if (entered) keys.set(key, slots);
      return entered;
    },
    leave(key, id) {
      const held = keys.get(key);
      if (held === undefined) return;
      held.leave(id);
      if (held.empty) keys.delete(key);
    },
    get size() {
      return { buckets: entries.size, slots: keys.size };
    },
  };
}

/**
 * The concurrency slots of one key (docs/api.md 8.1, "Concurrent").
 *
 *  1. An id holds at most one slot; entering again renews it and never fails.
 *  2. Expired slots are released when a slot is requested, the oldest first: a Map keeps insertion order, and renewing
 *     moves an entry to the end, so only the first entry needs checking.
 *  3. If the clock goes back by more than `holdMs`, every slot counts as entered now, so that it still expires.
 */
class ConcurrencySlots {
  private readonly until = new Map<string, number>();
  private latest = -Infinity;

  constructor(private readonly holdMs: number) {}

  get empty(): boolean {
    return this.until.size === 0;
  }

  enter(max: number, id: string, now: number): boolean {
    const until = this.until;
    if (now < this.latest - this.holdMs) for (const held of until.keys()) until.set(held, now + this.holdMs);
    this.latest = now;
    if (!until.delete(id) && until.size >= max) {
      this.release(now);
      if (until.size >= max) return false;
    }
    until.set(id, now + this.holdMs);
    return true;
  }

  leave(id: string): void {
    this.until.delete(id);
  }

  private release(now: number): void {
    for (const [id, until] of this.until) {
      if (until > now) return;
      this.until.delete(id);
    }
  }
}
