/**
 * What a text of JSON would cost to parse and validate, found in one pass over its bytes before anything is parsed: an
 * element costs as much as a long text, and a MiB may hold 500,000 of them.
 */
export interface JsonSize {
  /** How deeply it is nested. */
  depth: number;
  /** Values and names of fields. */
  elements: number;
  /** Whether it has a \u escape. */
  escapes: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
/** Texts that go on for longer are looked through by native code, which costs too much for each short one. */
const shortText = 64;

/** Ends as soon as it is nested deeper than `maxDepth`. What is not JSON gets some size. */
export function jsonSize(body: Buffer, maxDepth: number): JsonSize {
  let depth = 0;
  let inString = false;
  let plain = 0;
  let nextQuote = -1;
  const size: JsonSize = { depth: 0, elements: 0, escapes: false };
  for (let i = 0; i < body.length; i++) {
    const c = body[i];
    if (inString) {
      if (c === quote) inString = false;
      else if (c === backslash) {
        i++;
        if (body[i] === 0x75) size.escapes = true;
        plain = 0;
      } else if (++plain === shortText) {
        plain = 0;
        if (nextQuote <= i) nextQuote = body.indexOf(quote, i);
        if (nextQuote === -1) nextQuote = body.length;
        const escape = body.subarray(0, nextQuote).indexOf(backslash, i);
        i = (escape === -1 ? nextQuote : escape) - 1;
      }
    } else if (c === quote) {
      inString = true;
      plain = 0;
    } else if (c === 0x2c || c === 0x3a) size.elements++;
    else if (c === 0x7b || c === 0x5b) {
      size.elements++;
      if (++depth > size.depth) size.depth = depth;
      if (depth > maxDepth) break;
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return size;
}

/** Text of a client for a terminal: control characters, line ends and changes of direction are written as `\\u{1b}`. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);

/** The same for people who decide by it: its lines and tabs stay. */
export const readable = (text: string): string => text.replace(/[^\n\t]+/g, printable);
