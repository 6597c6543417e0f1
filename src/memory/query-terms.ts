/**
 * What a query asks for, and what each of its terms weighs in a context.
 *
 * The weight of a term is BM25's ln(1 + (N - df + .5) / (df + .5)), where N counts `background` documents that say
 * nothing of it besides those of the context: with a handful of memories, frequencies alone would call every word that
 * is known common. A word that no document has weighs as one that a single document has.
 *
 * Bounds: a query is its first 8192 characters (a message may be 32 times that), and in a context its 32 rarest known terms.
 */
import { tokenize } from './tokenizer.js';
import type { Postings } from './postings.js';

const queryCharacters = 8192;
export const queryTerms = 32;
export const background = 50;
const sessionBackground = 5;
/** An ordinary document has room for so many of a query's terms; one that has them all is the best possible match. */
const roomForTerms = 8;

/** The different terms of a query, in order. */
export function parseQuery(text: string): string[] {
  const terms = new Set<string>();
  tokenize(text.slice(0, queryCharacters), (term) => terms.add(term));
  return [...terms];
}

export interface WeightedTerm {
  term: number;
  frequency: number;
  weight: number;
}

export interface WeighedQuery {
  /** Rarest first. */
  terms: WeightedTerm[];
  /** What a document of average length scores that says each of the query's 8 heaviest terms once: the scale of scores. */
  ideal: number;
}

export function weigh(query: readonly string[], postings: Postings, documents: number): WeighedQuery {
  const terms: WeightedTerm[] = [];
  for (const name of query) {
    const term = postings.find(name);
    if (term === undefined) continue;
    const frequency = postings.frequency(term);
    terms.push({ term, frequency, weight: termWeight(frequency, documents) });
  }
  const unknown = Math.min(roomForTerms, query.length - terms.length);
  terms.sort((a, b) => a.frequency - b.frequency);
  let ideal = unknown * termWeight(1, documents);
  for (let i = 0; i < Math.min(terms.length, roomForTerms - unknown); i++) ideal += terms[i]?.weight ?? 0;
  if (terms.length > queryTerms) terms.length = queryTerms;
  return { terms, ideal };
}

/** The same over sessions, of which `sessions` are in the context. A few say little, so the background is smaller. */
export const sessionWeight = (frequency: number, sessions: number): number =>
  Math.log(1 + (sessions + sessionBackground - frequency + 0.5) / (frequency + 0.5));

export const termWeight = (frequency: number, documents: number): number =>
  Math.log(1 + (documents + background - frequency + 0.5) / (frequency + 0.5));
