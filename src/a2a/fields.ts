/**
 * The request fields that all dialects share, as zod schemas built once, with messages that say what was expected. An
 * optional field may be null, because clients in languages without `undefined` write it so.
 */
import { z } from 'zod';
import { isAnyBase64, isBase64, isPaddedBase64 } from '../domain/base64.js';
import { listOf } from '../domain/bounded.js';
import { isSegment, notASegment } from '../domain/ids.js';
import type { Metadata } from '../domain/vocabulary.js';
import { parseUrl } from '../domain/parse-url.js';
import { RpcError } from './rpc.js';

/** Maximum lengths in characters, except for `items`, which is a count. */
export const longest = {
  messageId: 256,
  id: 128,
  url: 2048,
  token: 1024,
  credentials: 4096,
  scheme: 64,
  filename: 256,
  mediaType: 256,
  items: 100,
} as const;

const maxViolations = 20;
const maxPath = 200;

/**
 * Parses `params`. Throws INVALID_PARAMS (-32602), whose message names the first violation and whose `violations` list
 * all.
 */
export function readParams<T>(schema: z.ZodType<T>, params: unknown): T {
  if (!isObject(params)) throw new RpcError('INVALID_PARAMS', 'params must be an object');
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues
    .slice(0, maxViolations)
    .map(({ path, message }) => ({ path: path.map(String).join('.').slice(0, maxPath), message }));
  const [first = { path: 'params', message: 'are not valid' }] = violations;
  throw new RpcError('INVALID_PARAMS', `${first.path} ${first.message}`, { violations });
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Replaces zod's messages, which depend on the input and are less specific. */
export const must = (what: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? `is required (${what})` : `must be ${what}`),
});

/** Text that can be stored and transmitted: no NUL, no lone surrogate. */
const storable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
const storableMessage = 'must be well-formed Unicode without NUL';

/** The recursion is bounded, because the body parser bounds the depth. */
function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return storable(value);
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(isStorableJson);
  return Object.entries(value).every(([key, inner]) => storable(key) && isStorableJson(inner));
}

/** The length is bounded only by that of the body. */
export const text = z.string(must('a string')).refine(storable, storableMessage);
/** May be empty, which is the same as absent. */
export const shortText = (max: number) => text.refine((t) => t.length <= max, `must be at most ${max} characters long`);
export const name = (max: number) => shortText(max).refine((t) => t !== '', 'must not be empty');

export const id = name(longest.id).refine(isSegment, notASegment);
/** Empty is the same as absent. */
export const optionalId = shortText(longest.id).refine(isSegment, notASegment).nullish();
export const messageId = name(longest.messageId);
export const url = name(longest.url).refine((u) => parseUrl(u) !== null, 'must be an absolute URL');
export const flag = z.boolean(must('true or false'));
/** An int32, as in A2A's own definitions. */
export const count = (min: number, max = 2_147_483_647) => {
  const wanted =
    max === 2_147_483_647 ? `must be ${min} or more, as a 32-bit integer` : `must be from ${min} to ${max}`;
  return z.int(must('an integer')).min(min, wanted).max(max, wanted);
};
export const historyLength = count(0);

/** Kept by reference, not copied. */
export const metadata = z.custom<Metadata>(isObject, must('an object')).refine(isStorableJson, storableMessage);
export const json = z.unknown().refine(isStorableJson, storableMessage);
export const jsonTree = z
  .custom<object>((value) => typeof value === 'object' && value !== null, must('an object'))
  .refine(isStorableJson, storableMessage);

export const strings = (item: z.ZodString, what: string) => listOf(item, { max: longest.items }, must(what));
export const partsOf = <T extends z.ZodType>(part: T) =>
  listOf(
    part,
    {
      min: 1,
      tooFew: 'must have at least one part',
      max: longest.items,
      tooMany: `must have at most ${longest.items} parts`,
    },
    must('an array'),
  );
export const uris = strings(name(longest.url), 'an array of URIs');
export const ids = strings(id, 'an array of ids');
export const mediaTypes = strings(name(longest.mediaType), 'an array of media types');

/** What messages of all dialects have besides their parts and ids. */
export const messageFields = {
  messageId,
  metadata: metadata.nullish(),
  extensions: uris.nullish(),
  referenceTaskIds: ids.nullish(),
};

/** RFC 4648, section 4; padding is optional. */
export const base64 = z.string(must('a string')).refine(isBase64, 'must be base64');
/** ProtoJSON also allows the URL-safe alphabet. */
export const anyBase64 = z.string(must('a string')).refine(isAnyBase64, 'must be base64');
/** Normalises base64 to the standard alphabet with padding. */
export const canonicalBase64 = (s: string): string =>
  isPaddedBase64(s) ? s : Buffer.from(s, 'base64').toString('base64');

/** Restricted to the characters of ids, because it becomes part of store keys. */
export const configId = z
  .string(must('a string'))
  .regex(/^[A-Za-z0-9._:-]*$/, 'must consist of letters, digits, . _ : and -')
  .max(longest.id, `must be at most ${longest.id} characters long`)
  .refine(isSegment, notASegment);
/** Text that an HTTP header transmits unchanged: visible ASCII, with spaces only inside. */
const headerText = (max: number) =>
  z
    .string(must('a string'))
    .regex(/^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/, 'must be visible ASCII characters, as it is sent in a header')
    .max(max, `must be at most ${max} characters long`);
export const token = headerText(longest.token);
export const credentials = headerText(longest.credentials);
/** RFC 9110, 11.1. */
export const scheme = z
  .string(must('a string'))
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of an HTTP authentication scheme')
  .max(longest.scheme, `must be at most ${longest.scheme} characters long`);
