/** The filters of lists, as they come in a query string. */
import { z } from 'zod';
import { limits, name, reference, subject, text, when } from './input-fields.js';
import { auditActions, runStatuses, thoughtTypes } from './vocabulary.js';
import { status, wantedMetadata, type WantedMetadata } from './inputs.js';

const time = (text: string): typeof when => when.describe(`${text}, ISO 8601 with a time zone.`);
export const createdFilter = {
  created_after: time('Only what was created at this time or later'),
  created_before: time('Only what was created before this time'),
};
export const auditFilter = {
  actor: reference.describe('Only what this key, token or person did, by its id.'),
  action: z.enum(auditActions).describe('Only what was done so.'),
  agent_id: reference.describe('Only what belongs to this agent.'),
  target_id: reference.describe('Only what was done to the thing with this id.'),
  ...createdFilter,
};
export const occurredFilter = {
  occurred_after: time('Only what occurred at this time or later'),
  occurred_before: time('Only what occurred before this time'),
};
export const agentFilter = {
  name: name.describe(
    'Only agents whose name starts with this text, case-insensitively. The list is then sorted by name.',
  ),
  status: status.describe('Only agents with this status.'),
};
export const runFilter = {
  status: z.enum(runStatuses).describe('Only runs with this status.'),
  agent_id: reference,
  ...createdFilter,
};
const readWanted = (text: string): WantedMetadata | null => {
  try {
    return wantedMetadata.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};
export const subjectFilter = subject.describe('Only memories of this subject, and of nobody else.');
export const speakerFilter = name.describe('Only memories whose `speaker` this is, compared case-insensitively.');
export const runIdFilter = reference.describe('Only memories that this run wrote.');
export const metadataFilter = text(limits.query)
  .transform((given, context): WantedMetadata => {
    const wanted = readWanted(given);
    if (wanted) return wanted;
    context.addIssue('must be a JSON object of texts, numbers, booleans and nulls, such as {"source":"mail"}');
    return z.NEVER;
  })
  .meta({
    description: 'A JSON object. Only memories whose metadata has each of its keys with exactly that value.',
    examples: ['{"source":"mail"}'],
  });

export const thoughtFilter = { thoughtType: z.enum(thoughtTypes), sessionId: reference } as const;
