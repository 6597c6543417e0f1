/** What is said in a task, as A2A has it. Absent fields are omitted, never null. */
import { z } from 'zod';
import { fixedList, metadata } from './fields.js';

const partRest = {
  filename: z.string().optional().describe('The file name.'),
  mediaType: z.string().optional().describe('The media type of the content, for example `application/json`.'),
  metadata: metadata.optional().describe('Arbitrary metadata set by the sender.'),
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
  metadata: metadata.optional(),
  extensions: fixedList(z.string()).optional(),
  referenceTaskIds: fixedList(z.string()).optional(),
});
export type TaskMessage = z.infer<typeof taskMessage>;
