/**
 * The terms of a query, and the weight of each in a context.
 *
 * The weight of a term is BM25's ln(1 + (N - df + .5) / (df + .5)). N is the number of documents of the context plus
 * `background` imaginary documents without the term: with only a handful of memories, frequencies alone would make
 * every known word look common. A word that no document has weighs as much as one that a single document has.
 *
 * Bounds: only the first 8192 characters of a query count (a message may have 32 times that many), and in each context
 * only its 32 rarest known terms.
 *
 * Beside its own words a query may have others, which say the same in another way (wordings.ts). They find
 * documents, at a lower weight, and add nothing to what the query asks for: a document that says all of the query's own
 * words says all of it.
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

/** What another wording is worth, as a share of a word of the query itself. */
export const otherWordingShare = 0.7;

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

export function weigh(
  query: readonly string[],
  also: readonly string[],
  postings: Postings,
  documents: number,
): WeighedQuery {
  const known = (names: readonly string[], share: number): WeightedTerm[] => {
    const found: WeightedTerm[] = [];
    for (const name of names) {
      const term = postings.find(name);
      if (term === undefined) continue;
      const frequency = postings.frequency(term);
      found.push({ term, frequency, weight: share * termWeight(frequency, documents) });
    }
    return found;
  };
  const own = known(query, 1).sort(rarestFirst);
  const unknown = Math.min(roomForTerms, Math.max(query.length, 1) - own.length);
  let ideal = unknown * termWeight(1, documents);
  for (let i = 0; i < Math.min(own.length, roomForTerms - unknown); i++) ideal += own[i]?.weight ?? 0;
  const terms = own.slice(0, queryTerms);
  if (also.length > 0 && terms.length < queryTerms) {
    terms.push(
      ...known(also, otherWordingShare)
        .sort(rarestFirst)
        .slice(0, queryTerms - terms.length),
    );
    terms.sort(rarestFirst);
  }
  return { terms, ideal };
}

const rarestFirst = (a: WeightedTerm, b: WeightedTerm): number => a.frequency - b.frequency;

/** Like `termWeight`, over sessions. A context has fewer sessions than documents, so the background is smaller. */
export const sessionWeight = (frequency: number, sessions: number): number =>
  Math.log(1 + (sessions + sessionBackground - frequency + 0.5) / (frequency + 0.5));

export const termWeight = (frequency: number, documents: number): number =>
  Math.log(1 + (documents + background - frequency + 0.5) / (frequency + 0.5));
