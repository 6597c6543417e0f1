/**
 * The first stage of a search in a large memory space: finds the documents that may be among the best by an amount of
 * work that does not depend on how many there are.
 *
 *  - At most `postingsRead` postings are read, those of the rarest terms first, and of a term that has more than are
 *    left, those of the newest documents.
 *  - Of the documents that were met, `compared` are compared by all of the query's terms, and the best `chosen` of
 *    them are scored with the turns around them.
 *
 * What the bounds cost was measured (docs/recall.md). A document is compared by what it says itself and what its
 * session says; its window is not known before the second stage.
 */
import { k1, lengthNorm, saturation, turnsAfter, windowBefore, weights } from './scoring.js';
import type { IndexedDocuments } from './documents.js';
import type { Numbers } from './postings.js';
import type { Offers, Parts, Rows } from './offers.js';
import type { WeighedQuery } from './query.js';
import type { SpaceIndex } from './space-index.js';

/** One search of one space. */
export interface Search {
  readonly index: SpaceIndex;
  readonly documents: IndexedDocuments;
  readonly query: WeighedQuery;
  readonly now: number;
  /** The mean length of a document. */
  readonly average: number;
  readonly offers: Offers;
}

export interface Bounds {
  postingsRead: number;
  compared: number;
  chosen: number;
}
export const candidateBounds: Bounds = { postingsRead: 4000, compared: 500, chosen: 150 };

export class Candidates {
  private values = new Float64Array(0);
  private picked = new Int32Array(0);

  constructor(
    private readonly rows: Rows,
    private readonly parts: Parts,
    private readonly most: Bounds = candidateBounds,
  ) {}

  /**
   * Returns the postings of each term in the documents around the chosen ones, and leaves a row for each document that
   * is to be scored.
   */
  find(search: Search): Numbers[] {
    const { rows } = this;
    const few = search.offers.few();
    if (few) this.readAmong(search, few);
    else this.read(search);
    const compared = this.best(search, this.most.compared);
    for (const row of compared) rows.own[row] = this.ownOf(search, rows.slots[row] as number);
    const chosen = this.best(search, this.most.chosen, compared).map((row) => rows.slots[row] as number);
    rows.clear();
    return this.around(search, chosen);
  }

  /** Meets what the first postings have. */
  private read({ index, documents, query, now, average }: Search): void {
    const { expiry, mortal } = documents;
    let left = this.most.postingsRead;
    for (const { term, weight } of query.terms) {
      if (left === 0) return;
      const { list, from, length } = index.postings.of(term);
      const first = from + Math.max(0, length - left);
      left -= from + length - first;
      for (let i = from + length - 1; i >= first; i--) {
        const posting = list[i] as number;
        const slot = posting >>> 8;
        if (mortal === 0 || (expiry[slot] as number) > now) this.meet(documents, slot, posting & 255, weight, average);
      }
      this.parts.next(weight);
    }
  }

  /** Meets these documents only, and all of the query's terms in them. */
  private readAmong({ index, documents, query, now, average }: Search, slots: readonly number[]): void {
    for (const { term, weight } of query.terms) {
      for (const slot of slots) {
        const tf = (documents.expiry[slot] as number) <= now ? 0 : index.postings.times(slot, term);
        if (tf > 0) this.meet(documents, slot, tf, weight, average);
      }
      this.parts.next(weight);
    }
  }

  private meet(documents: IndexedDocuments, slot: number, tf: number, weight: number, average: number): void {
    const { rows, parts } = this;
    const row = (rows.of[slot] as number) || rows.add(slot);
    const norm = lengthNorm(documents.lengths[slot] as number, average);
    rows.own[row] = (rows.own[row] as number) + weight * saturation(tf, norm);
    parts.say(documents.sessions.part[slot] as number, tf);
  }

  /** The rows of the documents, all or some, that promise most; at most `limit`. */
  private best({ offers }: Search, limit: number, among?: readonly number[]): number[] {
    const { rows, parts } = this;
    const count = among?.length ?? rows.count;
    if (this.values.length < 2 * count) {
      this.values = new Float64Array(2 * count);
      this.picked = new Int32Array(count);
    }
    const { values, picked } = this;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = among ? (among[i] as number) : i + 1;
      const slot = rows.slots[row] as number;
      if (offers.filtered && !offers.passes(slot)) continue;
      const own = rows.own[row] as number;
      picked[kept] = row;
      values[kept++] = (weights.own + weights.near) * own + weights.session * parts.score(slot, own);
    }
    if (kept <= limit) return [...picked.subarray(0, kept)];
    const sorted = values.subarray(count, count + kept);
    sorted.set(values.subarray(0, kept));
    const least = nthLargest(sorted, limit);
    const best: number[] = [];
    for (let i = 0; i < kept && best.length < limit; i++)
      if ((values[i] as number) >= least) best.push(picked[i] as number);
    return best;
  }

  /** The sum of what all terms earn a document. */
  private ownOf({ index, documents, query, average }: Search, slot: number): number {
    const norm = lengthNorm(documents.lengths[slot] as number, average);
    let own = 0;
    for (const { term, weight } of query.terms) {
      const tf = index.postings.times(slot, term);
      if (tf > 0) own += weight * saturation(tf, norm, k1);
    }
    return own;
  }

  private around({ index, documents, query }: Search, chosen: readonly number[]): Numbers[] {
    const { rows } = this;
    const { previous, next } = documents.sessions;
    const far = windowBefore + turnsAfter;
    const seen = new Set<number>();
    for (const slot of chosen) {
      // the windows of the turns after it begin before it, and those of the turns before it end after it
      seen.add(slot);
      if (rows.of[slot] === 0) rows.add(slot);
      for (let at = previous[slot] as number, n = 1; at >= 0 && n <= far; at = previous[at] as number, n++) {
        if (n <= turnsAfter && rows.of[at] === 0) rows.add(at);
        seen.add(at);
      }
      for (let at = next[slot] as number, n = 1; at >= 0 && n <= far; at = next[at] as number, n++) {
        if (n <= windowBefore && rows.of[at] === 0) rows.add(at);
        seen.add(at);
      }
    }
    const lists = query.terms.map((): number[] => []);
    for (const slot of seen) {
      for (const [t, { term }] of query.terms.entries()) {
        const tf = index.postings.times(slot, term);
        if (tf > 0) lists[t]?.push(((slot << 8) | tf) >>> 0);
      }
    }
    return lists.map((list) => ({ list: Uint32Array.from(list), from: 0, length: list.length }));
  }
}

/** Quickselect; reorders the values. */
function nthLargest(values: Float64Array, n: number): number {
  let low = 0;
  let high = values.length - 1;
  const target = n - 1;
  while (low < high) {
    const pivot = values[(low + high) >>> 1] as number;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] as number) > pivot) i++;
      while ((values[j] as number) < pivot) j--;
      if (i > j) break;
      const swapped = values[i] as number;
      values[i++] = values[j] as number;
      values[j--] = swapped;
    }
    if (target <= j) high = j;
    else if (target >= i) low = i;
    else break;
  }
  return values[target] as number;
}
