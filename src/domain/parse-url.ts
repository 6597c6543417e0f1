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
