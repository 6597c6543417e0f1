/**
 * What clients may send, as zod schemas that are built once (a schema built per call costs 80 times the parse). Sizes
 * are in bytes of UTF-8. Objects reject unknown keys, so that a misspelt setting is an error instead of being ignored;
 * `config`, `config.memory` and `metadata` accept any keys.
 *
 * `meta` and `describe` document the checks that are made in code: as JSON Schema where it can express them (a text of
 * at most n bytes has at most n characters), and in words where it cannot.
 */
import { z } from 'zod';
import { parseUrl } from './parse-url.js';
import { jsonBytes, listOf, objectOf, refuseInfinite } from './bounded.js';
import { agentTools } from './agent-tools.js';
import { outputSchema } from './output-schema.js';
import {
  agentStatuses,
  fileTypes,
  modes,
  progressLevels,
  runStatuses,
  scopes,
  thoughtTypes,
  tiers,
  tokenScopes,
} from './vocabulary.js';

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
/** An id that a client gives: one of the service's, or one of its own. */
/** The schema with its meaning before what it says of its form. */
const about = <T extends z.ZodType>(schema: T, meaning: string): T =>
  schema.describe(schema.description === undefined ? meaning : `${meaning} ${schema.description}`);
export const reference = text(limits.reference);
/**
 * A field that may be left out. Null is the same, because that is what the service itself answers where it is left out.
 */
const absent = <T extends z.ZodType>(schema: T): z.ZodOptional<T> =>
  schema
    .nullish()
    .describe(schema.description ?? '')
    .transform((given) => given ?? undefined) as unknown as z.ZodOptional<T>;

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const ofSession = about(
  reference,
  'The conversation it is part of: a name of your own, or the `sessionId` of an earlier reply.',
);
const ofAgent = about(reference, 'The id of the agent.');
const ofHive = about(reference, 'The id of the hive.');
export const memoryType = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'must be 1 to 64 letters, digits, _ . or -, starting with a letter')
  .describe('The kind of memory, for example `semantic`, `episodic` or `procedural`.');
/** Patches can make metadata grow too, so the merged result is checked again. */
export const fitsMetadata = (m: Record<string, unknown>): boolean => jsonBytes(m) <= limits.metadata;
/** The values are the result of JSON.parse on the request body. */
export const metadata = objectOf(
  z.record(text(limits.name, 0), z.unknown()).superRefine(refuseInfinite),
  limits.metadata,
).describe(`Arbitrary metadata: any keys and values, at most ${limits.metadata} bytes as JSON.`);
const metadataPatch = objectOf(z.record(z.string(), z.unknown()).superRefine(refuseInfinite), limits.patch)
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
const expiry = when
  .nullable()
  .describe('When it expires: a time in the future, ISO 8601 with a time zone. Null means never.');
const wholeSteps = z.int().min(1).max(100);
const seconds = z.int().min(1).max(3600);
const importance = z
  .number()
  .min(0)
  .max(1)
  .describe('Breaks ties between memories that match a search equally well. 0.5 is neutral, like no value.');
const occurredAt = when.describe(
  'When the content was said or happened, ISO 8601 with a time zone. Defaults to `created_at`.',
);
const speaker = name.describe('Who said it. Without it, recall uses a leading `Name: ` of the content.');

/** `built-in`, or a server and its model; or several of the latter. */
const modelName = z.union([
  z
    .string()
    .max(200)
    .regex(
      /^(built-in|[a-z][a-z0-9-]{0,31}\/\S+)$/,
      'must be "built-in", "openai/<name>", "anthropic/<name>" or "<server>/<name>"',
    ),
  z
    .array(
      z
        .string()
        .max(200)
        .regex(/^[a-z][a-z0-9-]{0,31}\/\S+$/, 'must be "openai/<name>", "anthropic/<name>" or "<server>/<name>"'),
    )
    .min(1)
    .max(8),
]);

const configFields = {
  model: modelName.describe(
    '`built-in` (the default), `openai/<name>`, `anthropic/<name>`, or the name of another configured server and its model. In a list of these, up to eight, the next one is asked where a server is away or refuses for reasons of its own.',
  ),
  max_output_tokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe(
      'The most tokens of one reply of the model, by default what its server decides (Anthropic: 8192). A longer answer is continued.',
    ),
  accepts: z
    .array(z.enum(fileTypes))
    .max(fileTypes.length)
    .describe(
      'The media types of the files that the model is given, beside texts. By default the images: PNG, JPEG, GIF and WebP. An empty list refuses them.',
    ),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .describe('The sampling temperature passed to the model; 0 is the most predictable.'),
  multi_step: z
    .boolean()
    .describe(
      'Whether runs may take several steps; messages over A2A are then answered while the run continues. Default false.',
    ),
  max_steps: wholeSteps.describe('The maximum number of steps of a run that does not set its own.'),
  max_parallel: z
    .int()
    .min(1)
    .max(64)
    .describe(
      'How many runs of the agent may be running at a time, each in a session of its own; of one session it is always one. Default 8.',
    ),
  instructions: about(text(limits.instructions, 0), 'Instructions that tell the model its role and task.'),
  output_schema: outputSchema,
  tools: agentTools,
  validation_gate: z
    .enum(['none', 'action', 'answer'])
    .describe(
      'Pauses runs for approval: before each action that remembers, sends or shares something, or uses a tool of its own that does not only read (`action`), or before the answer, and whatever else is told to whoever asked (`answer`).',
    ),
};
const mailboxFields = {
  accept: z
    .union([z.enum(['all', 'hive']), z.array(reference).max(100)])
    .describe(
      'Whose mailbox messages the agent takes: `all` (the default), those of agents in its `hive`s, or those of the agents in a list, in which `external` stands for clients.',
    ),
};
const webAddress = text(2048)
  .refine((address) => /^https?:$/.test(parseUrl(address)?.protocol ?? ''), 'must be an http or https URL')
  .meta({ pattern: '^https?://' });
const cardFields = {
  public: z
    .boolean()
    .describe(
      "Whether everybody may read the agent's card at the service's origin, where HIVEKEEP_PUBLIC_CARDS allows it.",
    ),
  name: about(name, "The agent's name on its cards. Without it, its own."),
  provider: z
    .strictObject({
      organization: about(name, 'Who provides the agent.'),
      url: about(webAddress, 'Their address.'),
    })
    .describe('Who provides the agent.'),
  icon: about(webAddress, 'The address of an icon.'),
  documentation: about(webAddress, 'The address of a page about the agent.'),
  skills: listOf(
    z.strictObject({
      id: about(reference, 'The id of the skill.'),
      name: about(name, 'The name of the skill.'),
      description: about(text(limits.description), 'What the skill does.'),
      tags: z.array(name).min(1).max(20).describe('Keywords of the skill.'),
      examples: z.array(text(limits.description)).max(20).optional().describe('What may be said to it.'),
    }),
    { min: 1, tooFew: 'must have at least one skill', max: 20 },
  ).describe('What the agent can be asked to do, in place of the one skill of every agent.'),
};
const a2aFields = {
  progress: z
    .enum(progressLevels)
    .describe(
      'What A2A streams tell on the way: `off` is states and the answer, `short` neutral lines of what is done, `thoughts` also what the agent thinks, for callers with agent:read that ask. Unset: `thoughts`, with the lines for 0.2 and 0.3 only.',
    ),
};
const memoryFields = {
  min_relevance: z.number().min(0).max(1).describe('The minimum relevance of recalled memories.'),
  recall_limit: z.int().min(0).max(50).describe('The maximum number of memories per recall.'),
  conversation: z
    .union([z.enum(['on', 'off']), z.int().min(1).max(36_500)])
    .describe(
      'Whether what is said to the agent and what it answers is found by recall: `on` (the default), `off`, or for this many days.',
    ),
  learn: z
    .enum(['model', 'off'])
    .describe(
      'Whether facts in what is said to the agent become memories: by the `model` of `config.model` (the default), which picks passages after the run, or `off`.',
    ),
  context_tokens: z
    .int()
    .min(0)
    .max(250_000)
    .describe(
      'How much of its session a run is given as it was said, the newest turns, in tokens of about four bytes. Default 8000. Older turns are found by recall.',
    ),
};

/** Whether a model answers; the built-in reasoner does where no model is named. */
export const asksModel = ({ model }: { model?: unknown }): boolean => model !== undefined && model !== 'built-in';
export const schemaNeedsModel = 'needs a model: the built-in reasoner answers in text';
const hasModelForSchema = (config: { model?: unknown; output_schema?: unknown }): boolean =>
  config.output_schema === undefined || asksModel(config);

export const agentConfig = z
  .looseObject({
    ...z.object(configFields).partial().shape,
    memory: z.looseObject(memoryFields).partial().optional().describe('Settings of recall and conversations.'),
    mailbox: z.looseObject(mailboxFields).partial().optional().describe('Settings of the mailbox.'),
    a2a: z.looseObject(a2aFields).partial().optional().describe('Settings of the A2A endpoint.'),
    card: z.looseObject(cardFields).partial().optional().describe('What the cards at the well-known paths say.'),
  })
  .refine(hasModelForSchema, { path: ['output_schema'], message: schemaNeedsModel })
  .refine((c) => jsonBytes(c) <= limits.config, `must be at most ${limits.config} bytes as JSON`)
  .describe(`The configuration. Unknown keys are stored and have no effect. At most ${limits.config} bytes as JSON.`);
export type AgentConfig = z.infer<typeof agentConfig>;
export const boundedConfig = objectOf(agentConfig, limits.config);

const {
  model,
  accepts,
  temperature,
  max_output_tokens,
  multi_step,
  max_steps,
  instructions,
  output_schema,
  tools,
  validation_gate,
} = configFields;
/** The config in a PATCH; the merged result is checked against `agentConfig`. */
const agentConfigPatch = objectOf(
  z
    .looseObject({
      model: model.nullable(),
      accepts: accepts.nullable().describe('Replaces the list as a whole. Null removes it.'),
      temperature: temperature.nullable(),
      max_output_tokens: max_output_tokens.nullable(),
      multi_step: multi_step.nullable(),
      max_steps: max_steps.nullable(),
      instructions: instructions.nullable(),
      output_schema: output_schema.nullable().describe('Replaces the schema as a whole. Null removes it.'),
      tools: tools.nullable().describe('Replaces the list of tools as a whole. Null removes it.'),
      validation_gate: validation_gate.nullable(),
      mailbox: z
        .looseObject({ accept: mailboxFields.accept.nullable() })
        .partial()
        .nullable()
        .describe('Settings of the mailbox. Null resets them.'),
      a2a: z
        .looseObject({ progress: a2aFields.progress.nullable() })
        .partial()
        .nullable()
        .describe('Settings of the A2A endpoint. Null resets them.'),
      card: z
        .record(z.string(), z.unknown())
        .nullable()
        .describe('What the cards at the well-known paths say, merged as the rest. Null resets it.'),
      memory: z
        .looseObject({
          min_relevance: memoryFields.min_relevance.nullable(),
          recall_limit: memoryFields.recall_limit.nullable(),
          conversation: memoryFields.conversation.nullable(),
          learn: memoryFields.learn.nullable(),
          context_tokens: memoryFields.context_tokens.nullable(),
        })
        .partial()
        .nullable()
        .describe('Settings of recall and conversations. Null resets them.'),
    })
    .partial(),
  limits.patch,
)
  .nullable()
  .describe(
    'Merged key by key at any depth. Null removes a key, or the whole configuration. The merged result has at most 65536 bytes as JSON.',
  );

export const hiveIds = listOf(reference, { max: limits.hivesPerAgent })
  .refine((a) => new Set(a).size === a.length, 'must not name a hive twice')
  .meta({ uniqueItems: true, description: 'The ids of hives of this workspace.' });

const credentialName = about(name, 'A name for telling it from others.');
const hiveName = about(name, 'Names need not be unique.');
const agentName = about(name, 'Names need not be unique; agents find one another by them.');
const purpose = about(text(limits.description, 0), 'What it is for.');
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
  message_count: anything,
  created_at: anything,
  updated_at: anything,
  last_active_at: anything,
};

const status = z
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

/** What one run does differently from the settings of its agent. */
export const runOverrides = z
  .strictObject({
    model: model.describe('The model of this run, as in the configuration of an agent.'),
    instructions: instructions.describe("Takes the place of the agent's instructions."),
    temperature,
    max_output_tokens,
    output_schema: output_schema
      .nullable()
      .describe('The JSON Schema of the final answer of this run. Null asks for text where the agent has a schema.'),
    tools: tools.describe("Take the place of the agent's own tools in this run, as in the configuration of an agent."),
  })
  .partial()
  .describe(
    "What this run does differently from its agent's configuration. Its forks do the same, and it is kept when the run is resumed.",
  );
export type RunOverrides = z.infer<typeof runOverrides>;
const ofRun = metadata
  .optional()
  .describe(
    `Metadata of the run: any keys and values, at most ${limits.metadata} bytes as JSON. Its forks have it, too.`,
  );

/** Padded and in the standard alphabet; the expression is one that needs no stack, however long the text is. */
export const base64 = z
  .string()
  .refine((s) => s.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(s), 'must be base64, with its padding')
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

export const messageInput = z.strictObject({
  content: about(text(limits.messageContent), 'What is said to the agent.'),
  files,
  sessionId: absent(ofSession),
  overrides: absent(runOverrides),
  metadata: ofRun,
});
export type MessageInput = z.infer<typeof messageInput>;

export const runInput = z.strictObject({
  input: about(text(limits.messageContent), 'What the agent is asked or told.'),
  files,
  sessionId: absent(ofSession),
  maxSteps: wholeSteps
    .optional()
    .describe('The maximum number of reasoner calls. Defaults to the configuration of the agent.'),
  maxRuntimeSeconds: seconds
    .optional()
    .describe('The maximum reasoning time in seconds. Defaults to the setting of the agent.'),
  on_busy: z
    .enum(['enqueue', 'reject'])
    .optional()
    .describe(
      'What to do while the agent has a run in progress: queue the new run (`enqueue`, the default), or answer 409 AGENT_BUSY (`reject`).',
    ),
  overrides: absent(runOverrides),
  metadata: ofRun,
});
export type RunInput = z.infer<typeof runInput>;

export const timezone = text(64).refine(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin');
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
export const scheduleInput = z
  .strictObject({
    ...scheduleTimes,
    timezone: absent(timezone).describe(
      'The time zone of `cron`, a name of the IANA database such as `Europe/Berlin`. Default `UTC`; without `cron` it is left out.',
    ),
    input: about(text(limits.messageContent), 'What the agent is asked or told each time.'),
    sessionId: absent(ofSession),
    overrides: absent(runOverrides),
    catch_up: z
      .enum(['one', 'none'])
      .optional()
      .describe(
        'What becomes of times that came while the service was not there: one run for all of them (`one`, the default), or `none`.',
      ),
  })
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
export type ScheduleInput = z.infer<typeof scheduleInput>;

export const schedulePatch = z.strictObject({
  paused: z.boolean().describe('Whether the schedule is paused. Times that come meanwhile are not caught up with.'),
});
export type SchedulePatch = z.infer<typeof schedulePatch>;

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
  content: about(text(limits.messageContent), 'The text of the message.'),
  from: absent(
    about(reference, 'The sending agent; requires the scope `agent:manage`. Without it the sender is `external`.'),
  ),
  reply_to: absent(about(reference, 'The id of the message it answers.')),
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

/** The JSON Schema form of what the refinements of memories and searches check. */
const oneContext = { not: { required: ['agent_id', 'hive_id'] } };

export const memoryInput = z
  .strictObject({
    type: memoryType,
    content: about(text(limits.memoryContent), 'What is to be remembered.'),
    agent_id: absent(ofAgent),
    hive_id: absent(ofHive),
    sessionId: absent(ofSession),
    importance: absent(importance),
    occurred_at: occurredAt.optional(),
    speaker: absent(speaker),
    expires_at: expiry.optional(),
    supersedes: absent(supersedes),
    metadata: metadata.optional(),
  })
  .refine((m) => m.agent_id === undefined || m.hive_id === undefined, {
    path: ['hive_id'],
    message:
      'must not be given together with agent_id: a memory belongs to one context (share with POST /v1/hives/:id/memories)',
  })
  .meta(oneContext);
export type MemoryInput = z.infer<typeof memoryInput>;

export const memoryBatchInput = z.strictObject({
  memories: listOf(memoryInput, { min: 1, tooFew: 'must have at least one memory', max: 500 }).describe(
    'The memories to add, each as in POST /v1/memories. If one of them is malformed, none is added.',
  ),
});
export type MemoryBatchInput = z.infer<typeof memoryBatchInput>;

export const memoryPatch = z.strictObject({
  type: memoryType.optional(),
  content: about(text(limits.memoryContent), 'What is to be remembered.').optional(),
  importance: importance.nullable().optional(),
  occurred_at: occurredAt.nullable().optional(),
  speaker: speaker.nullable().optional(),
  expires_at: expiry.optional(),
  valid_until: validUntil.optional(),
  metadata: metadataPatch.optional(),
});
export type MemoryPatch = z.infer<typeof memoryPatch>;

export const searchInput = z
  .strictObject({
    query: about(text(limits.query), 'What to look for, in any words.'),
    agent_id: absent(ofAgent),
    hive_id: absent(ofHive),
    types: listOf(memoryType, { min: 1, max: 20 }).optional().describe('Only memories of these types.'),
    speaker: absent(about(name, 'Only memories of this speaker, compared case-insensitively.')),
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
  .meta(oneContext);
export type SearchInput = z.infer<typeof searchInput>;

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

export const thresholds = listOf(z.int().min(1).max(100), { max: 10 });
/** PUT replaces the fields that it names. */
export const usageAlertsInput = z.strictObject({
  thresholds: thresholds
    .optional()
    .describe(
      'The percentages of the monthly quota at which an alert is sent, at most 10. An empty list turns alerts off.',
    ),
  webhook: z
    .strictObject({
      url: about(text(2048), 'The URL alerts are sent to: https, on a public host.'),
      token: z
        .string()
        .regex(
          /^(?!whsec_)[\x21-\x7e]{1,1024}$|^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/,
          'must be 1 to 1,024 visible ASCII characters, or whsec_ and 24 to 64 bytes in base64',
        )
        .nullable()
        .optional()
        .describe(
          'A secret by which the receiver can authenticate the service. One that begins with `whsec_` (and goes on with 24 to 64 bytes in base64) signs each alert as Standard Webhooks has it, and is not sent; any other is sent as `Authorization: Bearer`. If omitted, the current token is kept as long as the URL stays the same; null removes it.',
        ),
    })
    .nullable()
    .optional()
    .describe('The webhook that receives alerts in addition to the event stream. Null removes it.'),
});
export type UsageAlertsInput = z.infer<typeof usageAlertsInput>;

export const joinInput = z.strictObject({ agent_id: ofAgent });
export const shareInput = z.strictObject({
  type: memoryType,
  content: about(text(limits.memoryContent), 'The text to share.'),
  agent_id: ofAgent,
  sessionId: absent(ofSession),
  importance: absent(importance),
  occurred_at: occurredAt.optional(),
  speaker: absent(speaker),
  supersedes: absent(supersedes),
  metadata: metadata.optional(),
});
export type ShareInput = z.infer<typeof shareInput>;

export const workspaceInput = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be 1 to 63 lower-case letters, digits or -, starting with a letter'),
  tier: z.enum(tiers),
});

/** The filters of lists, as they come in a query string. */
const time = (text: string): typeof when => when.describe(`${text}, ISO 8601 with a time zone.`);
export const createdFilter = {
  created_after: time('Only what was created at this time or later'),
  created_before: time('Only what was created before this time'),
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
/** Values of metadata that are compared as a whole. */
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const wantedMetadata = z.record(z.string(), scalar);
export type WantedMetadata = z.infer<typeof wantedMetadata>;
const readWanted = (text: string): WantedMetadata | null => {
  try {
    return wantedMetadata.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};
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
