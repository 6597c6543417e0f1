/** What models send, read and made storable: lone surrogates and NUL have been seen, and JSON in prose. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

const deepest = 64;

/** The value with all of its texts storable; undefined if it is nested too deeply. */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return undefined;
  const whole = Array.isArray(value) ? value.map((item) => ['', item] as const) : Object.entries(value);
  const made = whole.map(([key, item]) => [storable(key), storableJson(item, depth + 1)] as const);
  if (made.some(([, item]) => item === undefined)) return undefined;
  return Array.isArray(value) ? made.map(([, item]) => item) : Object.fromEntries(made);
}

/** Undefined if the text is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON of a text, which may stand in prose or in a code block from `begins` on; undefined if there is none. */
export const jsonIn = (text: string, begins: RegExp): unknown =>
  parsedJson(text) ??
  parsedJson(text.slice(text.search(begins), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1));
