/**
 * Finds the documents of one context whose vectors are close to that of the query, and puts what was found so together
 * with what was found by words.
 *
 * Closeness is 0 for a document that is no closer to the query than texts are that have nothing to do with one another
 * (the baseline, which differs much between models), and 1 for one of the same meaning. It is a feature like those of
 * features.ts: a score is the sum of what the words earn and `meaningWeight` x closeness. So scores stay comparable
 * between contexts and processes, which ranks are not, and a query that nothing fits finds nothing.
 */
import type { EntityRef } from '../store/port.js';
import type { ContextIndex } from './context-index.js';
import { normOf } from './documents.js';
import { Offers, type Asked } from './offers.js';
import type { Meaning, RecallHit } from './port.js';
import { ranks, relevanceRank, toRank } from './relevance.js';
import type { TopHits } from './top-hits.js';

/** Less than a memory earns that says a third of the query by itself: words are the stronger voice. */
export const meaningWeight = 4;
/** What is less close is not found by its meaning. */
const leastClose = 0.3;
/** The relevance of a document of the same meaning that has no word of the query. */
const mostRelevant = 0.75;
/** How many of each kind of hits are put together at least. */
export const putTogether = 50;
/** Products of two numbers that one search of a context computes at most; of more vectors the newest are compared. */
const mostProducts = 10_000_000;

export function collectByMeaning(
  { documents }: ContextIndex,
  context: EntityRef,
  searched: number,
  asked: Asked & { meaning: Meaning },
  top: TopHits,
): void {
  const { vectors } = documents;
  const offers = new Offers(documents, context, searched, asked, top);
  if (!vectors || offers.hopeless) return;
  const { baseline, vector } = asked.meaning;
  const query = Int8Array.from(vector);
  const norm = normOf(query);
  let left = mostProducts;
  for (let slot = vectors.length - 1; slot >= 0 && left > 0; slot--) {
    const other = vectors[slot];
    if (other?.length !== query.length) continue;
    left -= query.length;
    const cosine = dotOf(query, other) / (norm * (documents.norms[slot] as number));
    const close = (cosine - baseline) / (1 - baseline);
    if (close < leastClose) continue;
    const share = meaningWeight * Math.min(1, close);
    offers.offer(slot, toRank(share), relevanceRank(mostRelevant * Math.min(1, close)), () => ({ meaning: share }));
  }
}

/** Whole numbers below 2^31 throughout: a vector has at most 4,096 dimensions. */
function dotOf(a: Int8Array, b: Int8Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot = (dot + (a[i] as number) * (b[i] as number)) | 0;
  return dot;
}

/** Both lists as one, best first: a document that is in both has the sum of its scores. */
export function together(byWords: readonly RecallHit[], byMeaning: readonly RecallHit[], limit: number): RecallHit[] {
  const keyOf = ({ context, kind, id }: RecallHit): string => `${context.kind} ${context.id} ${kind} ${id}`;
  const found = new Map(byWords.map((hit) => [keyOf(hit), hit]));
  for (const hit of byMeaning) {
    const same = found.get(keyOf(hit));
    found.set(keyOf(hit), same ? sum(same, hit) : { ...hit, byMeaning: true });
  }
  // the sort is stable, so hits of equal scores stay in the order in which they were found
  return [...found.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}

const sum = (a: RecallHit, b: RecallHit): RecallHit => ({
  ...a,
  byMeaning: true,
  score: Math.round((a.score + b.score) * ranks) / ranks,
  relevance: Math.max(a.relevance, b.relevance),
  ...(a.shares && { shares: { ...a.shares, ...b.shares } }),
});
