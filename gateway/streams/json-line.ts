/** NEL, LINE SEPARATOR and PARAGRAPH SEPARATOR, which JSON.stringify leaves as they are. */
const unicodeLineEnds = /[\u0085\u2028\u2029]/g;
const escaped = (end: string): string => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`;

const known = new WeakMap<object, string>();

/** The data of an event as one line of JSON, made once for all streams that it goes to; undefined if it is not JSON. */
export function jsonLine(data: unknown): string | undefined {
  const isObject = typeof data === 'object' && data !== null;
  const made = isObject ? known.get(data) : undefined;
  if (made !== undefined) return made;
  const json = (JSON.stringify(data) as string | undefined)?.replace(unicodeLineEnds, escaped);
  if (isObject && json !== undefined) known.set(data, json);
  return json;
}
