/**
 * Computes the score of one document, feature by feature (features.ts), once its matches are known, and upper bounds of
 * that score. A score grows with each of the matches, so it is bounded by the score of the highest possible matches.
 */
import type { Documents } from './documents.js';
import { dateFloor, dayMs, features, halfLifeMs, weights, lengthValue, type Shares } from './features.js';
import type { Asked } from './offers.js';
import { type AskedDate, dateMatch, periodMayMatch } from './query-form.js';
import { ASKS, ENDS_ASKING, SAYS_I, SAYS_YOU, TELLS_NUMBER, TELLS_TIME } from './traits.js';

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
  private readonly documents: Documents;
  private readonly date: AskedDate | null;
  private readonly when: boolean;
  private readonly howMany: boolean;
  private readonly now: number;
  /** The only speaker that the query names; -1 if it names none or several. */
  private readonly named: number;
  /** Upper bounds: of what depends on the gate, and of what a date adds without it. */
  private readonly gated: number;
  private readonly ungated: number;
  /** The few documents that contain a rare term of the query. */
  rare: readonly number[] = [];

  constructor(documents: Documents, { form, now }: Asked) {
    this.documents = documents;
    this.date = form.date;
    this.when = form.asksWhen;
    this.howMany = form.asksHowMany;
    this.now = now;
    this.named = documents.hasSpeakers ? namedSpeaker(documents, form.names()) : -1;
    const dated = form.date === null ? 0 : weights.date * (form.date.day === null ? 1 : 2);
    this.gated =
      (this.named >= 0 ? weights.speaker : 0) +
      (this.when ? weights.whenTime : 0) +
      (this.howMany ? weights.many : 0) +
      dated;
    this.ungated = dateFloor * dated;
  }

  /** Whether a score depends on the day when the document was said, in UTC. */
  get isDated(): boolean {
    return this.date !== null;
  }

  /** Whether the score of a document does not only fall with its age, or depends on which document it is. */
  get isParticular(): boolean {
    return this.date !== null || this.rare.length > 0;
  }

  /** The score of a document, before rounding. */
  score(slot: number, matches: Matches): number {
    const said = this.documents.said[slot] as number;
    return this.scoreOf(slot, matches, said, this.date ? dateMatch(this.date, said) : 0);
  }

  /**
   * The highest score that the document would have if it had been said between these times, which are at most two days
   * apart. The terms are added in the same order as in `score`, so that rounding cannot make this the lower one.
   */
  highest(slot: number, matches: Matches, earliest: number, latest: number): number {
    const { date } = this;
    let dated = 0;
    if (date)
      for (let at = latest; ; at -= dayMs) {
        dated = Math.max(dated, dateMatch(date, Math.max(at, earliest)));
        if (at <= earliest) break;
      }
    return this.scoreOf(slot, matches, latest, dated);
  }

  /** The score if it had been said at this time, and its date matched as well as this. */
  private scoreOf(slot: number, { own, near, session, before }: Matches, said: number, dated: number): number {
    const { documents } = this;
    const bits = documents.traits[slot] as number;
    const gate = Math.min(1, own + near);
    values[0] = weights.own * own;
    values[1] = weights.near * near;
    values[2] = weights.session * session;
    values[3] = this.answers(slot) ? weights.answer * before : 0;
    values[4] = this.named >= 0 && documents.speaker[slot] === this.named ? weights.speaker * gate : 0;
    values[5] = bits & ASKS ? weights.asks : 0;
    values[6] = weights.length * lengthValue(documents.lengths[slot] as number);
    values[7] = bits & SAYS_I ? weights.me : 0;
    values[8] = bits & SAYS_YOU ? weights.you : 0;
    values[9] = this.opens(slot) ? weights.opens : 0;
    values[10] = this.when && bits & TELLS_TIME ? weights.whenTime * gate : 0;
    values[11] = this.howMany && bits & TELLS_NUMBER ? weights.many * gate : 0;
    values[12] = weights.date * (dateFloor + gate) * dated;
    values[13] = this.rare.includes(slot) ? weights.rare : 0;
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

  /**
   * An upper bound of the document's score if its matches are at most these. Takes a fraction of the time of `score`.
   */
  bound(slot: number, { own, near, session, before }: Matches): number {
    const gate = own + near < 1 ? own + near : 1;
    const bound =
      weights.own * own +
      weights.near * near +
      weights.session * session +
      (this.documents.prior[slot] as number) +
      gate * this.gated +
      this.ungated +
      (this.opens(slot) ? weights.opens : 0) +
      weights.recency;
    const answered = before > 0 && this.answers(slot) ? bound + weights.answer * before : bound;
    return this.rare.length > 0 && this.rare.includes(slot) ? answered + weights.rare : answered;
  }

  /** The same bound for a document that is alone, given the most that its matches can add. */
  loneBound(slot: number, matched: number): number {
    const bound =
      matched +
      (this.documents.prior[slot] as number) +
      this.gated +
      this.ungated +
      (this.opens(slot) ? weights.opens : 0) +
      weights.recency;
    return this.rare.length > 0 && this.rare.includes(slot) ? bound + weights.rare : bound;
  }

  /** The same bound for all documents of a session, if none of them has higher matches than these. */
  sessionBound(session: number, { own, near, session: whole, before }: Matches): number {
    const { sessions } = this.documents;
    const gate = own + near < 1 ? own + near : 1;
    let bound =
      weights.own * own +
      weights.near * near +
      weights.session * whole +
      weights.answer * before +
      (sessions.prior[session] as number) +
      gate * this.gated +
      this.ungated +
      weights.opens +
      weights.recency;
    if (
      this.date &&
      !periodMayMatch(this.date, sessions.earliest[session] as number, sessions.latest[session] as number)
    )
      bound -= weights.date * (dateFloor + gate) * (this.date.day === null ? 1 : 2);
    for (const slot of this.rare) if (sessions.session[slot] === session) return bound + weights.rare;
    return bound;
  }

  private opens(slot: number): boolean {
    return this.documents.sessions.opens(slot);
  }

  /** Whether the turn before it ends with a question. */
  private answers(slot: number): boolean {
    const { sessions, traits } = this.documents;
    const previous = sessions.previous[slot] as number;
    return previous >= 0 && ((traits[previous] as number) & ENDS_ASKING) !== 0;
  }
}

function namedSpeaker(documents: Documents, names: readonly string[]): number {
  let found = -1;
  for (const name of names) {
    const number = documents.speakerNumber(name);
    if (number === undefined || number === found) continue;
    if (found >= 0) return -1;
    found = number;
  }
  return found;
}
