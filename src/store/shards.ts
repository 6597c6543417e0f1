/**
 * The shards into which the entities of a store are divided; a shard is the unit of placement on workers. How many
 * there are is fixed when a store is made.
 *
 * The hash is part of the stored data (heads carry their shard) and of what processes of different versions agree on,
 * so it must never change: FNV-1a over UTF-16 code units, followed by MurmurHash3's finaliser, because the lower bits
 * of FNV-1a alone distribute ids unevenly that differ only in their last characters.
 */
import type { Shards } from './port.js';

/** How many shards a store may have: powers of two. */
export const shardCounts = [256, 512, 1024, 2048, 4096] as const;
export type ShardCount = (typeof shardCounts)[number];
export const mostShards = Math.max(...shardCounts);

export const shardsOf = (count: ShardCount): Shards => ({
  count,
  all: Array.from({ length: count }, (_, shard) => shard),
  of: ({ workspace, kind, id }) => mixed(hashed(id, hashed(kind, hashed(workspace, 0x811c9dc5)))) & (count - 1),
});

/** Those of a store that does not say how many it has. */
export const fewestShards = shardsOf(256);

/** A 32-bit hash in which every bit depends on every character. */
export const hash32 = (text: string, seed = 0): number => mixed(hashed(text, 0x811c9dc5 ^ seed));

const hashed = (text: string, start: number): number => Math.imul(begun(text, start) ^ 0x2f, 0x01000193);
function begun(text: string, start: number): number {
  let h = start;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}

/** Another 32-bit number, in which every bit depends on every bit of `hash`. */
export function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
