/**
 * A cheap estimate of the size of a value: the number of characters of all texts in it. UTF-8 may take up to three
 * times as many bytes, so limits must leave room for that.
 */
export function textSize(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth > 6) return 0;
  let length = 0;
  for (const key in value) length += textSize((value as Record<string, unknown>)[key], depth + 1);
  return length;
}
