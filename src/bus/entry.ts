/** Entries of the transport: the messages of one event-loop turn for one process, encoded as a JSON array. */

/** Beyond this many characters an entry is closed and another one begun. A longer message is an entry of its own. */
export const entrySize = 1024 * 1024;

/** Packs messages, each given as JSON, into as few entries as `entrySize` allows, in order. */
export function encodeEntries(texts: readonly string[]): string[] {
  const entries: string[] = [];
  let from = 0;
  let size = 0;
  for (const [i, text] of texts.entries()) {
    if (i > from && size + text.length > entrySize) {
      entries.push(joined(texts, from, i));
      [from, size] = [i, 0];
    }
    size += text.length + 1;
  }
  if (from < texts.length) entries.push(joined(texts, from, texts.length));
  return entries;
}

const joined = (texts: readonly string[], from: number, to: number): string =>
  `[${(from === 0 && to === texts.length ? texts : texts.slice(from, to)).join(',')}]`;

/** Decodes the messages of an entry; null if it is malformed. */
export function decodeEntry(text: string): unknown[] | null {
  try {
    const messages: unknown = JSON.parse(text);
    return Array.isArray(messages) ? messages : null;
  } catch {
    return null;
  }
}
