/**
 * What tools return to a model, which pays for every word: the fields of the API's objects that it needs, without what
 * it has just said itself, and in one spelling.
 */
import { z } from 'zod';
import { results } from '../../src/domain/model/model.js';
import { pageSchema } from './tool.js';

/** The fields of an object that are shown, and how they are taken from it. */
export interface View {
  output: z.ZodObject;
  show: (value: object) => object;
}

const spelled = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function view<S extends z.ZodRawShape>({ shape }: z.ZodObject<S>, fields: readonly (keyof S & string)[]): View {
  const named = fields.map((field) => [field, spelled(field)] as const);
  return {
    output: z.object(Object.fromEntries(named.map(([field, name]) => [name, shape[field] as z.ZodType]))),
    show: (value) => Object.fromEntries(named.map(([field, name]) => [name, value[field as never]])),
  };
}

const inPages = ({ output, show }: View): View => ({
  output: pageSchema(output),
  show: (page) => ({ ...page, items: (page as { items: object[] }).items.map(show) }),
});

export const runView = view(results.Run, [
  ...([
    'id',
    'agent_id',
    'status',
    'stopReason',
    'sessionId',
    'output',
    'output_data',
    'error',
    'waitingFor',
    'retryAt',
    'steps',
  ] as const),
  ...(['created_at', 'updated_at'] as const),
]);
export const runPage = inPages(runView);

export const messageView = view(results.MailboxMessage, ['id', 'agent_id', 'from', 'reply_to', 'created_at']);

/** A memory that was just written. */
export const writtenView = view(results.Memory, [
  ...(['id', 'type', 'agent_id', 'hive_id', 'shared_by', 'supersedes', 'times_seen', 'created_at'] as const),
]);
export const memoryPage = inPages(
  view(results.Memory, [
    ...(['id', 'type', 'content', 'speaker', 'sessionId', 'hive_id', 'shared_by', 'occurred_at'] as const),
    ...(['run_id', 'supersedes', 'superseded_by', 'valid_until', 'created_at'] as const),
  ]),
);
/** Mailbox messages and turns of conversations are found too, under ids of their own. */
const found = view(results.FoundMemory.extend({ id: z.string() }), [
  ...(['id', 'type', 'content', 'relevance', 'speaker', 'sessionId', 'agent_id', 'hive_id', 'shared_by'] as const),
  ...(['occurred_at', 'metadata'] as const),
]);
export const foundView: View = {
  output: z.object({
    memories: z.array(found.output),
    partial: z.literal(true).optional().describe('Some memories could not be searched in time.'),
    words_only: z.literal(true).optional().describe('Found by words alone, not by meaning.'),
  }),
  show: (value) => ({ ...value, memories: (value as { memories: object[] }).memories.map(found.show) }),
};
