/**
 * ProtoJSON allows field names in camelCase or, as in the .proto file, in snake_case; the conformance kit of 1.0 uses
 * the latter. This converts params to camelCase. What metadata and data contain is the client's, and keeps its names.
 */
import { isObject } from '../fields.js';

const contents: ReadonlySet<string> = new Set(['metadata', 'data']);

export function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = nameOf(key);
      return [name, contents.has(name) ? inner : camelCased(inner)];
    }),
  );
}

/** Matches only from the first _ of a run: matching from each of them would take quadratic time. */
const nameOf = (key: string): string =>
  key.includes('_') ? key.replace(/(?<!_)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : key;
