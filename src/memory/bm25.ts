/**
 * BM25, the share of a term's weight that a text earns by saying the term `tf` times:
 *
 *   (k1 + 1) tf / (tf + k1 (1 - b + b * length / average length))
 *
 * It is 1 for a term said once in a text of average length, and below k1 + 1 however often it is said. A length counts
 * at most `longest` times the average, else what a long text says once would be worth nothing.
 *
 * A turn and its surroundings are measured with k1 .9 and b .4, a whole session as one text with the usual 1.2 and .75.
 */
export const k1 = 0.9;
export const b = 0.4;
export const sessionK1 = 1.2;
export const sessionB = 0.75;
export const longest = 8;

/** What a length adds to the denominator: k1 (1 - b + b * length / average). */
export function lengthNorm(length: number, average: number, k = k1, slope = b): number {
  return k * (1 - slope + slope * Math.min(longest, length / average));
}

/** The share of a term's weight, given the text's `lengthNorm`. */
export const saturation = (tf: number, norm: number, k = k1): number => ((k + 1) * tf) / (tf + norm);

/** No text has a smaller norm: the limit for one without length. */
export const leastNorm = k1 * (1 - b);
