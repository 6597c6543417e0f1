/**
 * Relevance says how much of a query a memory and its surroundings say, from 0 to 1, and means the same for every query
 * and every context: who says a quarter of what was asked, by weight, has about .25. It is the mean of `own` and `near`
 * (features.ts) up to .75; from there it nears 1 without reaching it, because repetition can lift BM25 above the ideal.
 * The order of hits goes by the whole score; relevance is what floors are set on.
 */
const knee = 0.75;

/** Relevance is told in ten-thousandths, so that what is equal to the reader is equal here; scores are kept alike. */
export const ranks = 10_000;

/** `match` is (own + near) / 2 as a share of the ideal. Grows with it, from 0 to below 1. */
export function relevanceOf(match: number): number {
  return match <= knee ? match : 1 - (1 - knee) * Math.exp((knee - match) / (1 - knee));
}

/**
 * Halves are common, because lengths and counts are small whole numbers; which side of one a sum falls on is decided by
 * its last bit. A little off the half, equal memories get equal ranks.
 */
const offTheHalf = 1e-6;
/** A whole number of ten-thousandths, halves down. */
export const toRank = (value: number): number => Math.round(value * ranks - offTheHalf);
/** Of a relevance: at least one, because a hit says something. */
export const relevanceRank = (relevance: number): number => Math.max(1, toRank(relevance));
