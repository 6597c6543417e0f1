/**
 * The vector of a memory, by which recall finds it by meaning. It is derived from the content: kept with the memory and
 * deleted with it, never shown, and made anew for another content or model.
 *
 *  - A vector is kept only with the content that it was made of.
 */
import type { Draft } from '../shared/draft.js';
import { shortHash } from './identities.js';
import type { StoredMemory, StoredVector } from './stored-memory.js';

export type MadeVector = StoredVector & { id: string };

export const contentHash = (content: string): string => shortHash(content);

/** Each number as a share of the largest, in 127ths: the direction is what counts. */
export function quantized(vector: readonly number[]): Int8Array {
  const most = vector.reduce((max, x) => Math.max(max, Math.abs(x)), 0) || 1;
  return Int8Array.from(vector, (x) => Math.round((x / most) * 127));
}
export const packed = (vector: readonly number[]): string => Buffer.from(quantized(vector).buffer).toString('base64');

/** Null if the memory has no vector of this model for its present content. */
export function vectorOf({ vector, content }: StoredMemory, model: string): Int8Array | null {
  if (vector?.model !== model || vector.of !== contentHash(content)) return null;
  return new Int8Array(Buffer.from(vector.data, 'base64'));
}

/** The model that made the vector of the present content; null if there is no such vector. */
export const modelOfVector = ({ vector, content }: StoredMemory): string | null =>
  vector?.of === contentHash(content) ? vector.model : null;

/** Nothing that clients see changes, so nothing is announced. */
export function keepVectors(
  d: Draft,
  { memories, made }: { memories: readonly StoredMemory[]; made: readonly MadeVector[] },
): boolean {
  for (const { id, ...vector } of made) {
    const memory = memories.find((m) => m.id === id);
    if (!memory || vector.of !== contentHash(memory.content)) continue;
    const after: StoredMemory = { ...memory, vector };
    d.put('memory', id, after, false, memory);
    d.index('memory', after);
  }
  return d.puts.length > 0;
}
