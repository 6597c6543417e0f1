/**
 * What clients may send, as zod schemas that are built once (a schema built per call costs 80 times the parse). Sizes
 * are in bytes of UTF-8. Objects reject unknown keys, so that a misspelt setting is an error instead of being ignored;
 * `metadata` accepts any keys.
 *
 * `meta` and `describe` document the checks that are made in code: as JSON Schema where it can express them (a text of
 * at most n bytes has at most n characters), and in words where it cannot.
 */
import { z } from 'zod';
import { isPaddedBase64 } from './text-forms.js';
import { jsonBytes, listOf, objectOf } from './bounded.js';
import { agentConfigPatch, boundedConfig, configFields, onlyKnown } from '../agent/agent-config.js';
import {
  about,
  absent,
  expiry,
  importance,
  limits,
  memoryType,
  metadata,
  metadataPatch,
  name,
  occurredAt,
  ofAgent,
  ofHive,
  ofSession,
  reference,
  saidText,
  seconds,
  speaker,
  subject,
  text,
  timezone,
  when,
  wholeSteps,
} from './input-fields.js';
import { longestPair, mostPairs, pairOf } from '../memory/facets.js';
import { agentStatuses, modes, onBusy, scopes, tokenScopes } from './vocabulary.js';
/**
 * What clients may send, as zod schemas that are built once (a schema built per call costs 80 times the parse). Sizes
 * are in bytes of UTF-8. Objects reject unknown keys, so that a misspelt setting is an error instead of being ignored;
 * `metadata` accepts any keys.
 *
 * `meta` and `describe` document the checks that are made in code: as JSON Schema where it can express them (a text of
 * at most n bytes has at most n characters), and in words where it cannot.
 */

export const hiveIds = listOf(reference, { max: limits.hivesPerAgent })
  .refine((a) => new Set(a).size === a.length, 'must not name a hive twice')
  .meta({ uniqueItems: true, description: 'The ids of hives of this workspace.' });

const credentialName = about(name, 'A name for telling it from others.');
const hiveName = about(name, 'Names need not be unique.');
const agentName = about(name, 'Names need not be unique; agents find one another by them.');
export const purpose = about(text(limits.description, 0), 'What it is for.');
const wakes = z.boolean().describe('Whether a mailbox message starts a run. Default false.');
const quota = z
  .int()
  .min(0)
  .nullable()
  .describe('The maximum number of its long-term memories. Null, the default, means unlimited.');
const runtime = seconds
  .nullable()
  .describe('The runtime budget of each run in seconds. Null means the service default.');

export const spawnInput = z.strictObject({
  name: agentName,
  description: purpose.optional(),
  config: boundedConfig.optional(),
  hives: hiveIds.optional(),
  metadata: metadata.optional(),
  wake_on_message: wakes.optional(),
  memory_quota: quota.optional(),
  maxRuntimeSeconds: runtime.optional(),
});
export type SpawnInput = z.infer<typeof spawnInput>;

/**
 * Fields that are shown on an agent but cannot be set. Updates accept and ignore them, so that an object that was read
 * can be sent back.
 */
const anything = z
  .unknown()
  .optional()
  .describe('Accepted and ignored, so that an agent can be sent back as it was read.');
const readOnly = {
  id: anything,
  memory_count: anything,
  spawned_by: anything,
  ends_at: anything,
  message_count: anything,
  created_at: anything,
  updated_at: anything,
  last_active_at: anything,
};

export const status = z
  .enum(agentStatuses)
  .describe('An inactive agent rejects messages and runs. A terminated agent can only be set inactive.');
/** PUT replaces each field that is present and keeps the others. */
export const replaceAgentInput = spawnInput.partial().extend({ status: status.optional(), ...readOnly });
export type ReplaceAgentInput = z.infer<typeof replaceAgentInput>;

/**
 * PATCH merges `config` and `metadata` key by key, at any depth; null removes a key or resets a field to its default.
 */
export const patchAgentInput = z.strictObject({
  name: agentName.optional(),
  description: purpose.nullable().optional(),
  status: status.optional(),
  config: agentConfigPatch.optional(),
  hives: hiveIds.nullable().optional(),
  metadata: metadataPatch.optional(),
  wake_on_message: wakes.nullable().optional(),
  memory_quota: quota.optional(),
  maxRuntimeSeconds: runtime.optional(),
  ...readOnly,
});
export type PatchAgentInput = z.infer<typeof patchAgentInput>;

const { model, instructions, temperature, max_output_tokens, output_schema, tools } = configFields;
const overridden = z
  .strictObject({
    model: model.describe('The model of this run, as in the configuration of an agent.'),
    instructions: instructions.describe("Takes the place of the agent's instructions."),
    temperature,
    max_output_tokens,
    output_schema: output_schema
      .nullable()
      .describe('The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema.'),
    tools: tools.describe("Take the place of the agent's own tools in this run, as in the configuration of an agent."),
    tool_choice: z
      .union([z.literal('required'), z.strictObject({ name: z.string().max(64).describe('The name of the tool.') })])
      .describe('Has the model call one of these tools, or the one of this name, before it answers.'),
    parallel_tool_calls: z.literal(false).describe('False has the model call at most one of these tools at a time.'),
    sampling: z
      .strictObject({
        top_p: z.number().min(0).max(1).describe('The share of the likeliest tokens that are sampled from.'),
        stop: z.array(z.string().min(1).max(200)).max(16).describe('Texts at which the model stops.'),
        seed: z.int().describe('What sampling begins from.'),
        presence_penalty: z.number().min(-2).max(2).describe('Makes what was said already less likely.'),
        frequency_penalty: z.number().min(-2).max(2).describe('Makes what was said often less likely.'),
      })
      .partial()
      .describe('How the model samples, as far as its server knows these.'),
  })
  .partial();
/** What one run does differently from the settings of its agent. Unknown keys are refused as those of `config` are. */
export const runOverrides = (onlyKnown(z.looseObject(overridden.shape)) as unknown as typeof overridden).describe(
  "What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed.",
);
export type RunOverrides = z.infer<typeof runOverrides>;
const ofRun = metadata
  .optional()
  .describe(
    `Metadata of the run: any keys and values, at most ${limits.metadata} bytes as JSON. Its forks have it, too.`,
  );

/** Padded and in the standard alphabet. */
export const base64 = z
  .string()
  .refine((s) => isPaddedBase64(s), 'must be base64, with its padding')
  .meta({ description: 'The content, base64-encoded.', format: 'byte' });
const fileInput = z.strictObject({
  filename: about(text(limits.filename), 'The name of the file, which the agent is told.').optional(),
  mediaType: about(
    text(limits.filename),
    'The media type: text/*, application/json, or one that the agent accepts (`config.accepts`).',
  ),
  bytes: base64,
});
export type FileInput = z.infer<typeof fileInput>;
const files = listOf(fileInput, { max: limits.files })
  .optional()
  .describe(
    'Files that come with it, at most 20. Texts are read below their names; images and PDFs are given to the model, if it takes them.',
  );

const whenBusy = z
  .enum(onBusy)
  .optional()
  .describe(
    'What to do where it would have to wait: let the new run wait for its turn (`enqueue`, the default), or answer 409 AGENT_BUSY while the agent has a run in progress (`reject`). `interrupt` cancels the run that is going on in the session, and says it in its place; `steer` says it to that run, which sees it at its next step. Where nothing is going on there, it begins a run.',
  );

export const messageInput = z.strictObject({
  content: about(saidText(limits.messageContent), 'What is said to the agent.'),
  files,
  sessionId: absent(ofSession),
  subject: absent(subject),
  on_busy: whenBusy,
  overrides: absent(runOverrides),
  metadata: ofRun,
});
export type MessageInput = z.infer<typeof messageInput>;

export const runInput = z.strictObject({
  input: about(saidText(limits.messageContent), 'What the agent is asked or told.'),
  files,
  sessionId: absent(ofSession),
  subject: absent(subject),
  maxSteps: wholeSteps
    .optional()
    .describe('The maximum number of reasoner calls. Defaults to the configuration of the agent.'),
  maxRuntimeSeconds: seconds
    .optional()
    .describe('The maximum reasoning time in seconds. Defaults to the setting of the agent.'),
  on_busy: whenBusy,
  overrides: absent(runOverrides),
  metadata: ofRun,
});
export type RunInput = z.infer<typeof runInput>;

const scheduleTimes = {
  cron: text(100)
    .optional()
    .describe(
      'A cron expression of five fields (minute, hour, day, month, day of the week), such as `30 9 * * 1-5`. Give either `cron`, `every` or `at`.',
    ),
  every: z
    .int()
    .min(60)
    .max(31_536_000)
    .optional()
    .describe('So many seconds from one time to the next, beginning with the creation of the schedule.'),
  at: when.optional().describe('One time in the future, ISO 8601 with a time zone.'),
};
const scheduleFields = {
  ...scheduleTimes,
  timezone: absent(timezone).describe(
    'The time zone of `cron`, a name of the IANA database such as `Europe/Berlin`. Default: `config.timezone` of the agent, or else `UTC`; without `cron` it is left out.',
  ),
  input: about(saidText(limits.messageContent), 'What the agent is asked or told each time.'),
  sessionId: absent(ofSession),
  subject: absent(subject),
  overrides: absent(runOverrides),
  catch_up: z
    .enum(['one', 'none'])
    .optional()
    .describe(
      'What becomes of times that came while the service was not there: one run for all of them (`one`, the default), or `none`.',
    ),
  if_running: z
    .enum(['queue', 'skip'])
    .optional()
    .describe(
      'What a time does while the run before has not ended, be it that it is pending, running or paused: its own run is begun all the same, and waits where it has to (`queue`, the default), or there is none (`skip`).',
    ),
};
const withOneTime = <S extends z.ZodType<{ cron?: unknown; every?: unknown; at?: unknown; timezone?: unknown }>>(
  schema: S,
): S =>
  schema
    .refine(({ cron, every, at }) => [cron, every, at].filter((given) => given !== undefined).length === 1, {
      path: ['cron'],
      message: 'must be given, or `every` or `at`, and only one of these',
    })
    .refine(({ cron, timezone: zone }) => zone === undefined || cron !== undefined, {
      path: ['timezone'],
      message: 'must be left out without cron',
    })
    .meta({
      oneOf: Object.entries(scheduleTimes).map(([field, schema]) => ({
        properties: { [field]: { type: field === 'every' ? 'integer' : 'string', description: schema.description } },
        required: [field],
      })),
    });
/** What a schedule of this name is to be. */
export const namedScheduleInput = withOneTime(z.strictObject(scheduleFields));
export const scheduleInput = withOneTime(
  z.strictObject({
    ...scheduleFields,
    name: absent(reference).describe(
      'A name of your own, which no other schedule of the agent has. PUT .../schedules/by-name/:scheduleName makes or replaces the schedule of a name.',
    ),
  }),
);
export type ScheduleInput = z.infer<typeof scheduleInput>;

export const schedulePatch = z.strictObject({
  paused: z.boolean().describe('Whether the schedule is paused. Times that come meanwhile are not caught up with.'),
});
export type SchedulePatch = z.infer<typeof schedulePatch>;

/** Whom a block is about. */
export const ofBlock = {
  subject: about(
    reference,
    'Whom it is about. Without it, the block that is told whoever the agent works for.',
  ).optional(),
};
export const blockFields = z
  .strictObject({
    value: about(text(limits.block, 0), 'What the model is told at each step.'),
    description: about(text(limits.blockDescription, 0), 'What the block is for, which the model is told with it.'),
    limit: z
      .int()
      .min(1)
      .max(limits.blockCharacters)
      .describe(
        `The most characters that it may have, at most ${limits.blockCharacters}. Default ${limits.usualBlockCharacters}.`,
      ),
    read_only: z.boolean().describe('Whether the model of the agent may not change it. Default false.'),
  })
  .partial();
export const blockInput = blockFields.required({ value: true });
export type BlockInput = z.infer<typeof blockInput>;

export const blockPatch = z.strictObject({
  ...blockFields.shape,
  restore: z
    .int()
    .min(1)
    .optional()
    .describe('The number of one of its `versions`, whose value it is given again. Not together with `value`.'),
});
export type BlockPatch = z.infer<typeof blockPatch>;

export const toolTryInput = z.strictObject({
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('What it is called with, by its `input_schema`. Default: no arguments.'),
});
export type ToolTryInput = z.infer<typeof toolTryInput>;

const toolResult = z
  .strictObject({
    id: about(reference, 'The id of the call, from `waitingFor`.'),
    content: about(text(limits.messageContent, 0), 'What it came to.').optional(),
    error: about(text(limits.messageContent), 'Why it could not be carried out.').optional(),
  })
  .refine(({ content, error }) => (content === undefined) !== (error === undefined), {
    path: ['content'],
    message: 'must be given, or else error',
  });

export const resumeInput = z.strictObject({
  decision: z.enum(['approve', 'reject']).optional().describe('The decision, if the run waits for approval.'),
  input: text(limits.messageContent).optional().describe('The answer to a question, or a comment on a decision.'),
  results: listOf(toolResult, { min: 1, tooFew: 'must have the result of each call', max: 64 })
    .refine((given) => jsonBytes(given) <= limits.toolResults, `must be at most ${limits.toolResults} bytes as JSON`)
    .optional()
    .describe(
      `The results of the calls that the run waits for, one for each; at most ${limits.toolResults} bytes as JSON.`,
    ),
  files,
  answers: reference
    .optional()
    .describe(
      'The `id` of the question that this answers, from `waitingFor`. If the run does not wait for that one any more, the answer is 409 CONFLICT, and nothing changes.',
    ),
});
export type ResumeInput = z.infer<typeof resumeInput>;

export const forkInput = z.strictObject({
  checkpoint: z.union([reference, z.int().min(1)]).describe('A checkpoint of the run: its id or its step number.'),
});
export type ForkInput = z.infer<typeof forkInput>;

export const mailboxInput = z.strictObject({
  content: about(saidText(limits.messageContent), 'The text of the message.'),
  from: absent(
    about(reference, 'The sending agent; requires the scope `agent:manage`. Without it the sender is `external`.'),
  ),
  reply_to: absent(about(reference, 'The id of the message it answers.')),
  subject: absent(subject),
  metadata: metadata.optional(),
});
export type MailboxInput = z.infer<typeof mailboxInput>;

const scopeList = listOf(z.enum(scopes), { min: 1, tooFew: 'must name at least one scope', max: scopes.length });
const tokenScopeList = listOf(z.enum(tokenScopes), {
  min: 1,
  tooFew: 'must name at least one scope',
  max: tokenScopes.length,
}).describe('The scopes granted at the endpoint of the agent.');

export const tokenInput = z
  .strictObject({
    name: credentialName,
    scopes: tokenScopeList,
    expires_at: expiry.optional(),
    tasks: absent(z.enum(['all', 'own'])).describe(
      'The A2A tasks that it reads, continues, answers and cancels: `all` of the agent (the default), or its `own`. What others said to the agent is then kept from its tasks, too. `own` does not go with `agent:mcp`.',
    ),
  })
  .refine(({ tasks, scopes: given }) => tasks !== 'own' || !given.includes('agent:mcp'), {
    path: ['tasks'],
    message: 'must not be own for a token with agent:mcp',
  });
export type TokenInput = z.infer<typeof tokenInput>;

export const keyInput = z.strictObject({
  name: credentialName,
  mode: z.enum(modes).describe('`live` keys work in the workspace, `test` keys in its sandbox.'),
  scopes: scopeList.optional().describe('The scopes granted. Defaults to the scopes of the key that creates it.'),
  expires_at: expiry.optional(),
});
export type KeyInput = z.infer<typeof keyInput>;

const supersedes = reference.describe(
  'The memory of the same context that it replaces. The replaced memory gets `valid_until`, is kept, and is found only by searches that include history.',
);
const validUntil = when
  .nullable()
  .describe('When the fact stops being true, ISO 8601 with a time zone. Null makes a superseded memory current again.');

const isNamed = { type: 'string' as const };
/** The JSON Schema form of what the refinements of memories and searches check. */
const oneSpace = { not: { required: ['agent_id', 'hive_id'], properties: { agent_id: isNamed, hive_id: isNamed } } };

const memoryFields = {
  type: memoryType,
  content: about(saidText(limits.memoryContent), 'What is to be remembered.'),
  sessionId: absent(ofSession),
  subject: absent(subject),
  importance: absent(importance),
  occurred_at: occurredAt.optional(),
  speaker: absent(speaker),
  supersedes: absent(supersedes),
  metadata: metadata.optional(),
};
export const memoryInput = z
  .strictObject({
    ...memoryFields,
    agent_id: absent(ofAgent),
    hive_id: absent(ofHive),
    expires_at: expiry.optional(),
  })
  .refine((m) => m.agent_id === undefined || m.hive_id === undefined, {
    path: ['hive_id'],
    message:
      'must not be given together with agent_id: a memory belongs to one context (share with POST /v1/hives/:id/memories)',
  })
  .meta(oneSpace);
export type MemoryInput = z.infer<typeof memoryInput>;

export const memoryBatchInput = z.strictObject({
  memories: listOf(memoryInput, { min: 1, tooFew: 'must have at least one memory', max: 500 }).describe(
    'The memories to add, each as in POST /v1/memories. If one of them is malformed, none is added.',
  ),
});
export type MemoryBatchInput = z.infer<typeof memoryBatchInput>;

export const memoryPatch = z.strictObject({
  type: memoryType.optional(),
  content: about(saidText(limits.memoryContent), 'What is to be remembered.').optional(),
  importance: importance.nullable().optional(),
  occurred_at: occurredAt.nullable().optional(),
  speaker: speaker.nullable().optional(),
  expires_at: expiry.optional(),
  valid_until: validUntil.optional(),
  metadata: metadataPatch.optional(),
});
export type MemoryPatch = z.infer<typeof memoryPatch>;

/** Values of metadata that are compared as a whole. */
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const wantedMetadata = z.record(z.string(), scalar);
export type WantedMetadata = z.infer<typeof wantedMetadata>;
const metadataWanted = objectOf(
  wantedMetadata
    .refine(
      (wanted) => Object.entries(wanted).every(([key, value]) => pairOf(key, value) !== null),
      `must have keys and values of at most ${longestPair} characters together, as JSON`,
    )
    .refine((wanted) => Object.keys(wanted).length <= mostPairs, `must have at most ${mostPairs} keys`),
  limits.metadata,
)
  .meta({ maxProperties: mostPairs })
  .describe(
    'Only what has each of these keys in its metadata with exactly that value: a text, number, boolean or null.',
  );

export const searchInput = z
  .strictObject({
    query: about(text(limits.query), 'What to look for, in any words.'),
    agent_id: absent(ofAgent),
    hive_id: absent(ofHive),
    types: listOf(memoryType, { min: 1, max: 20 }).optional().describe('Only memories of these types.'),
    speaker: absent(about(name, 'Only memories of this speaker, compared case-insensitively.')),
    sessionId: absent(about(reference, 'Only what is part of this conversation. Needs `agent_id` or `hive_id`.')),
    subject: absent(
      about(
        reference,
        'Only what belongs to this subject, and to nobody in particular. Needs `agent_id` or `hive_id`. Without it, all is searched.',
      ),
    ),
    run_id: absent(about(reference, 'Only memories that this run wrote.')),
    metadata: absent(metadataWanted),
    occurred_after: when
      .optional()
      .describe('Only memories that occurred at this time or later, ISO 8601 with a time zone.'),
    occurred_before: when
      .optional()
      .describe('Only memories that occurred before this time, ISO 8601 with a time zone.'),
    as_of: when
      .optional()
      .describe('Searches as of this time: only what was known and true then. ISO 8601 with a time zone.'),
    include_superseded: z
      .boolean()
      .optional()
      .describe('Whether to include superseded memories and those past their `valid_until`.'),
    explain: z.boolean().optional().describe('Whether to explain the score of each result.'),
    limit: z.int().min(1).max(100).optional().describe('The maximum number of results. Default 10.'),
    min_relevance: z.number().min(0).max(1).optional().describe('The minimum relevance of results. Default 0.'),
  })
  .refine((m) => m.agent_id === undefined || m.hive_id === undefined, {
    path: ['hive_id'],
    message: 'must not be given together with agent_id',
  })
  .meta(oneSpace);
export type SearchInput = z.infer<typeof searchInput>;

export const contextInput = z.strictObject({
  agent_id: ofAgent,
  query: absent(
    about(
      text(limits.query),
      'What the prompt is about, such as the newest message of the user. Without it, the newest is told.',
    ),
  ),
  sessionId: absent(about(reference, 'The conversation that goes on: its newest turns are told, whatever is asked.')),
  subject: absent(about(reference, 'Whom it is for. Without it, only what belongs to nobody in particular is told.')),
  max_tokens: z
    .int()
    .min(1)
    .max(100_000)
    .describe('The most tokens that the text may have. Tokens are estimated near what common tokenizers count.'),
  profile_tokens: z
    .int()
    .min(0)
    .max(4000)
    .optional()
    .describe(
      'How many of them may tell how somebody wants things always done and what they prefer, whatever the query is. Default: a quarter of `max_tokens`, and at most 400.',
    ),
});
export type ContextInput = z.infer<typeof contextInput>;

export const hiveInput = z.strictObject({
  name: hiveName,
  description: purpose.optional(),
  metadata: metadata.optional(),
});
export type HiveInput = z.infer<typeof hiveInput>;

/** PATCH merges `metadata` key by key, at any depth; null removes a key, or resets a field to its default. */
export const patchHiveInput = z.strictObject({
  name: hiveName.optional(),
  description: purpose.nullable().optional(),
  metadata: metadataPatch.optional(),
});
export type PatchHiveInput = z.infer<typeof patchHiveInput>;

export const joinInput = z.strictObject({ agent_id: ofAgent });
export const shareInput = z.strictObject({
  ...memoryFields,
  content: about(saidText(limits.memoryContent), 'The text to share.'),
  agent_id: ofAgent,
});
export type ShareInput = z.infer<typeof shareInput>;
