/** Fields that many of the objects of the API have. */
import { z } from 'zod';
import { modes, runStatuses, scopes, stopReasons, tokenScopes } from '../shared/vocabulary.js';

export const time = z.iso.datetime({ precision: 3 }).meta({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'ISO 8601, UTC, with milliseconds.',
});
export const created = time.describe('Creation time, ISO 8601 in UTC with milliseconds.');
export const changed = time.describe('Time of the last change, ISO 8601 in UTC with milliseconds.');
export const count = z.int().min(0);
export const share = z.number().min(0).max(1);
/** Ids are opaque except for their prefix. */
export const id = (prefix: string): z.ZodString => z.string().meta({ pattern: `^${prefix}_` });
export const metadataObject = z.record(z.string(), z.unknown());
export const scope = z.enum(scopes);
export const tokenScope = z.enum(tokenScopes);
export const runStatus = z.enum(runStatuses);
export const stopReason = z.enum(stopReasons);
export const mode = z.enum(modes);
export const unlimited = count.nullable();
export const failure = z.object({
  code: z.string().describe('A machine-readable failure code.'),
  message: z.string().describe('A human-readable explanation of the failure.'),
});
export const expiryTime = z.iso
  .datetime({ offset: true })
  .meta({ pattern: undefined, description: 'When it expires, ISO 8601. Null means never.' })
  .nullable();
export const hint = z.string().describe('The first characters of the secret, for telling credentials apart.');
export const lastUsed = time.nullable().describe('When it was last used, accurate to the minute. Null means never.');

/**
 * A list that nobody changes. (`readonly()` of zod would also say in the JSON Schema that clients cannot set it.)
 */
export const fixedList = <T extends z.ZodType>(item: T): z.ZodType<readonly z.output<T>[]> => z.array(item);

/* What is said in a task, as A2A has it. Absent fields are omitted, never null. */

const partRest = {
  filename: z.string().optional().describe('The file name.'),
  mediaType: z.string().optional().describe('The media type of the content, for example `application/json`.'),
  metadata: metadataObject.optional().describe('Arbitrary metadata set by the sender.'),
};
/** A part of a message or of an artifact. */
export const part = z.union([
  z.object({ kind: z.literal('text'), text: z.string().describe('The text.'), ...partRest }),
  z.object({ kind: z.literal('data'), data: z.unknown().describe('Any JSON value.'), ...partRest }),
  z.object({
    kind: z.literal('file'),
    bytes: z.base64().meta({ format: undefined, pattern: undefined, description: 'The file content, base64-encoded.' }),
    ...partRest,
  }),
  z.object({ kind: z.literal('file'), uri: z.string().describe('The URL of the file.'), ...partRest }),
]);
export type Part = z.infer<typeof part>;

/** docs/api.md 2.7. */
export const taskMessage = z.object({
  messageId: z.string(),
  role: z.enum(['user', 'agent']),
  parts: fixedList(part),
  metadata: metadataObject.optional(),
  extensions: fixedList(z.string()).optional(),
  referenceTaskIds: fixedList(z.string()).optional(),
});
export type TaskMessage = z.infer<typeof taskMessage>;
