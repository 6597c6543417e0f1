/**
 * Assigns each shard to the live worker with the highest hash of (worker, shard) that has room (rendezvous hashing with
 * bounded load).
 *
 *  - Processes that see the same workers get the same result, in whatever order they see them.
 *  - Balanced: no worker gets more than 256 / n shards, rounded up. Plain rendezvous hashing over so few shards would
 *    give one of four workers 80 and another 50.
 *  - Few moves: a worker that joins or leaves moves its own share, and a few percent of the shards between the others.
 */
import { hashes32, shardCount } from '../store/shards.js';

/**
 * The worker that should hold each shard; null for all if there is no worker.
 *
 * Each shard asks its workers, the one with the highest score first, and a worker that is full keeps those with the
 * highest scores. Whoever asks first, the result is that of dealing out all pairs in the order of their scores, which
 * would have to sort them: a quarter of a million for 1,000 workers.
 */
export function assignShards(workers: readonly string[]): readonly (string | null)[] {
  const placed = new Array<string | null>(shardCount).fill(null);
  const names = [...workers].sort(); // of equal scores, the first name's is the higher one
  const room = Math.ceil(shardCount / names.length);
  const scores = names.map((name) => hashes32(`${name}/`, shardCount));
  const score = (worker: number, shard: number): number => scores[worker]?.[shard] ?? 0;
  const held = names.map((): number[] => []);
  /** Whom each shard has asked last. */
  const asked = new Array<number>(shardCount).fill(-1);
  const next = (shard: number): number => {
    const last = asked[shard] ?? -1;
    const limit = last < 0 ? Infinity : score(last, shard);
    let best = -1;
    for (let worker = 0; worker < names.length; worker++) {
      const own = score(worker, shard);
      const isLeft = own < limit || (own === limit && worker > last);
      if (isLeft && (best < 0 || own > score(best, shard))) best = worker;
    }
    return best;
  };
  const asking = names.length === 0 ? [] : Array.from({ length: shardCount }, (_, shard) => shard);
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
