/**
 * The 256 shards into which entities are divided; a shard is the unit of placement on workers.
 *
 * The hash is part of the stored data (heads carry their shard) and of what processes of different versions agree on,
 * so it must never change: FNV-1a over UTF-16 code units, followed by MurmurHash3's finaliser, because the lower bits
 * of FNV-1a alone distribute ids unevenly that differ only in their last characters.
 */
import type { EntityRef } from './port.js';

export const shardCount = 256;
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** 0 to 255. A run belongs to its agent's shard; hives and workspace desks are entities like any other. */
export function shardOf({ workspace, kind, id }: EntityRef): number {
  return mixed(hashed(id, hashed(kind, hashed(workspace, 0x811c9dc5)))) & (shardCount - 1);
}

/** A 32-bit hash in which every bit depends on every character. */
export const hash32 = (text: string, seed = 0): number => mixed(hashed(text, 0x811c9dc5 ^ seed));

/** hash32 of `text` followed by each number below `n`. */
export function hashes32(text: string, n: number): Uint32Array {
  const start = begun(text, 0x811c9dc5);
  return Uint32Array.from({ length: n }, (_, i) => mixed(hashed(String(i), start)));
}

const hashed = (text: string, start: number): number => Math.imul(begun(text, start) ^ 0x2f, 0x01000193);
function begun(text: string, start: number): number {
  let h = start;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}

function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
