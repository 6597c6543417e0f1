/**
 * What a document is worth to a query: BM25 (k1 .9, b .4) in the context of its session.
 *
 *   own(d)  = sum over the query's terms in d of  weight * (k1 + 1) tf / (tf + k1 (1 - b + b * length / average length))
 *   score   = own(d) + .5 own(previous turn) + .3 own(next turn) + the best own of d's session
 *
 * The numbers are measured (test/integration/recall-locomo.test.ts; design, section 8). A document without a session is one of its
 * own, so its score is twice its own. A length counts at most 8 times the average, else what a long document says once
 * would be worth nothing.
 *
 * Relevance is the score's share of the best possible: a document of average length that says all of the query (its 8
 * heaviest terms) once has own = best and a score of 2 best, so ratio = score / (2 best). Up to .75 relevance is the
 * ratio; from there it nears 1 without reaching it, because repetition and neighbours can lift a score above the
 * measure. So the floor means the same for every query: who says a quarter of what was asked, by weight, has about .25,
 * whatever else was found. Rounded to ten-thousandths, halves down, at least one.
 *
 *  C1 A document that has none of the terms, and whose turns before and after have none, is not offered.
 *  C2 A document that has expired at `now` is not offered and lends its neighbours and session nothing (R5).
 *  C3 The scratch arrays are zero between two calls.
 *  C4 Nothing that could be among the best is passed over: a document in a session whose best own score is s scores at
 *     most own + 1.8 s, and is looked at more closely only where that reaches the worst hit so far. Documents with
 *     rare terms come first, so that this bound is high soon.
 *
 * A query without any term (only stop words, only punctuation) asks for nothing in particular: it is answered with the
 * newest documents, at the fixed relevance `unasked`, which says that they were not chosen by what they say.
 */
import type { EntityRef } from '../store/port.js';
import type { ContextIndex } from './context-index.js';
import type { Documents } from './documents.js';
import { withRoom } from './columns.js';
import { weigh, type WeighedQuery } from './query-terms.js';
import { ranks, type TopHits } from './top-hits.js';

export const k1 = 0.9;
export const b = 0.4;
export const previousShare = 0.5;
export const nextShare = 0.3;
export const longest = 8;
const unasked = 0.05;
const knee = 0.75;

/** Relevance of a score, given the best possible `own`; grows with the score, from 0 to below 1. */
export function relevanceOf(score: number, best: number): number {
  const ratio = score / (2 * best);
  return ratio <= knee ? ratio : 1 - (1 - knee) * Math.exp((knee - ratio) / (1 - knee));
}

/** The least score that is rounded to `rank`, or a little less. */
function scoreFor(rank: number, best: number): number {
  const relevance = (rank - 0.5) / ranks;
  const ratio = relevance <= knee ? relevance : knee - (1 - knee) * Math.log((1 - relevance) / (1 - knee));
  return 2 * best * ratio * (1 - 1e-9);
}

export interface Asked {
  terms: readonly string[];
  types?: readonly string[];
  minRelevance: number;
  now: number;
}

export class Scorer {
  /** By document: its own score. */
  private own = new Float64Array(0);
  /** By session: the best own score in it. */
  private best = new Float64Array(0);
  /** Documents whose own score is not zero. */
  private touched = new Int32Array(0);

  /** Offers `top` what the query finds in one context. `searched` tells contexts apart in ties. */
  collect(index: ContextIndex, context: EntityRef, searched: number, asked: Asked, top: TopHits): void {
    const { documents } = index;
    const types = asked.types?.map((type) => documents.typeNumber(type)).filter((type) => type !== undefined);
    if (types?.length === 0) return;
    const offers = new Offers(documents, context, searched, types, asked, top);
    if (asked.terms.length === 0) {
      newest(documents, offers);
      return;
    }
    const query = weigh(asked.terms, index.postings, documents.count);
    if (query.terms.length === 0) return;
    this.reserve(documents);
    let count = this.accumulate(index, query);
    if (documents.mortal > 0) count = this.dropExpired(count, documents.expiry, asked.now);
    this.findSessionBest(count, documents.sessions.session);
    this.offerTouched(count, documents, query.best, offers);
    this.clear(count, documents.sessions.session);
  }

  private reserve(documents: Documents): void {
    this.own = withRoom(this.own, documents.bound, 16, 0);
    this.touched = withRoom(this.touched, documents.bound, 16, 0);
    this.best = withRoom(this.best, documents.sessions.bound, 16, 0);
  }

  /** Sums up `own`; returns how many documents it touched. Those with rare terms come first, of these the newest slots, because they win ties. */
  private accumulate(index: ContextIndex, query: WeighedQuery): number {
    const { own, touched } = this;
    const { lengths } = index.documents;
    const average = Math.max(1, index.documents.totalLength / Math.max(1, index.documents.count));
    const base = k1 * (1 - b);
    const slope = (k1 * b) / average;
    const most = longest * average;
    let count = 0;
    for (const { term, frequency, weight } of query.terms) {
      const list = index.postings.list(term);
      const full = weight * (k1 + 1);
      for (let i = frequency - 1; i >= 0; i--) {
        const posting = list[i] as number;
        const slot = posting >>> 8;
        const tf = posting & 255;
        const length = lengths[slot] as number;
        const before = own[slot] as number;
        if (before === 0) touched[count++] = slot;
        own[slot] = before + (full * tf) / (tf + base + slope * (length < most ? length : most));
      }
    }
    return count;
  }

  private dropExpired(count: number, expiry: Float64Array, now: number): number {
    const { own, touched } = this;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const slot = touched[i] as number;
      if ((expiry[slot] as number) > now) touched[kept++] = slot;
      else own[slot] = 0;
    }
    return kept;
  }

  private findSessionBest(count: number, sessions: Int32Array): void {
    const { own, best, touched } = this;
    for (let i = 0; i < count; i++) {
      const slot = touched[i] as number;
      const session = sessions[slot] as number;
      if (session >= 0 && (own[slot] as number) > (best[session] as number)) best[session] = own[slot] as number;
    }
  }

  /** Offers the touched documents and their neighbours, each once. */
  private offerTouched(count: number, documents: Documents, ideal: number, offers: Offers): void {
    const { own, best, touched } = this;
    const { previous, next, session } = documents.sessions;
    let bound = scoreFor(offers.floor, ideal);
    for (let i = 0; i < count; i++) {
      const slot = touched[i] as number;
      const self = own[slot] as number;
      const inSession = session[slot] as number;
      const most = inSession < 0 ? 2 * self : self + (1 + previousShare + nextShare) * (best[inSession] as number);
      if (most < bound) continue;
      let taken = offers.offer(slot, this.rankOf(slot, documents, ideal));
      const before = previous[slot] as number;
      const after = next[slot] as number;
      if (after >= 0 && own[after] === 0) taken = offers.offer(after, this.rankOf(after, documents, ideal)) || taken;
      // A turn between two that match is offered by the one before it (or not at all: it is worth less than that one could be).
      if (before >= 0 && own[before] === 0) {
        const beforeThat = previous[before] as number;
        if (beforeThat < 0 || own[beforeThat] === 0)
          taken = offers.offer(before, this.rankOf(before, documents, ideal)) || taken;
      }
      if (taken) bound = scoreFor(offers.floor, ideal);
    }
  }

  private rankOf(slot: number, documents: Documents, ideal: number): number {
    const { own } = this;
    const { sessions } = documents;
    const self = own[slot] as number;
    const session = sessions.session[slot] as number;
    if (session < 0) return toRank(relevanceOf(2 * self, ideal));
    const before = sessions.previous[slot] as number;
    const after = sessions.next[slot] as number;
    let score = self + (this.best[session] as number);
    if (before >= 0) score += previousShare * (own[before] as number);
    if (after >= 0) score += nextShare * (own[after] as number);
    return toRank(relevanceOf(score, ideal));
  }

  private clear(count: number, sessions: Int32Array): void {
    const { own, best, touched } = this;
    for (let i = 0; i < count; i++) {
      const slot = touched[i] as number;
      const session = sessions[slot] as number;
      own[slot] = 0;
      if (session >= 0) best[session] = 0;
    }
  }
}

/**
 * Halves are common, because lengths and counts are small whole numbers; which side of one a sum falls on is decided by
 * its last bit, and so by the order of its terms. A little off the half, equal documents get equal ranks.
 */
const offTheHalf = 1e-6;
const toRank = (relevance: number): number => Math.max(1, Math.round(relevance * ranks - offTheHalf));

/** The way of one context's documents to the hits: what each must pass is its relevance, its type and not being expired. */
class Offers {
  private readonly least: number;

  constructor(
    private readonly documents: Documents,
    private readonly context: EntityRef,
    private readonly searched: number,
    private readonly types: readonly number[] | undefined,
    private readonly asked: Asked,
    private readonly top: TopHits,
  ) {
    this.least = Math.max(1, Math.ceil(asked.minRelevance * ranks - 1e-6));
  }

  /** No rank below this is taken any more. */
  get floor(): number {
    return Math.max(this.least, this.top.floor);
  }

  /** True when it was taken. */
  offer(slot: number, rank: number): boolean {
    const { documents, top } = this;
    const time = documents.times[slot] as number;
    if (rank < this.least || !top.admits(rank, time)) return false;
    if (
      (documents.expiry[slot] as number) <= this.asked.now ||
      (this.types && !this.types.includes(documents.type[slot] as number))
    )
      return false;
    top.offer({
      rank,
      time,
      id: documents.id(slot),
      kind: documents.kind(slot),
      context: this.context,
      searched: this.searched,
    });
    return true;
  }
}

function newest(documents: Documents, offers: Offers): void {
  const rank = toRank(unasked);
  for (let slot = documents.bound - 1; slot >= 0; slot--) offers.offer(slot, rank);
}
