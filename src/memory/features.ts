/**
 * The features by which a memory is scored, and their weights. A score is the sum of weight x value; docs/recall.md
 * gives the reason for each feature and the measurements. The weights are deliberately round numbers and not fitted.
 *
 * I, the query's ideal, is the score of a memory of average length that contains each of the query's eight heaviest
 * terms once. Dividing by it makes the first four features comparable between queries. g = min(1, own + near) is the
 * gate: a feature that depends on the form of the query counts only to the extent that the query's words match.
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
export const turnsBefore = beforeShares.length;
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
export const lengthValue = (length: number): number => lengthValues[Math.min(length, longest)] as number;
const longest = 2000;
const lengthValues = Float64Array.from({ length: longest + 1 }, (_, length) =>
  length <= 75 ? Math.log(1 + Math.min(length, 25)) : Math.log(26) - Math.log((1 + length) / 76),
);
