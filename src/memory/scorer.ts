/**
 * What a document is worth to a query: BM25 (k1 .9, b .4) in the context of its session.
 *
 *   own(d)  = sum over the query's terms in d of  weight * (k1 + 1) tf / (tf + k1 (1 - b + b * length / average length))
 *   score   = own(d) + .5 own(previous turn) + .3 own(next turn) + the best own of d's session
 *
 * The numbers are measured (README of the benchmark: LoCoMo, R@5 and R@10). A document without a session is one of its
 * own, so its score is twice its own. A length counts at most 8 times the average, else what a long document says once
 * would be worth nothing.
 *
 * Relevance is the score's share of the best possible: a document of average length that says all of the query (its 8
 * heaviest terms) once has own = best and a score of 2 best, so ratio = score / (2 best). Up to .75 relevance is the
 * ratio; from there it nears 1 without reaching it, because repetition and neighbours can lift a score above the
 * measure. So the floor means the same for every query: who says a quarter of what was asked, by weight, has about .25,
 * whatever else was found. Rounded to ten-thousandths, at least one.
 *
 *  C1 A document that has none of the terms, and whose turns before and after have none, is not offered.
 *  C2 A document that has expired at `now` is not offered and lends its neighbours and session nothing (R5).
 *  C3 The scratch arrays are zero between two calls.
 *
 * A query without any term (only stop words, only punctuation) asks for nothing in particular: it is answered with the
 * newest documents, at the fixed relevance `unasked`, which says that they were not chosen by what they say.
 */
import type { EntityRef } from '../store/port.js';
import type { ContextIndex } from './context-index.js';
import type { Documents } from './documents.js';
import { grown, nextCapacity } from './columns.js';
import { weigh, type WeighedQuery } from './query-terms.js';
import { ranks, type TopHits } from './top-hits.js';

export const k1 = 0.9, b = 0.4, previousShare = 0.5, nextShare = 0.3, longest = 8;
export const unasked = 0.05;
const knee = 0.75;

/** Relevance of a score, given the best possible `own`; grows with the score, from 0 to below 1. */
export function relevanceOf(score: number, best: number): number {
  const ratio = score / (2 * best);
  return ratio <= knee ? ratio : 1 - (1 - knee) * Math.exp((knee - ratio) / (1 - knee));
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
    const offer = offering(documents, context, searched, types, asked, top);
    if (asked.terms.length === 0) return newest(documents, offer);
    const query = weigh(asked.terms, index.postings, documents.count);
    if (query.terms.length === 0) return;
    this.reserve(documents);
    let count = this.accumulate(index, query);
    if (documents.mortal > 0) count = this.dropExpired(count, documents.expiry, asked.now);
    this.findSessionBest(count, documents.sessions.session);
    this.offerTouched(count, documents, query.best, offer);
    this.clear(count, documents.sessions.session);
  }

  private reserve(documents: Documents): void {
    if (this.own.length < documents.bound) {
      const capacity = nextCapacity(this.own.length, documents.bound);
      this.own = grown(this.own, capacity, 0);
      this.touched = grown(this.touched, capacity, 0);
    }
    const sessions = documents.sessions.bound;
    if (this.best.length < sessions) this.best = grown(this.best, nextCapacity(this.best.length, sessions), 0);
  }

  /** Sums up `own`; returns how many documents it touched. */
  private accumulate(index: ContextIndex, query: WeighedQuery): number {
    const { own, touched } = this, { lengths } = index.documents;
    const average = Math.max(1, index.documents.totalLength / Math.max(1, index.documents.count));
    const base = k1 * (1 - b), slope = (k1 * b) / average, most = longest * average;
    let count = 0;
    for (const { term, frequency, weight } of query.terms) {
      const list = index.postings.list(term), full = weight * (k1 + 1);
      for (let i = 0; i < frequency; i++) {
        const posting = list[i] as number, slot = posting >>> 8, tf = posting & 255;
        const length = lengths[slot] as number, before = own[slot] as number;
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
      const slot = touched[i] as number, session = sessions[slot] as number;
      if (session >= 0 && (own[slot] as number) > (best[session] as number)) best[session] = own[slot] as number;
    }
  }

  /** Offers the touched documents and their neighbours, each once; newest slots first, because they win ties. */
  private offerTouched(count: number, documents: Documents, ideal: number, offer: Offer): void {
    const { own, touched } = this, { previous, next } = documents.sessions;
    for (let i = count - 1; i >= 0; i--) {
      const slot = touched[i] as number;
      const before = previous[slot] as number, after = next[slot] as number;
      offer(slot, this.rankOf(slot, documents, ideal));
      if (after >= 0 && own[after] === 0) offer(after, this.rankOf(after, documents, ideal));
      // A turn between two that match is offered by the one before it.
      if (before < 0 || own[before] !== 0) continue;
      const beforeThat = previous[before] as number;
      if (beforeThat < 0 || own[beforeThat] === 0) offer(before, this.rankOf(before, documents, ideal));
    }
  }

  private rankOf(slot: number, documents: Documents, ideal: number): number {
    const { own } = this, { sessions } = documents;
    const self = own[slot] as number, session = sessions.session[slot] as number;
    if (session < 0) return toRank(relevanceOf(2 * self, ideal));
    const before = sessions.previous[slot] as number, after = sessions.next[slot] as number;
    let score = self + (this.best[session] as number);
    if (before >= 0) score += previousShare * (own[before] as number);
    if (after >= 0) score += nextShare * (own[after] as number);
    return toRank(relevanceOf(score, ideal));
  }

  private clear(count: number, sessions: Int32Array): void {
    const { own, best, touched } = this;
    for (let i = 0; i < count; i++) {
      const slot = touched[i] as number, session = sessions[slot] as number;
      own[slot] = 0;
      if (session >= 0) best[session] = 0;
    }
  }
}

const toRank = (relevance: number): number => Math.max(1, Math.round(relevance * ranks));

type Offer = (slot: number, rank: number) => void;

/** What every hit must pass: relevance, type, not expired. */
function offering(documents: Documents, context: EntityRef, searched: number, types: readonly number[] | undefined, asked: Asked, top: TopHits): Offer {
  const { times, expiry, type } = documents, least = Math.ceil(asked.minRelevance * ranks - 1e-6);
  return (slot, rank) => {
    if (rank < least || !top.admits(rank, times[slot] as number)) return;
    if ((expiry[slot] as number) <= asked.now || (types && !types.includes(type[slot] as number))) return;
    top.offer({ rank, time: times[slot] as number, id: documents.id(slot), kind: documents.kind(slot), context, searched });
  };
}

function newest(documents: Documents, offer: Offer): void {
  const rank = toRank(unasked);
  for (let slot = documents.bound - 1; slot >= 0; slot--) offer(slot, rank);
}
