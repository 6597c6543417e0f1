/**
 * The query string, parsed once and strictly: names that a route does not know are ignored, one that it knows may be
 * there once. No arrays, no nesting.
 */
import { invalid } from '../../src/domain/errors.js';

export type Query = ReadonlyMap<string, string>;
const none: Query = new Map();

export function parseQuery(target: string, known: ReadonlySet<string>): Query {
  const from = target.indexOf('?');
  if (from === -1 || from === target.length - 1) return none;
  const query = new Map<string, string>();
  const end = target.indexOf('#', from);
  for (const pair of target.slice(from + 1, end === -1 ? undefined : end).split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (name === null || !known.has(name)) continue;
    if (query.has(name)) throw invalid({ path: name, message: 'must be given once' });
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (value === null) throw invalid({ path: name, message: 'must be valid percent-encoded UTF-8' });
    query.set(name, value);
  }
  return query;
}

function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}
