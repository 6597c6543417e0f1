/**
 * Finds the documents of one memory space whose vectors are close to that of the query, and puts what was found so
 * together with what was found by words.
 *
 * Closeness is 0 for a document that is no closer to the query than texts are that have nothing to do with one another
 * (the baseline, which differs much between models), and 1 for one of the same meaning. What it earns is a feature like
 * those of scoring.ts: `closeWeight` x closeness, and `aheadWeight` x how far it is ahead of the tenth closest of its
 * space, where that is far. In a conversation about one thing everything is close, and nothing is ahead; a fact that
 * is told once in other words is ahead of all else, and would otherwise be lost among memories that have some word of
 * the query by chance. Sums and not ranks are added, so scores stay comparable between spaces and processes, and a
 * query that nothing fits finds nothing.
 */
import type { EntityRef } from '../store/port.js';
import type { SpaceIndex } from './space-index.js';
import { normOf } from './documents.js';
import { Offers, type PreparedQuery, type TopHits } from './offers.js';
import type { Meaning, RecallHit } from './port.js';
import { ranks, relevanceRank, toRank } from './scoring.js';

const closeWeight = 8;
const aheadWeight = 60;
/** With which of the closest the others are compared. */
const crowd = 10;
/** The closest of many are as far ahead as this by chance. */
const leastAhead = 0.15;
/** Being further ahead earns no more: 9, where a full match of words is worth 14. */
const mostAhead = 0.3;
/** What is less close is not found by its meaning alone, and is not ahead. */
const leastClose = 0.3;
/** The relevance of a document of the same meaning that has no word of the query. */
const mostRelevant = 0.75;
/** How many of each kind of hits are put together at least. */
export const putTogether = 50;
/** Products of two numbers that one search of a space computes at most; of more vectors the newest are compared. */
const mostProducts = 10_000_000;

/** How close the documents of one space are to a query. */
export class Closeness {
  private readonly query: Int8Array;
  private readonly norm: number;
  /** The documents that may be found by meaning alone. */
  private readonly slots: number[] = [];
  private readonly close: number[] = [];
  private readonly tenth: number;

  constructor(
    private readonly index: SpaceIndex,
    private readonly meaning: Meaning,
  ) {
    const query = (this.query = Int8Array.from(meaning.vector));
    this.norm = normOf(query);
    const closest = new Float64Array(crowd);
    const { vectors } = index.documents;
    let left = mostProducts;
    for (let slot = (vectors?.length ?? 0) - 1; slot >= 0 && left > 0; slot--) {
      if (vectors?.[slot]?.length !== query.length) continue;
      left -= query.length;
      const close = this.of(slot);
      if (close > (closest[0] as number)) {
        closest[0] = close;
        closest.sort();
      }
      if (close < leastClose) continue;
      this.slots.push(slot);
      this.close.push(close);
    }
    this.tenth = closest[0] as number;
  }

  /** Offers to `top` what is close. `searched` breaks ties between spaces. */
  collect(space: EntityRef, searched: number, asked: PreparedQuery, top: TopHits): void {
    const offers = new Offers(this.index, space, searched, asked, top);
    if (offers.hopeless) return;
    for (const [i, slot] of this.slots.entries()) {
      const close = this.close[i] as number;
      const share = this.shareOf(close);
      offers.offer(slot, toRank(share), relevanceRank(mostRelevant * close), () => ({ meaning: share }));
    }
  }

  /** A hit by words with what its meaning adds. */
  added(hit: RecallHit): RecallHit {
    const slot = this.index.documents.find(hit.kind, hit.id);
    const close = slot === undefined ? 0 : this.of(slot);
    if (close === 0) return hit;
    const share = this.shareOf(close);
    return {
      ...hit,
      ...(close >= leastClose && { byMeaning: true }),
      score: Math.round(hit.score * ranks + toRank(share)) / ranks,
      relevance: Math.max(hit.relevance, close < leastClose ? 0 : relevanceRank(mostRelevant * close) / ranks),
      ...(hit.shares && { shares: { ...hit.shares, meaning: share } }),
    };
  }

  private shareOf(close: number): number {
    const ahead = close < leastClose ? 0 : Math.min(mostAhead, close - this.tenth) - leastAhead;
    return closeWeight * close + aheadWeight * Math.max(0, ahead);
  }

  /** From 0 to 1; 0 for what has no vector of this model. */
  private of(slot: number): number {
    const { documents } = this.index;
    const other = documents.vectors?.[slot];
    if (other?.length !== this.query.length) return 0;
    const { baseline } = this.meaning;
    const cosine = dotOf(this.query, other) / (this.norm * (documents.norms[slot] as number));
    return Math.min(1, Math.max(0, (cosine - baseline) / (1 - baseline)));
  }
}

/** Whole numbers below 2^31 throughout: a vector has at most 4,096 dimensions. */
function dotOf(a: Int8Array, b: Int8Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot = (dot + (a[i] as number) * (b[i] as number)) | 0;
  return dot;
}

/** Both lists as one, best first. What is in both is taken as it was found by words, with what its meaning adds. */
export function together(byWords: readonly RecallHit[], byMeaning: readonly RecallHit[], limit: number): RecallHit[] {
  const found = new Map(byWords.map((hit) => [keyOf(hit), hit]));
  for (const hit of byMeaning) if (!found.has(keyOf(hit))) found.set(keyOf(hit), { ...hit, byMeaning: true });
  // the sort is stable, so hits of equal scores stay in the order in which they were found
  return [...found.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}

const keyOf = ({ space, kind, id }: RecallHit): string => `${space.kind} ${space.id} ${kind} ${id}`;
