/**
 * BM25: the share of a term's weight that a text earns by containing the term `tf` times:
 *
 *   (k1 + 1) tf / (tf + k1 (1 - b + b * length / average length))
 *
 * It is 1 for a term that occurs once in a text of average length, and stays below k1 + 1 however often the term
 * occurs. A length counts as at most `longest` times the average; otherwise a single occurrence in a long text would be
 * worth nothing.
 *
 * A turn and its window are measured with k1 .9 and b .75, the part of a session with 1.2 and .75.
 */
export const k1 = 0.9;
export const b = 0.75;
export const sessionK1 = 1.2;
export const sessionB = 0.75;
export const longest = 8;

/** The part of the denominator that depends on the length: k1 (1 - b + b * length / average). */
export function lengthNorm(length: number, average: number, k = k1, slope = b): number {
  return k * (1 - slope + slope * Math.min(longest, length / average));
}

/** The share of a term's weight that `tf` occurrences earn, given the text's `lengthNorm`. */
export const saturation = (tf: number, norm: number, k = k1): number => ((k + 1) * tf) / (tf + norm);
