/**
 * The features by which a memory is scored, and their weights. A score is the sum of weight x value; docs/recall.md
 * gives the reason for each feature and the measurements. The weights are deliberately round numbers and not fitted.
 *
 * I, the query's ideal, is the score of a memory of average length that contains each of the query's eight heaviest
 * terms once. Dividing by it makes the first four features comparable between queries. g = min(1, own + near) is the
 * gate: a feature that depends on the form of the query counts only to the extent that the query's words match.
 */
import { ASKS, SAYS_I, SAYS_YOU } from './traits.js';
export const weights = {
  /** BM25 of the memory / I. */
  own: 2,
  /** BM25 of a window over its session, from four turns before to two after / I. */
  near: 6,
  /** BM25 of its whole session, treated as one document / I. */
  session: 6,
  /** `own` of the turn before, if that turn ends with a question mark: this memory may be the answer. */
  answer: 2.5,
  /** g, if the query names exactly one of the context's speakers and that speaker said it. */
  speaker: 1.5,
  /** 1 for a memory that asks a question. */
  asks: -0.5,
  /** ln(1 + number of terms), where at most `longestCounted` terms count. */
  length: 0.5,
  /** 1 for a memory in the first person. */
  me: 0.5,
  /** 1 for a memory that addresses somebody. */
  you: -0.5,
  /** 1 for the first turn of a session. */
  opens: 1,
  /** g, if the query asks when and the memory mentions a time. */
  whenTime: 2.5,
  /** g, if the query asks how many, how long or how often and the memory mentions a number. */
  many: 1.5,
  /** (.3 + g) x (1 if the memory is from the month that the query names, 2 if it is also from the day). */
  date: 4,
  /** 1 for a memory with a term of the query that at most two memories have and whose weight is at least .35 of I. */
  rare: 6,
  /** The memory's importance minus .5; 0 if it has none. */
  importance: 0.5,
  /** 1 for something said now, halving every 30 days. */
  recency: 0.25,
} as const;

export type Feature = keyof typeof weights;
export const features = Object.keys(weights) as Feature[];
/** What each feature contributed to a score; features that contributed nothing are left out. */
export type Shares = Partial<Record<Feature | 'meaning', number>>;

export const longestCounted = 100;
export const dateFloor = 0.3;
export const rareFrequency = 2;
export const rareShare = 0.35;
export const dayMs = 86_400_000;
export const halfLifeMs = 30 * dayMs;

/** The weights of a window's turns, from four before to two after, in tenths because integers add up exactly. */
export const windowTenths = [2, 3, 5, 8, 10, 6, 4] as const;
export const turnsBefore = 4;
export const turnsAfter = 2;

/* The part of a score that does not depend on the query. */

export const lengthValue = (length: number): number => Math.log(1 + Math.min(length, longestCounted));

/** `bits` are those of traits.ts; `importance` is in percent. */
export const priorOf = (bits: number, length: number, importance: number): number =>
  (bits & ASKS ? weights.asks : 0) +
  (bits & SAYS_I ? weights.me : 0) +
  (bits & SAYS_YOU ? weights.you : 0) +
  weights.length * lengthValue(length) +
  weights.importance * (importance / 100 - 0.5);
