/**
 * Relevance is how much of a query a memory and its surroundings match, from 0 to 1. It means the same for every query
 * and every space: a memory that contains a quarter of the query, by weight, has about .25. It is the mean of `own`
 * and `near` (features.ts) up to .75. From there it approaches 1 without reaching it, because repetition can lift BM25
 * above the ideal. Hits are ordered by the whole score; thresholds apply to relevance.
 */
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
