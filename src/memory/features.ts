/**
 * The features that a memory is scored by, and their weights. A score is the sum of weight x value (docs/recall.md says
 * why each is there and what was measured). The weights are round numbers on purpose: they were not fitted.
 *
 * I, the query's ideal, is what a memory of average length scores that says each of the query's eight heaviest terms
 * once; it makes the first four comparable between queries. g = min(1, own + near) is the gate: what the query's form
 * asks for counts only as far as its words are met.
 */
export const weights = {
  /** BM25 of the memory / I. */
  own: 2,
  /** BM25 of a window over its session, four turns back and two ahead / I. */
  near: 6,
  /** BM25 of its whole session as one document / I. */
  session: 6,
  /** `own` of the turn before, where that one ends with a question mark: this may be the answer. */
  answer: 2.5,
  /** g, where the query names exactly one of the context's speakers, and that one said it. */
  speaker: 1.5,
  /** 1 for a memory that asks something. */
  asks: -0.5,
  /** ln(1 + number of terms, of which at most `longestCounted` count). */
  length: 0.5,
  /** 1 for a memory in the first person. */
  me: 0.5,
  /** 1 for a memory that speaks to somebody. */
  you: -0.5,
  /** 1 for the first turn of a session. */
  opens: 1,
  /** g, for a question of when and a memory that tells a time. */
  whenTime: 2.5,
  /** g, for a question of how many, long or often and a memory that tells a number. */
  many: 1.5,
  /** (.3 + g) x (1 where the month that the query names is the memory's, 2 where the day is too). */
  date: 4,
  /** 1 for a memory with a term of the query that at most two memories have and that is at least .35 of I. */
  rare: 6,
  /** The memory's importance less .5; 0 where it has none. */
  importance: 0.5,
  /** 1 for what was said now, half of it each 30 days before. */
  recency: 0.25,
} as const;

export type Feature = keyof typeof weights;
export const features = Object.keys(weights) as Feature[];
/** What each feature added to a score; features that added nothing are left out. */
export type Shares = Partial<Record<Feature, number>>;

export const longestCounted = 100;
export const dateFloor = 0.3;
export const rareFrequency = 2;
export const rareShare = 0.35;
export const halfLifeMs = 30 * 86_400_000;

/** Weights of the turns of a window in tenths, from four turns before to two after: whole numbers add up exactly. */
export const windowTenths = [2, 3, 5, 8, 10, 6, 4] as const;
export const turnsBefore = 4;
export const turnsAfter = 2;
