/**
 * Forms of texts: what is equal but for case, the known name nearest to a mistyped one, base64, URLs.
 *
 * One form of texts that differ in case alone, by Unicode's full case folding and canonical equivalence: "FLUSS",
 * "Fluß" and "fluss" are one text, and so are the composed and the decomposed "é". Languages are not looked at, so a
 * Turkish "ı" is no "i".
 *
 *  FoldCase.F1 Texts that are canonically equivalent, or differ in case, have one form, which is its own form.
 */
const beyondAscii = /[^\x00-\x7f]/;
/** What has another form in upper case, without "ı", whose upper case is that of "i". */
const folding = /[^\x00-\x7fı]+/g;
const finalSigma = /ς/g;

export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (!beyondAscii.test(lower)) return lower;
  // the detour over upper case takes apart what is one letter in lower case only, such as "ß"
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(folding, (run) => run.toUpperCase().toLowerCase())
    .replace(finalSigma, 'σ')
    .normalize('NFC');
}

/* Suggests the known name nearest to a mistyped one. */

/**
 * Returns the known name with the smallest edit distance, if that is at most a third of the typed length; otherwise
 * undefined.
 */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.floor(typed.length / 3) + 1;
  for (const name of known) {
    const edits = editDistance(typed, name);
    if (edits < least) {
      least = edits;
      best = name;
    }
  }
  return best;
}

/**
 * The number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string
 * alignment).
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((last[j - 1] ?? 0) + same, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/**
 * Whether a text is base64, found by native code: it decodes all characters that it knows, and passes over others, so
 * that fewer bytes come of a text that has any (of characters beyond ASCII it looks at a part, so those are refused
 * as well). An expression takes ten times as long, which of a message with files is
 * a long turn of the event loop.
 */
const paddingOf = (text: string): number => (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

/** The bytes that a text in base64 stands for. */
export const base64Bytes = (text: string): number => Math.floor(((text.length - paddingOf(text)) * 3) / 4);

/** What native code looks at again, character by character, where any of them is bad; a multiple of four. */
const sliceChars = 64 * 1024;

/** In the standard alphabet or the one for URLs, with its padding or without (RFC 4648). */
export function isAnyBase64(text: string): boolean {
  if (text.endsWith('=') ? text.length % 4 !== 0 : text.length % 4 === 1) return false;
  if (Buffer.byteLength(text) !== text.length) return false;
  for (let at = 0; at < text.length; at += sliceChars) {
    const slice = text.slice(at, at + sliceChars);
    const isLast = at + sliceChars >= text.length;
    if ((!isLast && slice.endsWith('=')) || Buffer.from(slice, 'base64').length !== base64Bytes(slice)) return false;
  }
  return true;
}

const forUrls = (text: string): boolean => text.includes('-') || text.includes('_');

/** In the standard alphabet, with its padding or without. */
export const isBase64 = (text: string): boolean => isAnyBase64(text) && !forUrls(text);

/** In the standard alphabet, with its padding. */
export const isPaddedBase64 = (text: string): boolean => text.length % 4 === 0 && isBase64(text);

/**
 * Parses a text as a URL by the WHATWG rules; null if it is not one. Do not call `URL.canParse` first: once it has
 * become hot, Node 20 rejects every URL with a letter between U+0080 and U+00FF (`https://bücher.example`).
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
