/**
 * What memories are listed and searched by, beside their words: who said them, which run wrote them, and what their
 * metadata has. A pair of a key and a value is one text, by which the store and recall have an index.
 */
import { foldCase } from '../shared/text-forms.js';
import type { Metadata } from '../shared/vocabulary.js';

/** Normalises a name to the form in which names are compared. */
export const nameKey = (name: string): string => foldCase(name).trim().replace(/\s+/g, ' ');

/** The form by which stores have listed names, and still do beside `nameKey`, so that what they had is found. */
const listedName = (name: string): string => name.trim().toLowerCase().replace(/\s+/g, ' ');

/** What a memory of this speaker is listed by. */
export function speakerKeys(name: string): readonly string[] {
  const [key, listed] = [nameKey(name), listedName(name)];
  return key === listed ? [key] : [key, listed];
}

/** Whether all memories of this speaker, whenever they were stored, are listed by its `nameKey`. */
export const isListedByKey = (name: string): boolean => nameKey(name) === listedName(name);

/** The most pairs that are indexed of one memory; each is an entry in every write that has it. */
export const mostPairs = 32;
/** Longer values are not indexed, because nobody filters by them. */
export const longestPair = 200;

/** Null for what is not indexed: a value that is an object or a list, or long. */
export function pairOf(key: string, value: unknown): string | null {
  if (typeof value === 'object' && value !== null) return null;
  const pair = JSON.stringify([key, value]);
  return pair.length <= longestPair ? pair : null;
}

/** Beside the pairs of a memory's metadata, none of which has this form. */
export const runPair = (run: string): string => JSON.stringify({ run });

const none: readonly string[] = [];

/** The pairs of this metadata that are indexed. */
export function pairsOf(metadata: Metadata | null | undefined): readonly string[] {
  let pairs: string[] | undefined;
  for (const key in metadata) {
    const pair = pairOf(key, metadata[key]);
    if (pair === null) continue;
    (pairs ??= []).push(pair);
    if (pairs.length === mostPairs) break;
  }
  return pairs ?? none;
}
