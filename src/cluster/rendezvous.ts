/**
 * Assigns each shard to the live worker with the highest hash of (worker, shard) that has room (rendezvous hashing with
 * bounded load).
 *
 *  - Processes that see the same workers get the same result, in whatever order they see them.
 *  - Balanced: no worker gets more than its nth of the shards, rounded up. Plain rendezvous hashing over so few shards
 *    would give one of four workers 80 and another 50.
 *  - Few moves: a worker that joins or leaves moves its own share, and a few percent of the shards between the others.
 */
import { hash32, mixed } from '../store/shards.js';

/**
 * The worker that should hold each of `count` shards; null for all if there is no worker.
 *
 * Each shard asks its workers, the one with the highest score first, and a worker that is full keeps those with the
 * highest scores. Whoever asks first, the result is that of dealing out all pairs in the order of their scores, which
 * would have to sort them: a million for 1,000 workers and as many shards. No score is kept: to make it anew is quicker
 * than to read it from so large a table.
 */
export function assignShards(workers: readonly string[], count: number): readonly (string | null)[] {
  const placed = new Array<string | null>(count).fill(null);
  const names = [...workers].sort(); // of equal scores, the first name's is the higher one
  const room = Math.ceil(count / names.length);
  const seeds = Uint32Array.from(names, (name) => hash32(name));
  const keys = Uint32Array.from(placed, (_, shard) => mixed(shard + 1));
  const score = (worker: number, shard: number): number => mixed((seeds[worker] ?? 0) ^ (keys[shard] ?? 0));
  const held = names.map((): number[] => []);
  /** Whom each shard has asked last. */
  const asked = new Int32Array(count).fill(-1);
  const next = (shard: number): number => {
    const last = asked[shard] ?? -1;
    const limit = last < 0 ? Infinity : score(last, shard);
    let best = -1;
    let highest = -1;
    for (let worker = 0; worker < names.length; worker++) {
      const own = score(worker, shard);
      if (own <= highest || own > limit || (own === limit && worker <= last)) continue;
      best = worker;
      highest = own;
    }
    return best;
  };
  const asking = names.length === 0 ? [] : Array.from({ length: count }, (_, shard) => shard);
  for (let shard = asking.pop(); shard !== undefined; shard = asking.pop()) {
    const worker = next(shard);
    asked[shard] = worker;
    const its = held[worker];
    if (!its) continue; // never: there is room for all
    its.push(shard);
    if (its.length <= room) continue;
    its.sort((a, b) => score(worker, b) - score(worker, a) || a - b);
    asking.push(its.pop() ?? shard);
  }
  for (const [worker, its] of held.entries()) for (const shard of its) placed[shard] = names[worker] ?? null;
  return placed;
}
