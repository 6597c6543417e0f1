/** Computes the score of one document, feature by feature (scoring.ts), once its matches are known. */
import type { Documents } from './documents.js';
import { dateFloor, features, halfLifeMs, lengthValue, weights, type Shares } from './scoring.js';
import type { Asked } from './offers.js';
import { type AskedDate, dateMatch } from './query.js';
import { ASKS, BY_ASSISTANT, ENDS_ASKING, SAYS_I, STANDS, TELLS_NUMBER, TELLS_TIME } from './traits.js';

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
  private readonly byAssistant: number;
  private readonly now: number;
  /** The only speaker that the query names; -1 if it names none or several. */
  private readonly named: number;

  constructor(documents: Documents, { form, now }: Asked) {
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
