/**
 * How a memory is scored: the features and their weights, BM25, and relevance.
 *
 * A score is the sum of weight x value over the features; docs/recall.md gives the reason for each feature and the
 * measurements. The weights are deliberately round numbers and not fitted. The query's ideal, I, is the score of a
 * memory of average length that contains each of the query's eight heaviest terms once. Dividing by it makes the first
 * four features comparable between queries. g = min(1, own + near) is the gate: a feature that depends on the form of
 * the query counts only to the extent that the query's words match.
 *
 * BM25 is the share of a term's weight that a text earns by containing the term `tf` times:
 *
 *   (k1 + 1) tf / (tf + k1 (1 - b + b * length / average length))
 *
 * It is 1 for a term that occurs once in a text of average length, and stays below k1 + 1 however often the term
 * occurs. A length counts as at most `longest` times the average; otherwise a single occurrence in a long text would be
 * worth nothing. A turn and its window are measured with k1 .9 and b .75, the part of a session with 1.2 and .75.
 *
 * Relevance is how much of a query a memory and its surroundings match, from 0 to 1. It means the same for every query
 * and every space: a memory that contains a quarter of the query, by weight, has about .25. It is the mean of `own` and
 * `near` up to .75. From there it approaches 1 without reaching it, because repetition can lift BM25 above the ideal.
 * Hits are ordered by the whole score; thresholds apply to relevance.
 */
export const weights = {
  /** BM25 of the memory / I. */
  own: 4,
  /** BM25 of a window over its session, from four turns before to two after / I. */
  near: 4,
  /** BM25 of its session, treated as one document / I; of a long turn, more and more its own. */
  session: 3,
  /** `own` of the turn before, if that turn ends with a question mark: this memory may be the answer. */
  answer: 2,
  /** g, if the query names exactly one of the space's speakers and that speaker said it. */
  speaker: 1.5,
  /** g, for what an assistant said, unless the query asks what it said. */
  assistant: -3,
  /** 1 for a memory that asks a question. */
  asks: -0.5,
  /** `lengthValue` of the number of its terms. */
  length: 0.5,
  /** 1 for a memory in the first person. */
  me: 1,
  /** 1 for the first turn of a session. */
  opens: 1,
  /** g, for a memory that says how something is always to be done, or what somebody prefers. */
  standing: 2,
  /** g, if the query asks when and the memory mentions a time. */
  whenTime: 2,
  /** g, if the query asks how many, how long or how often and the memory mentions a number. */
  many: 1,
  /** (.3 + g) x (1 if the memory is from the month that the query names, 2 if it is also from the day). */
  date: 5,
  /** The memory's importance minus .5; 0 if it has none. */
  importance: 0.5,
  /** 1 for something said now, halving every 30 days. */
  recency: 0.1,
} as const;

export type Feature = keyof typeof weights;
export const features = Object.keys(weights) as Feature[];
/** What each feature contributed to a score; features that contributed nothing are left out. */
export type Shares = Partial<Record<Feature | 'meaning', number>>;

export const dateFloor = 0.3;
export const halfLifeMs = 30 * 86_400_000;

/** The shares with which the four turns before a memory, the nearest first, and the two after it are in its window. */
export const beforeShares = [0.8, 0.5, 0.3, 0.2] as const;
export const afterShares = [0.6, 0.4] as const;
export const windowBefore = beforeShares.length;
export const turnsAfter = afterShares.length;

/**
 * A turn of more terms than this is understood by itself: the longer it is, the less its neighbours count for it, and
 * it for them.
 */
const selfContained = 25;
export const neighbourShare = (length: number): number => (length <= selfContained ? 1 : selfContained / length);

/** A session says little of a turn that is longer than this: the rest of the session's share is what it says itself. */
const longTurn = 50;
export const sessionShare = (length: number): number => (length <= longTurn ? 1 : longTurn / length);

/** The terms with which a memory begins say what it is about, and count twice. */
export const leadTerms = 20;

/**
 * A turn of one word says little; one that is longer than people talk is an answer of an assistant, a document or a
 * listing: ln(1 + terms) up to 25, and less again from 75 on.
 */
export const lengthValue = (length: number): number => lengthValues[Math.min(length, longestValued)] as number;
const longestValued = 2000;
const lengthValues = Float64Array.from({ length: longestValued + 1 }, (_, length) =>
  length <= 75 ? Math.log(1 + Math.min(length, 25)) : Math.log(26) - Math.log((1 + length) / 76),
);

export const k1 = 0.9;
export const b = 0.75;
export const sessionK1 = 1.2;
export const sessionB = 0.75;
const longest = 8;

/** The part of the denominator that depends on the length: k1 (1 - b + b * length / average). */
export function lengthNorm(length: number, average: number, k = k1, slope = b): number {
  return k * (1 - slope + slope * Math.min(longest, length / average));
}

/** The share of a term's weight that `tf` occurrences earn, given the text's `lengthNorm`. */
export const saturation = (tf: number, norm: number, k = k1): number => ((k + 1) * tf) / (tf + norm);

const knee = 0.75;

/** Relevance and scores are kept in ten-thousandths, as reported, so that values that look equal are equal here. */
export const ranks = 10_000;

/** `match` is (own + near) / 2, as a share of the ideal. The result grows with it, from 0 to below 1. */
export function relevanceOf(match: number): number {
  return match <= knee ? match : 1 - (1 - knee) * Math.exp((knee - match) / (1 - knee));
}

/**
 * Halves are common, because lengths and counts are small integers, and the last bit of a sum decides on which side of
 * a half it falls. Shifting values slightly off the half gives equal memories equal ranks.
 */
const offTheHalf = 1e-6;
/** Converts to a whole number of ten-thousandths, rounding halves down. */
export const toRank = (value: number): number => Math.round(value * ranks - offTheHalf);
/** The rank of a relevance: at least one, because a hit matches something. */
export const relevanceRank = (relevance: number): number => Math.max(1, toRank(relevance));
