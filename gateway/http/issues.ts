/**
 * Converts zod's issues into paths and sentences that a client can act on. The number is bounded, so that a response
 * does not grow with the mistakes.
 */
import type { z } from 'zod';
import type { Issue } from '../../src/domain/errors.js';

const maxIssues = 20;
const maxPath = 200;
type Found = z.core.$ZodIssue;

export function issuesOf(error: z.ZodError): [Issue, ...Issue[]] {
  const found: Issue[] = [];
  for (const issue of error.issues) {
    if (found.length >= maxIssues) break;
    found.push(...describe(issue, []));
  }
  const [first, ...rest] = found.slice(0, maxIssues);
  return [first ?? { path: '', message: 'is not valid' }, ...rest];
}

function describe(issue: Found, prefix: readonly PropertyKey[]): Issue[] {
  const at = [...prefix, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, maxIssues)
        .map((key) => ({ path: join([...at, key]), message: 'is not a known field' }));
    case 'invalid_type':
      return [{ path: join(at), message: typed(issue) }];
    case 'invalid_value':
      return [
        {
          path: join(at),
          message: `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((v) => JSON.stringify(v) ?? String(v)).join(', ')}`,
        },
      ];
    case 'invalid_union':
      return describeUnion(issue, at);
    case 'too_big':
      return [{ path: join(at), message: sized(issue, 'at most', issue.maximum) }];
    case 'too_small':
      return [
        {
          path: join(at),
          message: issue.message.startsWith('must') ? issue.message : sized(issue, 'at least', issue.minimum),
        },
      ];
    default:
      return [{ path: join(at), message: issue.message }];
  }
}

/** zod omits the input from its issues; its own message says whether there was any. */
function typed(issue: Extract<Found, { code: 'invalid_type' }>): string {
  const kind = kinds[issue.expected] ?? issue.expected;
  return issue.message.endsWith('received undefined') ? `is required (${kind})` : `must be ${kind}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

function sized(issue: { origin: string }, word: string, bound: number | bigint): string {
  if (issue.origin === 'string') return `must be ${word} ${bound} characters long`;
  if (issue.origin === 'array' || issue.origin === 'set') return `must have ${word} ${bound} items`;
  return `must be ${word} ${bound}`;
}

/**
 * Describes the branch whose type matched and that failed inside; if there is none, every branch says what it expects.
 */
function describeUnion(issue: Extract<Found, { code: 'invalid_union' }>, at: readonly PropertyKey[]): Issue[] {
  const inside = issue.errors.find((branch) => branch.length > 0 && branch.every((inner) => inner.path.length > 0));
  if (inside) return inside.slice(0, maxIssues).flatMap((inner) => describe(inner, at));
  const wanted = new Set(
    issue.errors
      .flatMap((branch) => branch.slice(0, 1))
      .flatMap((inner) => describe(inner, []))
      .map((inner) => inner.message),
  );
  return [{ path: join(at), message: wanted.size === 0 ? issue.message : [...wanted].join(', or ') }];
}

const join = (path: readonly PropertyKey[]): string => path.map(String).join('.').toWellFormed().slice(0, maxPath);
