/**
 * Decodes and validates a request body: media type, UTF-8, nesting depth, JSON, keys that could reach a prototype, text
 * that cannot be stored, and then the schema. Every failure is a VALIDATION_ERROR with a path, except for the media
 * type, which is UNSUPPORTED_MEDIA_TYPE.
 */
import type { z } from 'zod';
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { HivekeepError, type Issue, invalid } from '../../src/domain/shared/errors.js';
import { jsonSize } from '../../src/base/json-size.js';

/*
 * Converts zod's issues into paths and sentences that a client can act on. The number is bounded, so that a response
 * does not grow with the mistakes.
 */

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

export const maxDepth = 64;
/**
 * Maximum number of values and field names in one body. Validating an element costs as much as a long text, and 1 MiB
 * could hold 500,000 of them.
 */
export const maxElements = 20_000;

/**
 * Accepts `application/json` and `application/<something>+json` in UTF-8, uncompressed. A request with neither a type
 * nor a body passes, because the missing body makes the better error.
 */
export function requireJson(headers: IncomingHttpHeaders): void {
  requirePlain(headers);
  const type = headers['content-type'];
  if (type === 'application/json') return;
  if (type === undefined && saysEmpty(headers)) return;
  if (type === undefined) throw unsupported('Content-Type is missing: send application/json');
  const { media, isUtf8 } = mediaOf(type);
  if (!/^application\/(json|[\w.!#$&^-]+\+json)$/.test(media))
    throw unsupported('Content-Type must be application/json');
  if (!isUtf8) throw unsupported('the charset of JSON must be utf-8');
}

/** Bodies are not compressed. */
export function requirePlain({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw unsupported(`Content-Encoding ${encoding} is not supported: send the body as it is`);
}

/** A media type in lower case, and whether its charset, if it names one, is UTF-8. */
export function mediaOf(type: string): { media: string; isUtf8: boolean } {
  const [media = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return { media, isUtf8: parameters.every((p) => !p.startsWith('charset=') || /^charset="?utf-?8"?$/.test(p)) };
}

const saysEmpty = (headers: IncomingHttpHeaders): boolean =>
  headers['content-length'] === '0' ||
  (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined);

export const unsupported = (message: string): HivekeepError => new HivekeepError('UNSUPPORTED_MEDIA_TYPE', message);

/**
 * Parses the JSON object in `body`. Rejects nesting deeper than 64, lone surrogates, NUL, and keys that name a
 * prototype.
 */
export const parseObject = (body: Buffer): Record<string, unknown> => objectIn(decodeJson(body));

/** The same of a body that may have files in it. */
export const parseObjectInTurns = async (body: Buffer): Promise<Record<string, unknown>> =>
  objectIn(await decodeInTurns(body));

function objectIn(json: DecodedJson): Record<string, unknown> {
  const { value } = json;
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalid({ path: '', message: 'must be a JSON object' });
  refuseUnsafe(json);
  return value as Record<string, unknown>;
}

/** A decoded JSON value that has not been inspected. `suspect` means that `refuseUnsafe` may find something in it. */
export interface DecodedJson {
  value: unknown;
  suspect: boolean;
}

/** Parses the JSON in `body`, nested at most 64 deep. Throws VALIDATION_ERROR without a path if it is not JSON. */
export function decodeJson(body: Buffer): DecodedJson {
  const escapes = inspect(body);
  const text = body.toString('utf8');
  const value = parsed(text);
  // valid UTF-8 without \u escapes has no lone surrogate, and valid JSON has no raw NUL: only escapes require a walk
  return { value, suspect: escapes || text.includes('__proto__') || text.includes('"prototype"') };
}

/** Longer bodies are decoded in several turns of the event loop. */
const longBody = 512 * 1024;
export const isLong = ({ length }: Buffer): boolean => length > longBody;

/**
 * As decodeJson, of a body that may have files in it: each step of a long one takes a turn of its own, the first of them
 * after the turn in which the body was read.
 */
export async function decodeInTurns(body: Buffer): Promise<DecodedJson> {
  if (!isLong(body)) return decodeJson(body);
  await setImmediate();
  inspect(body);
  const text = body.toString('utf8');
  await setImmediate();
  const value = parsed(text);
  await setImmediate();
  // to look at its values takes less than to look for them in the text
  return { value, suspect: true };
}

/**
 * Throws a VALIDATION_ERROR that names the position of text that cannot be stored, or of a key that could reach a
 * prototype.
 */
export function refuseUnsafe({ value, suspect }: DecodedJson): void {
  const fault = suspect ? faultIn(value) : null;
  if (fault === null) return;
  const path = fault.path.join('.').toWellFormed().replaceAll('\0', '\\0').slice(0, 200);
  throw invalid({ path, message: fault.message });
}

/** Refuses what is not parsed. Returns true if there is a \u escape. */
function inspect(body: Buffer): boolean {
  if (body.length === 0) throw invalid({ path: '', message: 'must be a JSON object, but is empty' });
  const escapes = scan(body);
  if (!isUtf8(body)) throw invalid({ path: '', message: 'must be valid UTF-8' });
  return escapes;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid({ path: '', message: `must be valid JSON${positionIn(error)}` });
  }
}

/** Checks the nesting first, before any recursive code. Returns true if there is a \u escape. */
function scan(body: Buffer): boolean {
  const { depth, elements, escapes } = jsonSize(body, maxDepth);
  if (depth > maxDepth) throw invalid({ path: '', message: `must not be nested deeper than ${maxDepth}` });
  if (elements > maxElements)
    throw invalid({
      path: '',
      message: `must have at most ${maxElements} values and names of fields, and has ${elements}`,
    });
  return escapes;
}

function positionIn(error: unknown): string {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return position === undefined ? '' : ` (it breaks ${position})`;
}

interface Fault {
  path: string[];
  message: string;
}

/**
 * The first thing that is refused, or null, which it almost always is: its path is put together on the way back.
 * Recursion is safe here, because the depth has been checked.
 */
function faultIn(value: unknown): Fault | null {
  if (typeof value === 'string') return faultInText(value);
  if (value === null || typeof value !== 'object') return null;
  const object = value as Record<string, unknown>;
  for (const key in object) {
    const fault = (Array.isArray(value) ? null : faultInKey(key, object[key])) ?? faultIn(object[key]);
    if (fault === null) continue;
    fault.path.unshift(key);
    return fault;
  }
  return null;
}

function faultInKey(key: string, inner: unknown): Fault | null {
  const reachesPrototype =
    key === '__proto__' ||
    (key === 'constructor' && inner !== null && typeof inner === 'object' && Object.hasOwn(inner, 'prototype'));
  return reachesPrototype ? { path: [], message: 'is not allowed as a key' } : faultInText(key);
}

function faultInText(text: string): Fault | null {
  if (!text.isWellFormed()) return { path: [], message: 'must be well-formed Unicode (it has a lone surrogate)' };
  return text.includes('\0') ? { path: [], message: 'must not contain NUL' } : null;
}

/** Returns the parsed value. The VALIDATION_ERROR names each path and what was expected there. */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(...issuesOf(parsed.error));
}
