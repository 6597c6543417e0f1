/**
 * The terms of a query, and the weight of each in a context.
 *
 * The weight of a term is BM25's ln(1 + (N - df + .5) / (df + .5)). N is the number of documents of the context plus
 * `background` imaginary documents without the term: with only a handful of memories, frequencies alone would make
 * every known word look common. A word that no document has weighs as much as one that a single document has.
 *
 * Bounds: only the first 8192 characters of a query count (a message may have 32 times that many), and in each context
 * only its 32 rarest known terms.
 */
import { tokenize } from './tokenizer.js';
import type { Postings } from './postings.js';

const queryCharacters = 8192;
export const queryTerms = 32;
export const background = 50;
const sessionBackground = 5;
/** An ordinary document has room for this many terms of a query; having all of them is the best possible match. */
const roomForTerms = 8;

/** The distinct terms of a query, in order. */
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
  /** Sorted by frequency, the rarest first. */
  terms: WeightedTerm[];
  /** The score of an average-length document with each of the query's 8 heaviest terms once: the scale of scores. */
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

/** Like `termWeight`, over sessions. A context has fewer sessions than documents, so the background is smaller. */
export const sessionWeight = (frequency: number, sessions: number): number =>
  Math.log(1 + (sessions + sessionBackground - frequency + 0.5) / (frequency + 0.5));

export const termWeight = (frequency: number, documents: number): number =>
  Math.log(1 + (documents + background - frequency + 0.5) / (frequency + 0.5));
