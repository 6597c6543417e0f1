/**
 * Finds the best documents of one memory space for a query, in two stages: which documents may be among the best
 * (candidates.ts), and the features and scores of those.
 *
 *  RecallScorer.C1 A document is offered if it, or a turn of its window, has a term of the query, and it may be as
 *     relevant as the search requires.
 *  RecallScorer.C2 A document that has expired at `now` is not offered, and its words contribute nothing to its
 *     neighbours or its session.
 *  - Where the terms of a query have at most `readExactly` postings, every document of RecallScorer.C1 is scored.
 *    Otherwise those around the best few hundred candidates are: the cost does not grow with the space. Where a filter
 *    names few documents, these are the candidates (documents.ts).
 *
 * A query without any terms (only stop words, only punctuation) asks for nothing in particular. It is answered with the
 * newest documents, at the fixed relevance `unasked`, which shows that they were not selected by their content.
 */
import {
  ASKS,
  BY_ASSISTANT,
  type IndexedDocuments,
  ENDS_ASKING,
  SAYS_I,
  STANDS,
  TELLS_NUMBER,
  TELLS_TIME,
} from './documents.js';
import {
  type Shares,
  afterShares,
  beforeShares,
  dateFloor,
  features,
  halfLifeMs,
  k1,
  lengthNorm,
  lengthValue,
  neighbourShare,
  relevanceOf,
  relevanceRank,
  saturation,
  toRank,
  weights,
} from './scoring.js';
import { type PreparedQuery, Offers, Parts, Rows, type TopHits } from './offers.js';
import { type AskedDate, type WeightedTerm, dateMatch, weigh } from './query.js';
import type { EntityRef } from '../store/port.js';
import { type Bounds, Candidates, type Search } from './candidates.js';
import type { SpaceIndex } from './space-index.js';
import type { Numbers } from './postings.js';

/* Computes the score of one document, feature by feature (scoring.ts), once its matches are known. */

/** How well a document and its surroundings match a query, as shares of the query's ideal. */
export interface Matches {
  own: number;
  near: number;
  session: number;
  /** `own` of the turn before, whether or not that turn asks a question. */
  before: number;
}

/** What each feature contributed to the score that was computed last. */
const values = new Float64Array(features.length);

export class Measure {
  private readonly documents: IndexedDocuments;
  private readonly date: AskedDate | null;
  private readonly when: boolean;
  private readonly howMany: boolean;
  private readonly byAssistant: number;
  private readonly now: number;
  /** The only speaker that the query names; -1 if it names none or several. */
  private readonly named: number;

  constructor(documents: IndexedDocuments, { form, now }: PreparedQuery) {
    this.documents = documents;
    this.date = form.date;
    this.when = form.asksWhen;
    this.howMany = form.asksHowMany;
    this.byAssistant = form.asksYou ? 0 : weights.assistant;
    this.now = now;
    this.named = documents.hasSpeakers ? namedSpeaker(documents, form.names()) : -1;
  }

  /** The score of a document, before rounding. */
  score(slot: number, { own, near, session, before }: Matches): number {
    const { documents, date } = this;
    const said = documents.said[slot] as number;
    const bits = documents.traits[slot] as number;
    const gate = Math.min(1, own + near);
    values[0] = weights.own * own;
    values[1] = weights.near * near;
    values[2] = weights.session * session;
    values[3] = this.answers(slot) ? weights.answer * before : 0;
    values[4] = this.named >= 0 && documents.speaker[slot] === this.named ? weights.speaker * gate : 0;
    values[5] = bits & BY_ASSISTANT ? this.byAssistant * gate : 0;
    values[6] = bits & ASKS ? weights.asks : 0;
    values[7] = weights.length * lengthValue(documents.lengths[slot] as number);
    values[8] = bits & SAYS_I ? weights.me : 0;
    values[9] = documents.sessions.opens(slot) ? weights.opens : 0;
    values[10] = bits & STANDS ? weights.standing * gate : 0;
    values[11] = this.when && bits & TELLS_TIME ? weights.whenTime * gate : 0;
    values[12] = this.howMany && bits & TELLS_NUMBER ? weights.many * gate : 0;
    values[13] = date ? weights.date * (dateFloor + gate) * dateMatch(date, said) : 0;
    values[14] = weights.importance * ((documents.importance[slot] as number) / 100 - 0.5);
    values[15] = weights.recency * 2 ** (-Math.max(0, this.now - said) / halfLifeMs);
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[i] as number;
    return sum;
  }

  /** What each feature contributes to the score, rounded to four decimals. */
  shares(slot: number, matches: Matches): Shares {
    this.score(slot, matches);
    const shares: Shares = {};
    features.forEach((feature, i) => {
      const value = Math.round((values[i] as number) * 1e4) / 1e4;
      if (value !== 0) shares[feature] = value;
    });
    return shares;
  }

  /** Whether the turn before it ends with a question. */
  private answers(slot: number): boolean {
    const { sessions, traits } = this.documents;
    const previous = sessions.previous[slot] as number;
    return previous >= 0 && ((traits[previous] as number) & ENDS_ASKING) !== 0;
  }
}

function namedSpeaker(documents: IndexedDocuments, names: readonly string[]): number {
  let found = -1;
  for (const name of names) {
    const number = documents.speakerNumber(name);
    if (number === undefined || number === found) continue;
    if (found >= 0) return -1;
    found = number;
  }
  return found;
}

const unasked = 0.05;
export const readExactly = 10_000;

export class Scorer {
  private readonly rows = new Rows();
  private readonly parts = new Parts();
  private readonly candidates: Candidates;
  /** Rows whose window has the present term. */
  private saying = new Int32Array(0);

  constructor(
    private readonly exactly = readExactly,
    most?: Bounds,
  ) {
    this.candidates = new Candidates(this.rows, this.parts, most);
  }

  /** Offers to `top` what the query finds in one space. `searched` breaks ties between spaces. */
  collect(index: SpaceIndex, space: EntityRef, searched: number, asked: PreparedQuery, top: TopHits): void {
    const { documents } = index;
    const offers = new Offers(index, space, searched, asked, top);
    if (offers.hopeless) return;
    if (asked.profile) {
      profiled(documents, offers);
      return;
    }
    if (asked.terms.length === 0 && asked.also.length === 0) {
      newest(documents, offers);
      return;
    }
    const query = weigh(asked.terms, asked.also, index.postings, documents.count);
    if (query.terms.length === 0) return;
    const average = Math.max(1, documents.totalLength / Math.max(1, documents.count));
    const search: Search = { index, documents, query, now: asked.now, average, offers };
    const measure = new Measure(documents, asked);
    this.rows.reserve(documents.bound);
    this.parts.reserve(documents);
    const postings = query.terms.reduce((sum, { frequency }) => sum + frequency, 0);
    if (postings <= this.exactly) {
      const lists = query.terms.map(({ term }) => index.postings.of(term));
      this.score(search, lists, false);
    } else this.score(search, this.candidates.find(search), true);
    this.offerRows(search, measure);
    this.rows.clear();
    this.parts.clear();
  }

  /**
   * Computes what the terms earn each document, its window and, unless that is known, its part of a session, from
   * lists of postings. `chosen`: only documents with a row count.
   */
  private score(search: Search, lists: readonly Numbers[], chosen: boolean): void {
    const { documents, now, query, average } = search;
    const { lengths, expiry, sessions } = documents;
    const { rows, parts } = this;
    const mortal = documents.mortal > 0;
    for (const [t, { list, from, length }] of lists.entries()) {
      const { weight } = query.terms[t] as WeightedTerm;
      let saying = 0;
      for (let i = from + length - 1; i >= from; i--) {
        const posting = list[i] as number;
        const slot = posting >>> 8;
        if (mortal && (expiry[slot] as number) <= now) continue;
        const tf = posting & 255;
        const size = lengths[slot] as number;
        const said = (k1 * tf) / lengthNorm(size, average);
        if (!chosen) parts.say(sessions.part[slot] as number, tf);
        let row = rows.of[slot] as number;
        if (row === 0 && !chosen) row = rows.add(slot);
        if (row !== 0) {
          rows.own[row] = (rows.own[row] as number) + weight * saturation(said, k1);
          saying = this.say(row, said, saying);
        }
        const lent = said * neighbourShare(size);
        let at = slot;
        for (const share of beforeShares) {
          at = sessions.next[at] as number;
          if (at < 0) break;
          saying = this.sayNear(documents, at, lent * share, saying, chosen);
        }
        at = slot;
        for (const share of afterShares) {
          at = sessions.previous[at] as number;
          if (at < 0) break;
          saying = this.sayNear(documents, at, lent * share, saying, chosen);
        }
      }
      for (let i = 0; i < saying; i++) {
        const row = this.saying[i] as number;
        rows.near[row] = (rows.near[row] as number) + weight * saturation(rows.said[row] as number, k1);
        rows.said[row] = 0;
      }
      if (!chosen) parts.next(weight);
    }
  }

  private sayNear(documents: IndexedDocuments, slot: number, said: number, saying: number, chosen: boolean): number {
    let row = this.rows.of[slot] as number;
    if (row === 0) {
      if (chosen) return saying;
      row = this.rows.add(slot);
    }
    return this.say(row, said * neighbourShare(documents.lengths[slot] as number), saying);
  }

  /** Adds to what the window of a row has of the present term. */
  private say(row: number, said: number, saying: number): number {
    const before = this.rows.said[row] as number;
    this.rows.said[row] = before + said;
    if (before !== 0 || said === 0) return saying;
    if (saying >= this.saying.length) {
      const larger = new Int32Array(Math.max(256, 2 * saying));
      larger.set(this.saying);
      this.saying = larger;
    }
    this.saying[saying] = row;
    return saying + 1;
  }

  private offerRows({ documents, query, offers }: Search, measure: Measure): void {
    const { rows, parts } = this;
    const { own, near, slots } = rows;
    const { previous } = documents.sessions;
    const { ideal } = query;
    const matches = { own: 0, near: 0, session: 0, before: 0 };
    for (let row = 1; row <= rows.count; row++) {
      if (near[row] === 0) continue;
      const slot = slots[row] as number;
      matches.own = (own[row] as number) / ideal;
      matches.near = (near[row] as number) / ideal;
      matches.session = parts.score(slot, own[row] as number) / ideal;
      const before = previous[slot] as number;
      matches.before = before < 0 ? 0 : (own[rows.of[before] as number] as number) / ideal;
      const score = toRank(measure.score(slot, matches));
      if (!offers.admits(score, documents.times[slot] as number)) continue;
      const relevance = relevanceRank(relevanceOf((matches.own + matches.near) / 2));
      offers.offer(slot, score, relevance, () => measure.shares(slot, matches));
    }
  }
}

/** Mail is none: what other agents write is for nobody to follow. */
function profiled(documents: IndexedDocuments, offers: Offers): void {
  const rank = relevanceRank(1);
  for (const slot of documents.profiled ?? [])
    if (documents.kind(slot) !== 'message' && offers.admits(rank, documents.times[slot] as number))
      offers.offer(slot, rank, rank, () => ({}));
}

function newest(documents: IndexedDocuments, offers: Offers): void {
  const rank = relevanceRank(unasked);
  if (rank < offers.least) return;
  const offer = (slot: number): unknown => offers.offer(slot, rank, rank, () => ({}));
  const few = offers.few();
  if (few) few.forEach(offer);
  else
    for (let slot = documents.bound - 1; slot >= 0; slot--)
      if (offers.admits(rank, documents.times[slot] as number)) offer(slot);
}
