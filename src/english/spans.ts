/**
 * Checks what a model picks from a turn as worth remembering. The model only points at a span: what is kept is the text
 * of the turn itself.
 *
 *  Spans.P1 A span occurs in its turn word for word, and begins and ends with whole words.
 *  - A span is no question, and what stands before it in its sentence does not doubt, negate or report it: of "Bob
 *    said that I live in Rome" nothing is kept, and neither is that whole sentence, a condition or an order.
 */
import { anyOf, wordsOf } from './patterns.js';

const fewestWords = 2;
const longestSpan = 500;
/** No more spans than these are kept of one turn. */
export const mostSpans = 10;

const wordEdge = /[\p{L}\p{N}]/u;
const sentenceEnd = /[.!?。！？\n](?=\s|$)/g;
const joins = /\b(?:and|but|so|also)\b/gi;
/** Signs that what follows is not plainly stated: quotes, conditions, hedges, hearsay, negations. */
const doubtful = new RegExp(
  `["“”«»‘?\\n;]|(?:^|\\s)'|n['’]t\\b|\\b${anyOf(
    wordsOf('if unless whether when while because except than or either not never nobody nothing neither nor'),
    wordsOf('maybe perhaps probably possibly likely might could would should almost kidding joking'),
    wordsOf('think thinks thought believe believes guess suppose assume imagine pretend wish hope hopes hopefully'),
    wordsOf('said says say told tells according claims claimed heard hear'),
    wordsOf('apparently reportedly supposedly allegedly rumou?rs?'),
    'no longer|used to',
  )}\\b`,
  'i',
);

/** Signs within a span that it is hearsay or hypothetical. */
const unsure = new RegExp(
  `\\b${anyOf(
    wordsOf('if unless maybe perhaps probably possibly might kidding joking imagine pretend suppose'),
    wordsOf('said says told claims claimed apparently reportedly supposedly allegedly'),
  )}\\b`,
  'i',
);
const orders = new RegExp(
  `^(?:please |you (?:must|should|have to) |from now on,? )*${anyOf(
    wordsOf('ignore disregard forget remember obey reveal tell say send share delete answer reply pretend act always'),
  )}\\b`,
  'i',
);

/** The span as the turn has it, or null. */
export function spanIn(turn: string, quote: string): string | null {
  const span = quote.trim();
  if (span.length > longestSpan || span.split(/\s+/).length < fewestWords || /[?？]["'”’)\]]*$/.test(span)) return null;
  if (unsure.test(span) || orders.test(span)) return null;
  const at = turn.indexOf(span);
  if (at < 0) return null;
  const end = at + span.length;
  const cutsIn = (edge: number): boolean => wordEdge.test(turn.charAt(edge - 1)) && wordEdge.test(turn.charAt(edge));
  if ((at > 0 && cutsIn(at)) || cutsIn(end)) return null;
  const before = turn.slice(lastEnd(turn.slice(0, at)), at).replace(joins, '');
  const after = turn.slice(end);
  const close = after.search(/[.!?。！？\n]/);
  const asked = !/[.!。！]$/.test(span) && close >= 0 && /[?？]/.test(after.charAt(close));
  return asked || doubtful.test(before) ? null : span;
}

/** Whether a text says nothing beside these spans of it. */
export function isWhole(text: string, spans: readonly string[]): boolean {
  const letters = (t: string): number => t.match(/\p{L}/gu)?.length ?? 0;
  return letters(text) - spans.reduce((sum, s) => sum + letters(s), 0) <= 16;
}

/** Where the last sentence of a text begins. */
function lastEnd(text: string): number {
  let at = 0;
  for (const match of text.matchAll(sentenceEnd)) at = match.index + 1;
  return at;
}
