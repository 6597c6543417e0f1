/**
 * What a query asks for: by its terms, each with a weight in a memory space, and by its form.
 *
 * The weight of a term is BM25's ln(1 + (N - df + .5) / (df + .5)). N is the number of documents of the space plus
 * `background` imaginary documents without the term: with only a handful of memories, frequencies alone would make
 * every known word look common. A word that no document has weighs as much as one that a single document has.
 *
 * Words that only frame a question ("tell", "our conversations") say little of what it is about: they count
 * `framingShare` of their weight beside others. A word that no document has is taken for a misspelling of one that
 * differs from it in one letter, if there is one: a letter that is missing, too many, another, or changed places with
 * its neighbour.
 *
 * Only the first 8192 characters of a query count (a message may have 32 times that many), and in each space only its
 * `queryTerms` heaviest terms, or up to `denseQueryTerms` where it has characters of a script without spaces.
 *
 * A query may have other wordings beside its own words (english/wordings.ts). They find documents, at a lower weight,
 * and add nothing to what the query asks for: a document that has all of the query's own words matches all of it.
 *
 * By its form a query may ask for a time, a number, the memories of a date, or those of a person. Only English forms
 * are recognised; a query in another language is judged by its words alone.
 */
import { foldCase } from '../domain/shared/text-forms.js';
import { isDense, tokenize, termOf } from './tokenizer.js';
import type { Postings } from './postings.js';

const queryCharacters = 8192;
/** A long statement is told well enough by its heaviest terms. */
export const queryTerms = 12;
const denseQueryTerms = 40;
export const background = 50;
/** An ordinary document has room for this many terms of a query; having all of them is the best possible match. */
const roomForTerms = 8;
const framingShare = 0.3;

/** The distinct terms of a query, in order. */
export function parseQuery(text: string): string[] {
  const terms = new Set<string>();
  tokenize(text.slice(0, queryCharacters), (term) => terms.add(term));
  return [...terms];
}

/** What another wording is worth, as a share of a word of the query itself. */
export const otherWordingShare = 0.7;

export interface WeightedTerm {
  term: number;
  frequency: number;
  weight: number;
}

export interface WeighedQuery {
  /** Sorted by frequency, the rarest first. */
  terms: WeightedTerm[];
  /** The score of an average-length document with each of the query's 8 heaviest terms once: the scale of scores. */
  ideal: number;
}

export function weigh(
  query: readonly string[],
  also: readonly string[],
  postings: Postings,
  documents: number,
): WeighedQuery {
  const found = new Map<number, WeightedTerm>();
  const add = (term: number, share: number): number => {
    const frequency = postings.frequency(term);
    const weight = share * termWeight(frequency, documents);
    if (!found.has(term)) found.set(term, { term, frequency, weight });
    return weight;
  };
  const asks = query.some((name) => !framing.has(name));
  const unknown = termWeight(1, documents);
  // a word of a script without spaces is several terms
  const most = Math.min(queryTerms + query.filter(isDense).length, denseQueryTerms);
  const asked: number[] = [];
  for (const name of query) {
    const share = asks && framing.has(name) ? framingShare : 1;
    const term = postings.find(name);
    if (term === undefined) {
      asked.push(share * unknown);
      for (const meant of corrected(name, postings)) add(meant, otherWordingShare);
    } else asked.push(add(term, share));
  }
  asked.sort((a, b) => b - a);
  const ideal = asked.slice(0, roomForTerms).reduce((sum, weight) => sum + weight, 0) || unknown;
  const own = heaviest([...found.values()], most);
  found.clear();
  for (const name of also) {
    const term = postings.find(name);
    if (term !== undefined && !own.some((other) => other.term === term)) add(term, otherWordingShare);
  }
  const terms = [...own, ...heaviest([...found.values()], most)].sort((a, b) => a.frequency - b.frequency);
  return { terms, ideal };
}

const heaviest = (terms: WeightedTerm[], most: number): WeightedTerm[] =>
  terms.sort((a, b) => b.weight - a.weight).slice(0, most);

export const termWeight = (frequency: number, documents: number): number =>
  Math.log(1 + (documents + background - frequency + 0.5) / (frequency + 0.5));

/** Words with which people frame a question about what was said, whatever it is about. */
const framingWords =
  'tell told say said mention mentioned ask asked list listed give gave given show explain describe summarize summarise ' +
  'summary overview recap walk provide help suggest recommend discuss talk conversation chat session message request ' +
  'question order brought bring aspect different various item comprehensive complete clear please remember recall know ' +
  'ever many much long throughout across total consider base';

const framing: ReadonlySet<string> = new Set(framingWords.split(' ').map(termOf));

/** Shorter words differ in a letter from too many others. */
const shortestCorrected = 5;
const longestCorrected = 24;
/** A misspelled word is taken for the rarest words that it may be. */
const mostMeant = 2;
const plain = /^[a-z]+$/;
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** The terms of a memory space that a word may be meant to be, none of whose documents has it. */
function corrected(term: string, postings: Postings): number[] {
  if (term.length < shortestCorrected || term.length > longestCorrected || !plain.test(term)) return [];
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

/** A month, with year and day if the query names them. */
export interface AskedDate {
  year: number | null;
  /** January is 0. */
  month: number;
  day: number | null;
}

export interface QueryForm {
  asksWhen: boolean;
  asksHowMany: boolean;
  /** Whether it asks what an assistant said. */
  asksYou: boolean;
  date: AskedDate | null;
  /**
   * Returns sequences of one to three words that may be names, in the form of `nameKey`. They are determined by the
   * first call, because many spaces have no speakers.
   */
  names(): readonly string[];
}

const formCharacters = 1024;
const when = /^\s*when\b|\b(?:what|which) (?:date|day|month|year|time)\b/i;
const howMany = /\bhow (?:long|many|often|much)\b/i;
const asksYou =
  /\b(?:did|have|had|would|were) you\b|\byou(?:'ve| have| had)? (?:said|told|gave|mentioned|suggested|recommended|advised|explained|provided|listed|wrote|answered)\b|\byour (?:answer|advice|suggestions?|recommendations?|explanation|list)\b/i;
const monthNames =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const starts = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const namedDate = new RegExp(
  `\\b(?:(\\d{1,2})(?:st|nd|rd|th)? (?:of )?)?(${monthNames})\\b\\.?(?: (\\d{1,2})(?:st|nd|rd|th)?\\b)?(?:,? (\\d{4})\\b)?`,
  'gi',
);
/** "may" and "march" are also verbs, so a month without a day or year counts only after one of these words. */
const beforeMonth = /\b(?:in|of|during|since|until|till|by|before|after|last|this|next|early|mid|late|for)[ -]$/i;
const numericDate = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/;

function dateOf(text: string): AskedDate | null {
  const numeric = numericDate.exec(text);
  if (numeric && Number(numeric[2]) >= 1 && Number(numeric[2]) <= 12)
    return {
      year: Number(numeric[1]),
      month: Number(numeric[2]) - 1,
      day: numeric[3] === undefined ? null : Number(numeric[3]),
    };
  for (const match of text.matchAll(namedDate)) {
    const [, before, name = '', after, year] = match;
    const day = before ?? after;
    if (day === undefined && year === undefined && !beforeMonth.test(text.slice(0, match.index))) continue;
    return {
      year: year === undefined ? null : Number(year),
      month: starts.indexOf(name.slice(0, 3).toLowerCase()),
      day: day === undefined ? null : Number(day),
    };
  }
  return null;
}

const word = /[\p{L}\p{M}\p{N}._-]+/gu;
const trailing = /[.-]+$/;

/** May contain a sequence more than once. Words contain no spaces, so their `nameKey` is their folded form. */
function namesIn(text: string): string[] {
  const words = (foldCase(text).match(word) ?? []).map((word) => word.replace(trailing, ''));
  const names: string[] = [];
  for (let from = 0; from < words.length; from++) {
    let name = words[from] as string;
    names.push(name);
    for (let to = from + 1; to < from + 3 && to < words.length; to++) names.push((name += ` ${words[to]}`));
  }
  return names;
}

export function formOf(query: string): QueryForm {
  const text = query.slice(0, formCharacters);
  let names: readonly string[] | undefined;
  return {
    asksWhen: when.test(text),
    asksHowMany: howMany.test(text),
    asksYou: asksYou.test(text),
    date: dateOf(text),
    names: () => (names ??= namesIn(text)),
  };
}

/** How well a time (ms) matches the requested date: 0 not at all, 1 by its month, 2 by its day. */
export function dateMatch(date: AskedDate, time: number): number {
  const at = new Date(time);
  if (at.getUTCMonth() !== date.month || (date.year !== null && at.getUTCFullYear() !== date.year)) return 0;
  return at.getUTCDate() === date.day ? 2 : 1;
}
