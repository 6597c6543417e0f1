/**
 * Which terms of a memory space a word may be meant to be that none of its documents has: those that differ from it in
 * one letter that is missing, too many, another, or changed places with its neighbour.
 */
import type { Postings } from './postings.js';

/** Shorter words differ in a letter from too many others. */
const shortest = 5;
const longest = 24;
/** The rarest of those found: who misspells a word means one that is worth asking for. */
const mostMeant = 2;
const plain = /^[a-z]+$/;
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

export function corrected(term: string, postings: Postings): number[] {
  if (term.length < shortest || term.length > longest || !plain.test(term)) return [];
  const found = new Set<number>();
  const look = (name: string): void => {
    const known = postings.find(name);
    if (known !== undefined) found.add(known);
  };
  for (let i = 0; i <= term.length; i++) {
    const before = term.slice(0, i);
    const after = term.slice(i);
    for (const letter of letters) {
      look(before + letter + after);
      if (after !== '') look(before + letter + after.slice(1));
    }
    if (after !== '') look(before + after.slice(1));
    if (after.length > 1) look(`${before}${after[1] ?? ''}${after[0] ?? ''}${after.slice(2)}`);
  }
  return [...found].sort((a, b) => postings.frequency(a) - postings.frequency(b)).slice(0, mostMeant);
}
