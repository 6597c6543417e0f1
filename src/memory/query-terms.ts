/**
 * The terms of a query, and the weight of each in a memory space.
 *
 * The weight of a term is BM25's ln(1 + (N - df + .5) / (df + .5)). N is the number of documents of the space plus
 * `background` imaginary documents without the term: with only a handful of memories, frequencies alone would make
 * every known word look common. A word that no document has weighs as much as one that a single document has.
 *
 * Words that only frame a question ("tell", "our conversations") say little of what it is about: they count
 * `framingShare` of their weight beside others. A word that no document has is taken for a misspelling of one that
 * differs from it in one letter, if there is one (misspellings.ts).
 *
 * Bounds: only the first 8192 characters of a query count (a message may have 32 times that many), and in each space
 * only its `queryTerms` heaviest terms.
 *
 * Beside its own words a query may have others, which say the same in another way (wordings.ts). They find
 * documents, at a lower weight, and add nothing to what the query asks for: a document that says all of the query's own
 * words says all of it.
 */
import { framing } from './framing.js';
import { corrected } from './misspellings.js';
import { tokenize } from './tokenizer.js';
import type { Postings } from './postings.js';

const queryCharacters = 8192;
/** A long statement is told well enough by its heaviest terms. */
export const queryTerms = 12;
export const background = 50;
/** An ordinary document has room for this many terms of a query; having all of them is the best possible match. */
const roomForTerms = 8;
const framingShare = 0.3;

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
  const found = new Map<number, WeightedTerm>();
  const add = (term: number, share: number): number => {
    const frequency = postings.frequency(term);
    const weight = share * termWeight(frequency, documents);
    if (!found.has(term)) found.set(term, { term, frequency, weight });
    return weight;
  };
  const asks = query.some((name) => !framing.has(name));
  const unknown = termWeight(1, documents);
  const asked: number[] = [];
  for (const name of query) {
    const share = asks && framing.has(name) ? framingShare : 1;
    const term = postings.find(name);
    if (term === undefined) {
      asked.push(share * unknown);
      for (const meant of corrected(name, postings)) add(meant, otherWordingShare);
    } else asked.push(add(term, share));
  }
  asked.sort((a, b) => b - a);
  const ideal = asked.slice(0, roomForTerms).reduce((sum, weight) => sum + weight, 0) || unknown;
  const own = heaviest([...found.values()]);
  found.clear();
  for (const name of also) {
    const term = postings.find(name);
    if (term !== undefined && !own.some((other) => other.term === term)) add(term, otherWordingShare);
  }
  const terms = [...own, ...heaviest([...found.values()])].sort((a, b) => a.frequency - b.frequency);
  return { terms, ideal };
}

const heaviest = (terms: WeightedTerm[]): WeightedTerm[] =>
  terms.sort((a, b) => b.weight - a.weight).slice(0, queryTerms);

export const termWeight = (frequency: number, documents: number): number =>
  Math.log(1 + (documents + background - frequency + 0.5) / (frequency + 0.5));
