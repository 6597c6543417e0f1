/**
 * The URL that a text says by the WHATWG rules, or null where it says none. `URL.canParse` must not be asked first: once
 * it has become hot, Node 20 says no to every URL with a letter between U+0080 and U+00FF (`https://bücher.example`).
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
