/**
 * Splits text into terms, in linear time.
 *
 *  - Words are runs of letters, digits and marks, folded: without case and accents. English words are stemmed, and stop words
 *    left out.
 *  - An identifier that contains a digit, `@` or `_` is one term in addition to the terms of its parts: "ORD-1234" is
 *    indexed as ord, 1234 and ord-1234, so that it is found by each and best by the whole.
 *  - In a script without spaces, every character and every pair of neighbouring characters is a term.
 *  - An emoji is a term.
 *  - A term has at most 64 characters; longer ones are truncated, in documents and in queries alike.
 */
import { stemmer } from 'stemmer';
import { memoize } from '../base/memoize.js';
import { foldCase } from '../domain/shared/text-forms.js';
import { baseOf } from '../english/irregular-forms.js';

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
 * How many words a term counts as. Of a script without spaces, characters and pairs of them are terms, and a word of
 * two characters is about three of these.
 */
export const wordsIn = (term: string): number => (isDense(term) ? partOfWord : 1);
const partOfWord = 1 / 3;
const firstDense = 0x0e00;
export const isDense = (term: string): boolean =>
  term.charCodeAt(0) >= firstDense && classOf(term.codePointAt(0) ?? 0) === DENSE;

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

// Characters: their classes, and one form for different spellings of a word. Both take time linear in the length of the
// text. The classes come from Unicode properties, looked up once per character and then cached.

/** A character that ends a word. */
const SEPARATOR = 1;
/** A letter, digit or mark of a script that puts spaces between words. */
const WORD = 2;
/** A letter of a script without spaces (Chinese, Japanese, Thai ...) or one that joins particles to words (Korean). */
const DENSE = 3;
/** A character that holds an identifier together when it is between word characters: ORD-1234, bob@example.com. */
const JOINER = 4;
/** A character that has a meaning of its own, such as an emoji. */
const PICTOGRAPH = 5;

const wordCharacter = /[\p{L}\p{N}\p{M}]/u;
const denseScript =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const pictograph = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

function classify(character: string): number {
  if ('-_.@:+'.includes(character)) return JOINER;
  if (wordCharacter.test(character)) return denseScript.test(character) ? DENSE : WORD;
  return pictograph.test(character) ? PICTOGRAPH : SEPARATOR;
}

/** Classes of the characters of the basic plane, filled in as they are met; 0 means not known yet. */
const known = new Uint8Array(0x10000);

/** The class of a code point: one of the constants above. */
function classOf(codePoint: number): number {
  if (codePoint > 0xffff) return classify(String.fromCodePoint(codePoint));
  return known[codePoint] || (known[codePoint] = classify(String.fromCharCode(codePoint)));
}

const beyondAscii = /[^\x00-\x7f]/;
/**
 * Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, soft hyphens, zero-width characters and variation
 * selectors. Marks of other scripts count as letters for their readers and are kept. The characters are written as code
 * points, because they are invisible.
 */
const unwanted =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]/g;

/** Folds case, replaces compatibility forms (full-width digits, ligatures), and removes accents. */
const fold = (text: string): string =>
  beyondAscii.test(text)
    ? foldCase(text.normalize('NFKD')).normalize('NFD').replace(unwanted, '').normalize('NFC')
    : text.toLowerCase();

// Words: English stop words are dropped, English endings are cut off (Porter), and irregular forms count as their base
// form. Measured on LoCoMo, stop words and stemming together are worth nine points of R@5. Words of other languages pass
// through: their frequent words get a low weight by their frequency, and an ending that happens to be cut is cut in the
// query too.

/** Apostrophes separate words, so this includes the halves of contractions (don, t, ll), but not `won`, a verb. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself ' +
    'they them their theirs themselves what which who whom whose this that these those am is are was were be been being have has ' +
    'had having do does did doing a an the and but if or because as until while of at by for with about against between into ' +
    'through during before after above below to from up down in out on off over under again further then once here there when ' +
    'where why how all any both each few more most other some such no nor not only own same so than too very s t can will just ' +
    'don should now d ll m o re ve y ain aren couldn didn doesn hadn hasn haven isn mightn mustn needn shan shouldn wasn weren wouldn'
  ).split(' '),
);

/** Longer words are not English prose and stay unchanged, which also bounds the cost of a single word. */
const longestStemmed = 24;
/** V8 keeps the whole text alive behind a longer substring of it, so only shorter words are kept. */
const longestKept = 12;
const wordsKept = 8192;

function toTerm(word: string): string {
  if (stopWords.has(word)) return '';
  return word.length < 3 || word.length > longestStemmed ? word : stemmer(baseOf(word));
}

/** The term for a word of lower-case letters a to z; '' for a stop word. */
export const termOf = memoize(toTerm, wordsKept, longestKept);
