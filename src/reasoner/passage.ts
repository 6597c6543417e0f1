/**
 * The passage of a long text that says most about a query, so that many memories fit where one would fill the prompt.
 *
 *  - Only the first `looked` characters of a text are looked at, or twice its passage, in linear time.
 *  - A passage begins and ends between words, at a sentence where one begins near, and marks what is left out with "…".
 */
import { isDense } from '../memory/tokenizer.js';

const looked = 4096;
/** About sixty words. */
const longest = 360;
const longestDense = 160;
/** How much of a passage stands before the first of what was looked for. */
const before = 90;

const special = /[.*+?^${}()|[\]\\]/g;
const mostTerms = 40;

/** Finds the terms of a query in texts, whatever their endings; null if there are none to look for. */
export function termFinder(terms: readonly string[]): RegExp | null {
  const wanted = terms.filter((term) => term.length > 2 || isDense(term)).slice(0, mostTerms);
  if (wanted.length === 0) return null;
  // a stem that ends with i is one of a word that ends with y
  const stems = wanted.map((term) => (term.length > 3 ? term.replace(/[iey]$/, '') : term));
  return new RegExp(stems.map((stem) => stem.replace(special, '\\$&')).join('|'), 'gi');
}

/** `most` is how many characters the passage has, about. */
export function passageOf(
  text: string,
  finder: RegExp | null,
  most = isDense(text.slice(0, 2)) ? longestDense : longest,
): string {
  const width = Math.max(1, Math.floor(most));
  if (text.length <= width + before) return text;
  const read = text.slice(0, Math.max(looked, 2 * width));
  const from = finder ? bestStart(placesIn(read, finder), width) : 0;
  const start = from === 0 ? 0 : beginning(read, from);
  const end = start + width >= text.length ? text.length : ending(read, start + width);
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`.toWellFormed();
}

interface Place {
  at: number;
  term: string;
}

/** Where a text has what is looked for, the first so many times. */
const mostPlaces = 80;
function placesIn(text: string, finder: RegExp): Place[] {
  const places: Place[] = [];
  for (const match of text.matchAll(finder)) {
    places.push({ at: match.index, term: match[0].toLowerCase() });
    if (places.length === mostPlaces) break;
  }
  return places;
}

/** Where a passage begins that has the most different terms; the first of several. */
function bestStart(found: readonly Place[], width: number): number {
  const inside = new Map<string, number>();
  let best = 0;
  let most = 0;
  let last = 0;
  for (const { at, term } of found) {
    // what stands from the one that is left out first to this one
    inside.set(term, (inside.get(term) ?? 0) + 1);
    for (; at - (found[last]?.at ?? at) > width - before; last++) {
      const gone = found[last]?.term ?? '';
      const left = (inside.get(gone) ?? 1) - 1;
      if (left === 0) inside.delete(gone);
      else inside.set(gone, left);
    }
    if (inside.size <= most) continue;
    most = inside.size;
    best = found[last]?.at ?? 0;
  }
  return Math.max(0, best - before);
}

/** The beginning of a sentence, or else of a word, soon after this. */
function beginning(text: string, from: number): number {
  const near = text.slice(from, from + before);
  const sentence = /[.!?。！？]\s*|\n+/.exec(near);
  if (sentence) return from + sentence.index + sentence[0].length;
  const space = near.indexOf(' ');
  return space < 0 ? from : from + space + 1;
}

function ending(text: string, to: number): number {
  const space = text.lastIndexOf(' ', to);
  return space > to - before ? space : to;
}
