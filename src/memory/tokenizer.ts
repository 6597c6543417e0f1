/**
 * Splits text into terms, in linear time.
 *
 *  - Words are runs of letters, digits and marks, folded (characters.ts). English words are stemmed and stop words left
 *    out (words.ts).
 *  - An identifier that contains a digit, `@` or `_` is one term in addition to the terms of its parts: "ORD-1234" is
 *    indexed as ord, 1234 and ord-1234, so that it is found by each and best by the whole.
 *  - In a script without spaces, every character and every pair of neighbouring characters is a term.
 *  - An emoji is a term.
 *  - A term has at most 64 characters; longer ones are truncated, in documents and in queries alike.
 */
import { classOf, DENSE, fold, JOINER, PICTOGRAPH, WORD } from './characters.js';
import { termOf } from './words.js';

const longestTerm = 64;

/** Calls `emit` with each term of the text, in order and including repetitions. */
export function tokenize(text: string, emit: (term: string) => void): void {
  const folded = fold(text);
  for (let at = 0; at < folded.length;) {
    const code = folded.codePointAt(at) ?? 0;
    const kind = classOf(code);
    if (kind === WORD) at = compound(folded, at, emit);
    else if (kind === DENSE) at = denseRun(folded, at, emit);
    else {
      const next = at + (code > 0xffff ? 2 : 1);
      if (kind === PICTOGRAPH) emit(folded.slice(at, next));
      at = next;
    }
  }
}

/** Emits the words, and the identifier that they form, from `start`. Returns where they end. */
function compound(text: string, start: number, emit: (term: string) => void): number {
  let at = start;
  let parts = 0;
  let identifier = false;
  for (;;) {
    const from = at;
    let letters = true;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code >= 97 && code <= 122) continue;
      if (code >= 0xd800 && code <= 0xdfff) {
        if (classOf(text.codePointAt(at) ?? 0) !== WORD) break;
        at++;
      } else if (classOf(code) !== WORD) break;
      letters = false;
      if (code >= 48 && code <= 57) identifier = true;
    }
    parts++;
    const word = text.slice(from, Math.min(at, from + longestTerm));
    const term = letters ? termOf(word) : word;
    if (term !== '') emit(term);
    const joiner = text.charCodeAt(at);
    if (at + 1 >= text.length || classOf(joiner) !== JOINER || classOf(text.codePointAt(at + 1) ?? 0) !== WORD) break;
    if (joiner === 64 || joiner === 95) identifier = true;
    at++;
  }
  if (parts > 1 && identifier) emit(text.slice(start, Math.min(at, start + longestTerm)));
  return at;
}

/** Emits the characters and pairs of a run in a script without spaces, from `start`. Returns where the run ends. */
function denseRun(text: string, start: number, emit: (term: string) => void): number {
  let previous = '';
  for (let at = start; ;) {
    const code = text.codePointAt(at);
    if (code === undefined || classOf(code) !== DENSE) return at;
    const character = String.fromCodePoint(code);
    emit(character);
    if (previous !== '') emit(previous + character);
    previous = character;
    at += character.length;
  }
}

/**
 * Where to cut a long text so that its pieces can be tokenized one by one: after `from` and at most `size` characters
 * later, between words if there is such a place in the last 128 characters, and never inside a surrogate pair.
 */
export function pieceEnd(text: string, from: number, size: number): number {
  const end = from + size;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - 128 && at > from + 1; at--) {
    const kind = classOf(text.charCodeAt(at));
    if (kind !== WORD && kind !== JOINER && kind !== DENSE && !isLowSurrogate(text, at)) return at;
  }
  return isLowSurrogate(text, end) ? end - 1 : end;
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
