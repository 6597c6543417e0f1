/**
 * Assigns each shard to the live worker with the highest hash of (worker, shard) that has room (rendezvous hashing with
 * bounded load).
 *
 *  Rendezvous.R1 Processes that see the same workers get the same result, in whatever order they see them.
 *  Rendezvous.R2 Balanced: no worker gets more than 256 / n shards, rounded up. Plain rendezvous hashing over so few
 *     shards would give one of four workers 80 and another 50.
 *  Rendezvous.R3 Few moves: a worker that joins or leaves moves its own share, and a few percent of the shards between
 *     the others.
 */
import { hash32, shardCount } from '../store/shards.js';

/** The worker that should hold each shard; null for all if there is no worker. */
export function assignShards(workers: readonly string[]): readonly (string | null)[] {
  const placed = new Array<string | null>(shardCount).fill(null);
  const room = new Map<string, number>();
  if (workers.length === 0) return placed;
  for (const worker of workers) room.set(worker, Math.ceil(shardCount / workers.length));
  for (const { shard, worker } of byScore(workers)) {
    const left = room.get(worker) ?? 0;
    if (placed[shard] !== null || left === 0) continue;
    placed[shard] = worker;
    room.set(worker, left - 1);
  }
  return placed;
}

/** All pairs, the best first: when a worker is full, the shards that it turns away are those with its lowest scores. */
function byScore(workers: readonly string[]): { shard: number; worker: string; score: number }[] {
  const pairs = workers.flatMap((worker) =>
    Array.from({ length: shardCount }, (_, shard) => ({ shard, worker, score: hash32(`${worker}/${shard}`) })),
  );
  return pairs.sort((a, b) => b.score - a.score || a.shard - b.shard || (a.worker < b.worker ? -1 : 1));
}
