/**
 * Splits plain text into lines and sentences. Linear in the length of any text, because inputs may be as long as a
 * mailbox message and this blocks the event loop.
 */

/** The first `max` characters, with an ellipsis if there were more. Never splits a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const half = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, half ? max - 1 : max)}…`;
}

/** Shortens a text to one line, for thoughts and for naming it in an answer. */
export const brief = (text: string, max = 160): string =>
  cut(
    text
      .slice(0, max * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    max,
  ).toWellFormed();

const space = /\s/;
const closers = new Set(['"', "'", '”', '’', ')', ']', '»']);
const abbreviations: ReadonlySet<string> = new Set(
  'dr mr mrs ms prof st no vs etc e.g i.e approx inc ltd co jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  ),
);
const longestAbbreviation = 6;

/** Whether the full stop at `at` ends an abbreviation or a list number rather than a sentence. */
function abbreviates(line: string, start: number, at: number): boolean {
  let from = at;
  while (from > start && at - from <= longestAbbreviation && !space.test(line.charAt(from - 1))) from--;
  const word = line.slice(from, at).toLowerCase();
  return abbreviations.has(word) || (from === start && /^\d+$/.test(word));
}

/** The end (exclusive) of the sentence that begins at `start`. */
export function sentenceEnd(line: string, start: number): number {
  for (let i = start; i < line.length; i++) {
    const c = line.charAt(i);
    if (c === '。' || c === '！' || c === '？') return i + 1;
    if (c !== '.' && c !== '!' && c !== '?') continue;
    let end = i + 1;
    while (end < line.length && closers.has(line.charAt(end))) end++;
    if (end < line.length && !space.test(line.charAt(end))) {
      i = end - 1;
      continue;
    }
    let next = end;
    while (next < line.length && space.test(line.charAt(next))) next++;
    if (c === '.' && next < line.length && (abbreviates(line, start, i) || /\p{Ll}/u.test(line.charAt(next)))) {
      i = next - 1;
      continue;
    }
    return end;
  }
  return line.length;
}

const question = /[?？]["'”’)\]»]*$/;
export const endsAsQuestion = (sentence: string): boolean => question.test(sentence.slice(-8));
