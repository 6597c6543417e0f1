/**
 * Classifies characters for the tokenizer, and folds different spellings of a word into one form. Both take time linear
 * in the length of the text. The classes come from Unicode properties, looked up once per character and then cached.
 */

/** A character that ends a word. */
const SEPARATOR = 1;
/** A letter, digit or mark of a script that puts spaces between words. */
export const WORD = 2;
/** A letter of a script without spaces (Chinese, Japanese, Thai ...) or one that joins particles to words (Korean). */
export const DENSE = 3;
/** A character that holds an identifier together when it is between word characters: ORD-1234, bob@example.com. */
export const JOINER = 4;
/** A character that has a meaning of its own, such as an emoji. */
export const PICTOGRAPH = 5;

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
export function classOf(codePoint: number): number {
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

/** Converts to lower case, replaces compatibility forms (full-width digits, ligatures), and removes accents. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return beyondAscii.test(lower) ? lower.normalize('NFKD').replace(unwanted, '').normalize('NFC') : lower;
}
