/** The fields that inputs are made of (inputs.ts), and their limits: sizes are in bytes of UTF-8. */
import { z } from 'zod';
import { objectOf, refuseInfinite } from './bounded.js';
import { isSegment, notASegment } from './ids.js';

export const limits = {
  name: 200,
  description: 4096,
  instructions: 32 * 1024,
  memoryContent: 64 * 1024,
  messageContent: 256 * 1024,
  query: 8 * 1024,
  /** Results of the tools of a client, together. */
  toolResults: 1024 * 1024,
  metadata: 16 * 1024,
  config: 64 * 1024,
  /** Limit on a patch of metadata or config, which may also name keys to remove. */
  patch: 128 * 1024,
  type: 64,
  reference: 128,
  hivesPerAgent: 100,
  filename: 256,
  block: 16 * 1024,
  /** In characters: the most that a block may have, and what it may where it does not say. */
  blockCharacters: 4000,
  usualBlockCharacters: 2000,
  blockDescription: 512,
  files: 20,
} as const;

/** Text that can be stored and sent on: at least `min` characters, no NUL, no lone surrogate, at most `max` bytes. */
export function text(max: number, min = 1): z.ZodString {
  return z
    .string()
    .min(min, min === 1 ? 'must not be empty' : undefined)
    .refine((s) => s.isWellFormed(), 'must be well-formed Unicode (it has a lone surrogate)')
    .refine((s) => !s.includes('\0'), 'must not contain NUL')
    .refine(
      (s) => s.length <= max && (s.length * 3 <= max || Buffer.byteLength(s) <= max),
      `must be at most ${max} bytes`,
    )
    .meta({
      maxLength: max,
      pattern: '^[^\\u0000]*$',
      description: `At most ${max} bytes of UTF-8, without NUL or lone surrogates.`,
    });
}

export const name = text(limits.name)
  .refine((s) => s.trim() !== '', 'must not be blank')
  .meta({
    maxLength: limits.name,
    pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
    description: `Not blank; at most ${limits.name} bytes of UTF-8, without NUL or lone surrogates.`,
  });
/** What is said or remembered: white space alone says nothing. */
export const saidText = (max: number): z.ZodString =>
  text(max)
    .refine((s) => s.trim() !== '', 'must not be blank')
    .meta({
      maxLength: max,
      pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
      description: `Not blank; at most ${max} bytes of UTF-8, without NUL or lone surrogates.`,
    });
/** The schema with its meaning before what it says of its form. */
export const about = <T extends z.ZodType>(schema: T, meaning: string): T =>
  schema.describe(schema.description === undefined ? meaning : `${meaning} ${schema.description}`);
/** An id that a client gives: one of the service's, or one of its own. */
export const reference = text(limits.reference)
  .refine(isSegment, notASegment)
  .meta({
    maxLength: limits.reference,
    pattern: '^(?!\\.{1,2}$)[^\\u0000]*$',
    description: `At most ${limits.reference} bytes of UTF-8, without NUL or lone surrogates, and not \`.\` or \`..\`.`,
  });
/**
 * A field that may be left out. Null is the same, because that is what the service itself answers where it is left out.
 */
export const absent = <T extends z.ZodType>(schema: T): z.ZodOptional<T> =>
  schema
    .nullish()
    .describe(schema.description ?? '')
    .transform((given) => given ?? undefined) as unknown as z.ZodOptional<T>;

export const ofSession = about(
  reference,
  'The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply.',
);
export const subject = about(
  reference,
  'Whom it belongs to, such as an end user, by a name of your own. What belongs to one subject is never seen by runs for another.',
);
export const ofAgent = about(reference, 'The id of the agent.');
export const ofHive = about(reference, 'The id of the hive.');
export const memoryType = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'must be 1 to 64 letters, digits, _ . or -, starting with a letter')
  .describe('The kind of memory, for example `semantic`, `episodic` or `procedural`.');
/** The values are the result of JSON.parse on the request body. */
export const metadata = objectOf(
  z.record(text(limits.name, 0), z.unknown()).superRefine(refuseInfinite),
  limits.metadata,
).describe(`Arbitrary metadata: any keys and values, at most ${limits.metadata} bytes as JSON.`);
export const metadataPatch = objectOf(z.record(z.string(), z.unknown()).superRefine(refuseInfinite), limits.patch)
  .nullable()
  .describe(
    `Merged key by key at any depth. Null removes a key, or all metadata. The merged result has at most ${limits.metadata} bytes as JSON.`,
  );
/**
 * Times are compared as text, which works for years of four digits only. The last hours of 9999 may fall outside this
 * range when converted to UTC.
 */
export const when = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 date and time with a zone, such as 2030-01-31T12:00:00Z' })
  .refine((t) => {
    const year = new Date(t).getUTCFullYear();
    return !(year < 0 || year > 9999);
  }, 'must be in the years 0000 to 9999, in UTC')
  .meta({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
    description: 'ISO 8601 with a time zone.',
  });
export const expiry = when
  .nullable()
  .describe('When it expires: a time in the future, ISO 8601 with a time zone. Null means never.');
export const wholeSteps = z.int().min(1).max(100);
export const seconds = z.int().min(1).max(3600);
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
export const timezone = text(64).refine(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin');
export const importance = z
  .number()
  .min(0)
  .max(1)
  .describe('Breaks ties between memories that match a search equally well. 0.5 is neutral, like no value.');
export const occurredAt = when.describe(
  'When the content was said or happened, ISO 8601 with a time zone. Defaults to `created_at`.',
);
export const speaker = name.describe('Who said it. Without it, recall uses a leading `Name: ` of the content.');
