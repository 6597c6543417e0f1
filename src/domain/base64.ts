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
