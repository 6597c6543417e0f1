/**
 * What the form of a query asks for, in addition to its words: a time, a number, the memories of a date, or those of a
 * person. Only English forms are recognised; a query in another language is judged by its words alone.
 */

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

/** May contain a sequence more than once. Words contain no spaces, so their `nameKey` is their lower-case form. */
function namesIn(text: string): string[] {
  const words = (text.match(word) ?? []).map((word) => word.replace(trailing, '').toLowerCase());
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
