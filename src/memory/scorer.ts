/**
 * Finds the best documents of one context for a query. It scores them (measure.ts) and skips those that cannot be among
 * the best.
 *
 *  RecallScorer.C1 A document is offered if and only if it, or a turn of its window, contains a term of the query, and
 *     it may be as relevant as the search requires.
 *  RecallScorer.C2 A document that has expired at `now` is not offered, and its words contribute nothing to its
 *     neighbours or its session.
 *  RecallScorer.C3 The scratch arrays are zero between two calls.
 *  RecallScorer.C4 No document that could be among the best is skipped.
 *
 * The first pass runs over the postings of the terms, rarest first. It computes `own` of every document and, for every
 * session, its score as one document, the best `own` in it, and the most that a window in it may match. The commonest
 * terms may be worth so little that they alone cannot make a document relevant enough. The documents that contain only
 * such terms are left out, unless they are in a session that also contains another term. The second pass
 * runs over the documents touched by the first. Documents that are alone, without a session or the only one of theirs,
 * are scored if they may be among the best. Then the sessions that may contain one of the best are processed turn by
 * turn, in groups, the most promising first, so that the score to beat rises early.
 *
 * The bounds behind RecallScorer.C4: BM25 is h(y) = (k1 + 1) y / (y + 1) of y = tf / norm (bm25.ts). It grows, is
 * concave, and h(0) = 0.
 *
 *  - For a session: no window contains a term more often than the session does, since the weights of its turns are at
 *    most 1, and no norm is below `leastNorm`.
 *  - For a turn: a term earns its window h(sum of w tf / norm of the window), which is at most the sum of h(r y) over
 *    the turns, where y = tf / norm of the turn and r = w x norm of the turn / norm of the window. That is h(y), which
 *    is part of the turn's `own`, times a factor. The factor is at most r if r >= 1 (concavity), and otherwise
 *    r (y + 1) / (r y + 1), which grows with y and is therefore evaluated at the largest y there is: the highest tf in
 *    the postings / `leastNorm`. A rougher and faster bound: neither factor exceeds the larger of 1 and the norm of the
 *    session's longest turn / norm of the window.
 *  - For a document that is alone: `loneMost`; and if it says the same of the query's words as the one that was scored
 *    last, and was not said later, that one's score (`saysNoMore`).
 *  - For a turn in a session, if its window says the same as that of the turn after it, and it was not said later: that
 *    one's score.
 *  - For documents that repeat one another and share one posting (repeats.ts): their score falls with their age, so the
 *    newest are offered until one could not be among the best (`offerGroup`).
 *  - For the relevance of a document whose window contains only the commonest terms: each term earns it less than
 *    k1 + 1 times the term's weight (`countDeciding`).
 *
 * A query without any terms (only stop words, only punctuation) asks for nothing in particular. It is answered with the
 * newest documents, at the fixed relevance `unasked`, which shows that they were not selected by their content.
 */
import type { EntityRef } from '../store/port.js';
import { k1, leastNorm, lengthNorm, saturation, sessionB, sessionK1 } from './bm25.js';
import { withRoom } from './columns.js';
import type { ContextIndex } from './context-index.js';
import type { Documents } from './documents.js';
import { dayMs, rareFrequency, rareShare, turnsAfter, turnsBefore, weights, windowTenths } from './features.js';
import { Measure, type Matches } from './measure.js';
import { Offers, type Asked } from './offers.js';
import type { Group } from './group.js';
import { queryTerms, sessionWeight, weigh, type WeighedQuery, type WeightedTerm } from './query-terms.js';
import { ranks, relevanceOf, relevanceRank, toRank } from './relevance.js';
import type { TopHits } from './top-hits.js';

const unasked = 0.05;
const windowSize = windowTenths.length;
/** Exceeds any error that rounding and the order of additions may cause in a sum. */
const tolerance = 1e-6;
/** If more than one in this many documents was touched, all of the scratch is cleared at once, which is faster. */
const denseShare = 32;
/** Sessions are processed in groups, by their bound as a share of the highest bound. */
const shares = [0.95, 0.9, 0.85, 0.8, 0.7, 0.6, -Infinity];
/** In `state`, by session: the session has been seen in the second pass. */
const done = 1;

/** The state of one search of one context. */
interface Search {
  readonly index: ContextIndex;
  readonly documents: Documents;
  readonly query: WeighedQuery;
  readonly now: number;
  readonly average: number;
  readonly averageWindow: number;
  readonly averageSession: number;
  readonly measure: Measure;
  readonly offers: Offers;
  /** The lowest score that is worth a closer look; it rises during the search. */
  floor: number;
}

export class Scorer {
  /** By document: the sum of what the query's terms earn it. */
  private own = new Float64Array(0);
  /**
   * By session: its score as one document, the most that a window may match, the best `own`, and how often it contains
   * the current term.
   */
  private whole = new Float64Array(0);
  private nearMost = new Float64Array(0);
  private ownMost = new Float64Array(0);
  private said = new Int32Array(0);
  private state = new Uint8Array(0);
  /** The bounds of the sessions that wait to be processed (these are listed in `saying`, which is free by then). */
  private bounds = new Float64Array(0);
  /** Documents whose own score is not zero, and sessions that contain the current term. */
  private touched = new Int32Array(0);
  private saying = new Int32Array(0);
  /** The documents of the current session, in order. */
  private line = new Int32Array(64);
  /** Their own scores, padded with as many zeros as a window has turns before and after. */
  private ownInLine = new Float64Array(64);
  /** By document and term: how often the document contains the term; one row of `stride` terms for each document. */
  private counts = new Uint8Array(0);
  private readonly matches: Matches = { own: 0, near: 0, session: 0, before: 0 };
  /** The document alone that was scored last, and its score; -1 if there is none. */
  private lastLone = -1;
  private lastScore = 0;
  private highest = 0;
  /** By term: how often the current window contains it, in tenths. */
  private readonly tenths = new Int32Array(queryTerms);
  /** By term: its weight among sessions. */
  private readonly rarities = new Float64Array(queryTerms);

  /** Offers to `top` what the query finds in one context. `searched` breaks ties between contexts. */
  collect(index: ContextIndex, context: EntityRef, searched: number, asked: Asked, top: TopHits): void {
    const { documents } = index;
    const offers = new Offers(documents, context, searched, asked, top);
    if (offers.hopeless) return;
    if (asked.terms.length === 0 && asked.also.length === 0) {
      newest(documents, offers);
      return;
    }
    const query = weigh(asked.terms, asked.also, index.postings, documents.count);
    if (query.terms.length === 0) return;
    this.reserve(documents, query.terms.length);
    const { sessions } = documents;
    const average = Math.max(1, documents.totalLength / Math.max(1, documents.count));
    const search: Search = {
      index,
      documents,
      query,
      now: asked.now,
      average,
      averageWindow: Math.max(1, sessions.windows / 10 / Math.max(1, documents.count)),
      averageSession: Math.max(1, documents.totalLength / Math.max(1, sessions.count)),
      measure: new Measure(documents, asked),
      offers,
      floor: floorOf(offers),
    };
    this.lastLone = -1;
    const count = this.accumulate(search);
    this.offerTouched(search, count);
    this.clear(count, documents, query.terms.length);
  }

  private reserve(documents: Documents, terms: number): void {
    this.counts = withRoom(this.counts, documents.bound * terms, 64, 0);
    this.own = withRoom(this.own, documents.bound, 16, 0);
    this.touched = withRoom(this.touched, documents.bound, 16, 0);
    const sessions = documents.sessions.bound;
    for (const column of ['whole', 'nearMost', 'ownMost', 'bounds'] as const)
      this[column] = withRoom(this[column], sessions, 16, 0);
    for (const column of ['said', 'saying'] as const) this[column] = withRoom(this[column], sessions, 16, 0);
    this.state = withRoom(this.state, sessions, 16, 0);
  }

  /** The first pass. Returns how many documents it touched; those with rare terms come first, newest slots first. */
  private accumulate(search: Search): number {
    const { measure, query } = search;
    const { postings } = search.index;
    const deciding = countDeciding(query, search.offers);
    const rare: number[] = [];
    let count = 0;
    this.highest = 0;
    for (let at = 0; at < query.terms.length; at++) {
      const { term, frequency, weight } = query.terms[at] as WeightedTerm;
      if (frequency <= rareFrequency && weight >= rareShare * query.ideal) {
        const list = postings.list(term);
        for (let i = 0; i < postings.length(term); i++) {
          const slot = (list[i] as number) >>> 8;
          const group = search.documents.groupOf(slot);
          if (group === null) rare.push(slot);
          else rare.push(...group.members.subarray(0, group.size));
        }
      }
      count = this.accumulateTerm(search, at, count, at < deciding);
    }
    measure.rare = rare;
    return count;
  }

  /**
   * `at` is the index of the term in the query. Unless the term is `deciding`, it counts only for documents and
   * sessions that have been touched before. Returns how many documents have been touched so far.
   */
  private accumulateTerm(search: Search, at: number, touchedBefore: number, deciding: boolean): number {
    const { documents, now, query } = search;
    const { term, frequency, weight } = query.terms[at] as WeightedTerm;
    const stride = query.terms.length;
    const { lengths, expiry } = documents;
    const { sessions: among } = documents;
    const { own, ownMost, whole, counts, touched, said, saying } = this;
    const { postings } = search.index;
    const list = postings.list(term);
    const length = postings.length(term);
    const mortal = documents.mortal > 0;
    const base = leastNorm;
    const slope = (lengthNorm(1, 1) - base) / search.average;
    const most = lengthNorm(Infinity, 1) - base;
    const full = weight * (k1 + 1);
    let count = touchedBefore;
    let sessions = 0;
    // those without a posting are alone, and do not expire
    let lone = frequency - length;
    let highest = this.highest;
    for (let i = length - 1; i >= 0; i--) {
      const posting = list[i] as number;
      const slot = posting >>> 8;
      if (mortal && (expiry[slot] as number) <= now) continue;
      const tf = posting & 255;
      const before = own[slot] as number;
      const inSession = among.shared(slot);
      if (inSession < 0) {
        lone++;
        if (before === 0 && !deciding) continue;
      } else {
        const saidBefore = said[inSession] as number;
        if (saidBefore === 0) saying[sessions++] = inSession;
        said[inSession] = saidBefore + tf;
        if (whole[inSession] === 0 && !deciding) continue;
      }
      if (tf > highest) highest = tf;
      counts[slot * stride + at] = tf;
      const stretch = slope * (lengths[slot] as number);
      if (before === 0) touched[count++] = slot;
      const score = before + (full * tf) / (tf + base + (stretch < most ? stretch : most));
      own[slot] = score;
      if (inSession >= 0 && score > (ownMost[inSession] as number)) ownMost[inSession] = score;
    }
    this.highest = highest;
    const rarity = sessionWeight(sessions + lone, documents.sessions.count);
    this.rarities[at] = rarity;
    this.accumulateSessions(search, sessions, weight, rarity, deciding);
    return count;
  }

  /** Adds what the current term earns each session as one document, and the most that it can earn a window in it. */
  private accumulateSessions(search: Search, count: number, weight: number, rarity: number, deciding: boolean): void {
    const { said, saying, whole, nearMost } = this;
    const { length } = search.documents.sessions;
    for (let i = 0; i < count; i++) {
      const session = saying[i] as number;
      const tf = said[session] as number;
      said[session] = 0;
      if (whole[session] === 0 && !deciding) continue;
      const norm = lengthNorm(length[session] as number, search.averageSession, sessionK1, sessionB);
      whole[session] = (whole[session] as number) + rarity * saturation(tf, norm, sessionK1);
      nearMost[session] = (nearMost[session] as number) + weight * saturation(tf, leastNorm);
    }
  }

  /** The second pass. */
  private offerTouched(search: Search, count: number): void {
    const { own, state, touched } = this;
    const { measure } = search;
    const { sessions: among } = search.documents;
    const most = this.loneMost(search);
    const { bounds, saying: sessions } = this;
    let waiting = 0;
    for (let i = 0; i < count; i++) {
      const slot = touched[i] as number;
      const inSession = among.shared(slot);
      if (inSession < 0) {
        if (measure.loneBound(slot, most * (own[slot] as number)) >= search.floor) this.offerLone(search, slot);
      } else if (state[inSession] !== done) {
        state[inSession] = done;
        sessions[waiting] = inSession;
        bounds[waiting++] = this.sessionBound(search, inSession);
      }
    }
    this.offerSessions(search, waiting);
  }

  /** Processes the most promising sessions first, so that the score to beat rises early. */
  private offerSessions(search: Search, count: number): void {
    const { bounds, saying: sessions } = this;
    let highest = 0;
    for (let i = 0; i < count; i++) highest = Math.max(highest, bounds[i] as number);
    for (let above = Infinity, step = 0; step < shares.length; step++) {
      const from = highest * (shares[step] as number);
      if (above < search.floor) return;
      for (let i = 0; i < count; i++) {
        const bound = bounds[i] as number;
        if (bound >= from && bound < above && bound >= search.floor) this.offerSession(search, sessions[i] as number);
      }
      above = from;
    }
  }

  /** The matches of a document that is alone add at most this many times its `own` to its score. */
  private loneMost({ query, average, averageWindow }: Search): number {
    let rarity = 0;
    query.terms.forEach(({ weight }, t) => (rarity = Math.max(rarity, (this.rarities[t] as number) / weight)));
    // Norms grow with length, at most by the ratio of the averages. A matching term occurs at least once.
    const near = Math.max(1, averageWindow / average);
    const norms = (1 + lengthNorm(Infinity, 1)) / (1 + lengthNorm(0, 1, sessionK1, sessionB));
    const alone = ((sessionK1 + 1) / (k1 + 1)) * norms * rarity;
    return (weights.own + weights.near * near + weights.session * alone) / query.ideal;
  }

  /** Scores a document that is alone: it is a window and a session by itself. */
  private offerLone(search: Search, slot: number): void {
    const group = search.documents.groupOf(slot);
    if (group === null && this.saysNoMore(search, slot)) return;
    const { counts, matches, rarities } = this;
    const { documents, query, averageWindow, averageSession } = search;
    const { terms, ideal } = query;
    const length = documents.lengths[slot] as number;
    const windowNorm = lengthNorm(length, averageWindow);
    const sessionNorm = lengthNorm(length, averageSession, sessionK1, sessionB);
    const row = slot * terms.length;
    let near = 0;
    let session = 0;
    for (let t = 0; t < terms.length; t++) {
      const tf = counts[row + t] as number;
      if (tf === 0) continue;
      near += (terms[t] as WeightedTerm).weight * saturation(tf, windowNorm);
      session += (rarities[t] as number) * saturation(tf, sessionNorm, sessionK1);
    }
    matches.own = (this.own[slot] as number) / ideal;
    matches.near = near / ideal;
    matches.session = session / ideal;
    matches.before = 0;
    if (search.measure.bound(slot, matches) < search.floor) return;
    if (group !== null) {
      this.offerGroup(search, group);
      return;
    }
    this.lastScore = this.offer(search, slot);
    this.lastLone = slot;
  }

  /** Offers the members of a group, all of which match as `matches` says, the newest first. */
  private offerGroup(search: Search, group: Group): void {
    const { matches } = this;
    const { documents, index, measure, offers } = search;
    const { members, delay, lead, standsFor } = group;
    if (!offers.wants(standsFor, this.relevance())) return;
    const earliest = offers.earliest(standsFor) - delay;
    let at = index.repeats.firstFrom(group, offers.latest + lead + 1) - 1;
    while (at >= 0) {
      const slot = members[at] as number;
      const time = documents.times[slot] as number;
      if (time < earliest) return;
      const day = measure.isDated ? time - (time % dayMs) : -Infinity;
      if (offers.admits(toRank(measure.highest(slot, matches, day - lead, time + delay)), time)) {
        this.offer(search, slot);
        at--;
      } else at = index.repeats.firstFrom(group, day) - 1;
    }
  }

  /**
   * Whether the document says the same as the one that was scored last, was not said later, and that one's score is not
   * enough.
   */
  private saysNoMore(search: Search, slot: number): boolean {
    const { lastLone: last } = this;
    const { measure, offers } = search;
    if (last < 0 || measure.isParticular || !this.isAlike(search, slot, last)) return false;
    const { said, sessions, times } = search.documents;
    return (
      sessions.opens(slot) === sessions.opens(last) &&
      (said[slot] as number) <= (said[last] as number) &&
      !offers.admits(this.lastScore, times[slot] as number)
    );
  }

  /**
   * Whether two documents say the same of the query's words, and differ in nothing else that a score goes by but their
   * time and place. `prior` tells the importance of documents that are of one length and have the same traits.
   */
  private isAlike({ documents, query }: Search, a: number, b: number): boolean {
    const { own, counts } = this;
    if (own[a] !== own[b]) return false;
    const { lengths, prior, speaker, traits } = documents;
    if (lengths[a] !== lengths[b] || prior[a] !== prior[b] || traits[a] !== traits[b]) return false;
    if (speaker[a] !== speaker[b]) return false;
    const stride = query.terms.length;
    for (let t = 0; t < stride; t++) if (counts[a * stride + t] !== counts[b * stride + t]) return false;
    return true;
  }

  /** The rank of how relevant a document is that matches as `matches` says. */
  private relevance(): number {
    return relevanceRank(relevanceOf((this.matches.own + this.matches.near) / 2));
  }

  /** Returns the score. */
  private offer(search: Search, slot: number): number {
    const { matches } = this;
    const { measure, offers } = search;
    const score = toRank(measure.score(slot, matches));
    if (score < offers.floor) return score;
    if (offers.offer(slot, score, this.relevance(), () => measure.shares(slot, matches)))
      search.floor = floorOf(offers);
    return score;
  }

  private sessionBound({ query, measure }: Search, session: number): number {
    const { matches } = this;
    matches.own = (this.ownMost[session] as number) / query.ideal;
    matches.near = (this.nearMost[session] as number) / query.ideal;
    matches.session = (this.whole[session] as number) / query.ideal;
    matches.before = matches.own;
    return measure.sessionBound(session, matches);
  }

  /** Goes through the turns of a session and scores those that may be among the best. */
  private offerSession(search: Search, session: number): void {
    const { matches } = this;
    const { measure, offers, query, averageWindow } = search;
    const { window } = search.documents.sessions;
    const { ideal } = query;
    const { size, longestNorm } = this.readLine(search, session);
    const { line, ownInLine: scores } = this;
    matches.session = (this.whole[session] as number) / ideal;
    const nearMost = this.nearMost[session] as number;
    const { said, times } = search.documents;
    /** How many turns, from the first of the window on, are like the one after them. */
    let alike = 0;
    let lastScore = -Infinity;
    let lastSaid = -Infinity;
    for (let at = size - 1; at >= 0; at--) {
      const slot = line[at] as number;
      const first = at - turnsBefore;
      alike = first >= 0 && this.isAlike(search, line[first] as number, line[first + 1] as number) ? alike + 1 : 0;
      // The turn after this one, and its window, say the same.
      if (
        alike >= windowSize &&
        !measure.isParticular &&
        (said[slot] as number) <= lastSaid &&
        !offers.admits(lastScore, times[slot] as number)
      )
        continue;
      lastScore = -Infinity;
      lastSaid = said[slot] as number;
      let sum = 0;
      for (let i = at; i < at + windowSize; i++) sum += scores[i] as number;
      if (sum === 0) continue;
      const norm = lengthNorm((window[slot] as number) / 10, averageWindow);
      matches.own = (scores[at + turnsBefore] as number) / ideal;
      matches.before = (scores[at + turnsBefore - 1] as number) / ideal;
      // Three bounds, each tighter and more expensive than the one before: few turns need the last.
      const rough = longestNorm > norm ? (sum * longestNorm) / norm : sum;
      matches.near = (rough < nearMost ? rough : nearMost) / ideal;
      if (measure.bound(slot, matches) < search.floor) continue;
      matches.near = this.nearBound(search, at, size, norm) / ideal;
      if (measure.bound(slot, matches) < search.floor) continue;
      matches.near = this.nearOf(query, at, size, norm) / ideal;
      if (measure.bound(slot, matches) >= search.floor) lastScore = this.offer(search, slot);
    }
  }

  /** Reads the session into `line` and `ownInLine`. */
  private readLine({ documents, average }: Search, session: number): { size: number; longestNorm: number } {
    const { sessions, lengths } = documents;
    this.line = withRoom(this.line, sessions.size(session), 64, 0);
    this.ownInLine = withRoom(this.ownInLine, sessions.size(session) + windowSize, 64, 0);
    const { line, own, ownInLine } = this;
    let size = 0;
    let longest = 0;
    for (let slot = sessions.heads[session] as number; slot >= 0; slot = sessions.next[slot] as number) {
      ownInLine[size + turnsBefore] = own[slot] as number;
      line[size++] = slot;
      const length = lengths[slot] as number;
      if (length > longest) longest = length;
    }
    for (let after = 0; after < turnsAfter; after++) ownInLine[size + turnsBefore + after] = 0;
    return { size, longestNorm: lengthNorm(longest, average) };
  }

  /** An upper bound of what `nearOf` returns (RecallScorer.C4). */
  private nearBound({ documents, average }: Search, at: number, size: number, norm: number): number {
    const { own, line } = this;
    const { lengths } = documents;
    const y = this.highest / leastNorm;
    const last = Math.min(windowSize, size - at + turnsBefore);
    let bound = 0;
    for (let i = Math.max(0, turnsBefore - at); i < last; i++) {
      const slot = line[at + i - turnsBefore] as number;
      const score = own[slot] as number;
      if (score === 0) continue;
      const turn = 0.1 * (windowTenths[i] as number) * lengthNorm(lengths[slot] as number, average);
      bound += score * (turn >= norm ? turn / norm : (turn * (y + 1)) / (turn * y + norm));
    }
    return bound;
  }

  /** The exact BM25 of the window around the document at index `at` of the line. */
  private nearOf({ terms }: WeighedQuery, at: number, size: number, norm: number): number {
    const { own, line, counts, tenths } = this;
    const stride = terms.length;
    tenths.fill(0, 0, stride);
    for (let i = Math.max(0, turnsBefore - at); i < windowSize && at + i - turnsBefore < size; i++) {
      const slot = line[at + i - turnsBefore] as number;
      if (own[slot] === 0) continue;
      const share = windowTenths[i] as number;
      for (let t = 0, row = slot * stride; t < stride; t++)
        tenths[t] = (tenths[t] as number) + share * (counts[row + t] as number);
    }
    let near = 0;
    for (let t = 0; t < stride; t++) {
      const said = tenths[t] as number;
      if (said > 0) near += (terms[t] as WeightedTerm).weight * saturation(said / 10, norm);
    }
    return near;
  }

  private clear(count: number, documents: Documents, stride: number): void {
    const { own, counts, whole, nearMost, ownMost, state, touched } = this;
    const { session, bound } = documents.sessions;
    if (count > documents.bound / denseShare) {
      own.fill(0, 0, documents.bound);
      counts.fill(0, 0, documents.bound * stride);
      for (const column of [whole, nearMost, ownMost, state]) column.fill(0, 0, bound);
      return;
    }
    for (let i = 0; i < count; i++) {
      const slot = touched[i] as number;
      const inSession = session[slot] as number;
      own[slot] = 0;
      for (let t = 0, row = slot * stride; t < stride; t++) counts[row + t] = 0;
      if (inSession >= 0) whole[inSession] = nearMost[inSession] = ownMost[inSession] = state[inSession] = 0;
    }
  }
}

/**
 * How many of the query's terms, the rarest ones, a document's window must contain at least one of. A window that
 * contains only the others cannot match as much of the query as the offers require.
 */
function countDeciding({ terms, ideal }: WeighedQuery, { leastMatch }: Offers): number {
  let deciding = terms.length;
  for (let most = 0; deciding > 0; deciding--) {
    most += (k1 + 1) * (terms[deciding - 1] as WeightedTerm).weight;
    if (most >= leastMatch * ideal) break;
  }
  return deciding;
}

/** The lowest score that rounds to the floor, less a small tolerance. */
const floorOf = (offers: Offers): number => (offers.floor - 0.5) / ranks - tolerance;

function newest(documents: Documents, offers: Offers): void {
  const rank = relevanceRank(unasked);
  if (rank < offers.least) return;
  documents.newestFirst(
    (latest) => offers.admits(rank, latest),
    (slot) => offers.offer(slot, rank, rank, () => ({})),
  );
}
