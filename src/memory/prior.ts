/** The part of a memory's score that does not depend on the query: its form and its importance (features.ts). */
import { longestCounted, weights } from './features.js';
import { ASKS, SAYS_I, SAYS_YOU } from './traits.js';

export const lengthValue = (length: number): number => Math.log(1 + Math.min(length, longestCounted));

/** `bits` are those of traits.ts; `importance` is in percent. */
export const priorOf = (bits: number, length: number, importance: number): number =>
  (bits & ASKS ? weights.asks : 0) +
  (bits & SAYS_I ? weights.me : 0) +
  (bits & SAYS_YOU ? weights.you : 0) +
  weights.length * lengthValue(length) +
  weights.importance * (importance / 100 - 0.5);
