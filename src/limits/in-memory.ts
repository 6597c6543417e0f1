/**
 * The limits of one process, in its memory: exact, because a call is one turn of the event loop, and answered at once.
 *
 * Invariants (beside Limits.L1-L6 of port.ts)
 *  MemoryLimits.M1 At most `maxBuckets` buckets are kept. For a new one, full buckets go first, as they say nothing
 *     that a new one would not; then the fuller of those that were not used for longest. Each call looks at a bounded
 *     number.
 *  MemoryLimits.M2 Of places there are as many as ids that hold one; a key without any is forgotten.
 *  MemoryLimits.M3 No timers, and no work but that of the call.
 * When the process ends, everything is forgotten: all keys begin with a full bucket and no place held.
 */
import { fullBucket, isFull, takeFrom, type Bucket } from './bucket.js';
import { ConcurrencySlots } from './places.js';
import type { Limits, Policy, Taken } from './port.js';

export interface InMemoryOptions {
  /** A bucket takes about 250 bytes. Default 50,000. */
  maxBuckets?: number;
  /** How long a place lasts without being entered again, ms. */
  holdMs: number;
}

interface Entry {
  bucket: Bucket;
  policy: Policy;
  movedAt: number;
}

/** So many buckets, from the one not used for longest, are looked at to find room for one. */
const looksPerInsert = 8;
/** Order by use is kept to this precision, ms, so that a busy key need not be moved for each request. */
const orderMs = 1000;

export interface InMemoryLimits extends Limits {
  take(key: string, policy: Policy, now: number): Taken;
  enter(key: string, max: number, id: string, now: number): boolean;
  leave(key: string, id: string): void;
  /** How much is kept now. */
  readonly size: { buckets: number; places: number };
}

export function createInMemoryLimits({ maxBuckets = 50_000, holdMs }: InMemoryOptions): InMemoryLimits {
  const entries = new Map<string, Entry>();
  const keys = new Map<string, ConcurrencySlots>();

  function entryOf(key: string, policy: Policy, now: number): Entry {
    const found = entries.get(key);
    if (found === undefined) {
      if (entries.size >= maxBuckets) makeRoom(entries, now);
      const made: Entry = { bucket: fullBucket(policy, now), policy, movedAt: now };
      entries.set(key, made);
      return made;
    }
    found.policy = policy;
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
      const places = new ConcurrencySlots(holdMs);
      const entered = places.enter(max, id, now);
      if (entered) keys.set(key, places);
      return entered;
    },
    leave(key, id) {
      const held = keys.get(key);
      if (held === undefined) return;
      held.leave(id);
      if (held.empty) keys.delete(key);
    },
    get size() {
      return { buckets: entries.size, places: keys.size };
    },
  };
}

/** Drops the full ones among those not used for longest, or else the fullest of these (MemoryLimits.M1). */
function makeRoom(entries: Map<string, Entry>, now: number): void {
  let fullest: string | null = null;
  let most = -1;
  let looked = 0;
  for (const [key, { bucket, policy }] of entries) {
    if (isFull(bucket, policy, now)) {
      entries.delete(key);
      most = Infinity;
    }
    const held = (bucket.sustained + bucket.spare) / policy.burst;
    if (held > most) {
      fullest = key;
      most = held;
    }
    if (++looked === looksPerInsert) break;
  }
  if (most < Infinity && fullest !== null) entries.delete(fullest);
}
