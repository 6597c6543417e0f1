/** Parses the query string once and strictly: a known name may appear only once. There are no arrays and no nesting. */
import type { Filter, FilterOf } from '../../src/commands/command.js';
import { nearest } from '../../src/domain/shared/text-forms.js';
import { invalid, type HivekeepError } from '../../src/domain/shared/errors.js';
import { issuesOf } from './json.js';

export type QueryParameters = ReadonlyMap<string, string>;
const none: QueryParameters = new Map();

/** Ignores unknown names. Throws VALIDATION_ERROR for malformed input. */
export const parseQueryString = (target: string, known: ReadonlySet<string>): QueryParameters =>
  parse(target, known, false);

/** Also rejects unknown names with VALIDATION_ERROR: a mistyped filter must not return the unfiltered list. */
export const parseOwnQuery = (target: string, known: ReadonlySet<string>): QueryParameters =>
  parse(target, known, true);

function parse(target: string, known: ReadonlySet<string>, strict: boolean): QueryParameters {
  const from = target.indexOf('?');
  if (from === -1 || from === target.length - 1) return none;
  const query = new Map<string, string>();
  const end = target.indexOf('#', from);
  for (const pair of target.slice(from + 1, end === -1 ? undefined : end).split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (name === null || !known.has(name)) {
      if (strict && pair !== '') throw unknownName(name ?? '', known);
      continue;
    }
    if (query.has(name)) throw invalid({ path: name, message: 'must be given once' });
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (value === null) throw invalid({ path: name, message: 'must be valid percent-encoded UTF-8' });
    query.set(name, value);
  }
  return query;
}

/** The values of the parameters that are there. */
export function readFilter<F extends Filter>(query: QueryParameters, filter: F): FilterOf<F> {
  const values: Record<string, unknown> = {};
  for (const name in filter) {
    const text = query.get(name);
    if (text === undefined) continue;
    const parsed = filter[name]?.safeParse(text);
    if (parsed?.success === false) throw invalid({ path: name, message: issuesOf(parsed.error)[0].message });
    values[name] = parsed?.data;
  }
  return values as FilterOf<F>;
}

/** The same for a request that takes no other parameters. */
export const readQuery = <F extends Filter>(target: string, filter: F): FilterOf<F> =>
  readFilter(parseOwnQuery(target, new Set(Object.keys(filter))), filter);

const longestName = 64;

/** The value is not echoed, because it may be a secret that was sent the wrong way. */
function unknownName(name: string, known: ReadonlySet<string>): HivekeepError {
  const shown = name.toWellFormed().slice(0, longestName);
  if (shown === '') return invalid({ path: 'query', message: 'must have a name of valid UTF-8 for each parameter' });
  const meant = nearest(shown, known);
  const advice =
    meant !== undefined
      ? `did you mean ${meant}?`
      : known.size === 0
        ? 'it takes none'
        : `it takes ${[...known].join(', ')}`;
  return invalid({ path: shown, message: `is not a query parameter of this route; ${advice}` });
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
