/** The configuration of an agent: `config` of inputs.ts. */
import { z } from 'zod';
import { parseUrl } from '../shared/text-forms.js';
import { jsonBytes, listOf, objectOf } from '../shared/bounded.js';
import { agentTools } from './agent-tools.js';
import { nearest } from '../shared/text-forms.js';
import { about, limits, name, reference, text, timezone, wholeSteps } from '../shared/input-fields.js';
import { outputSchema } from '../shared/output-schema.js';
import { fileTypes, namedTools, progressLevels } from '../shared/vocabulary.js';

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

export const configFields = {
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
  reasoning: z
    .strictObject({
      effort: z
        .enum(['none', 'minimal', 'low', 'medium', 'high'])
        .optional()
        .describe('How much the model thinks before it speaks; `none` turns thinking off.'),
      max_tokens: z.int().min(0).max(1_000_000).optional().describe('The most tokens that it thinks.'),
    })
    .describe(
      'How much a model that can think does so, in the words of its API. Where it cannot be told, it is left out, and a thought says so. By default what its server decides.',
    ),
  builtin_tools: z
    .array(z.enum(namedTools))
    .max(namedTools.length)
    .describe(
      'The built-in tools that the model has, beside the tools of its own. By default those that it can use: `recall`, `remember`, `update_memory` and `forget`; `send_message` where mail comes or the agent is in a hive; `share_with_hive` in a hive; `ask_human` where a human approves what it does. A tool that the instructions name is told, too. `hand_off` works only where one of the two names it.',
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
  budget: z
    .strictObject({
      tokens_per_run: z.int().min(1).max(1e12).optional().describe('Tokens of one run, input and output.'),
      cost_per_run: z.number().min(0.000001).max(1e9).optional().describe('US dollars of one run.'),
      tokens_per_tree: z
        .int()
        .min(1)
        .max(1e12)
        .optional()
        .describe('Tokens of one run and of all that it asks of other agents, directly or through others.'),
      cost_per_tree: z.number().min(0.000001).max(1e9).optional().describe('US dollars of the same.'),
      tokens_per_month: z.int().min(1).max(1e12).optional().describe('Tokens of all runs in a month.'),
      cost_per_month: z.number().min(0.000001).max(1e9).optional().describe('US dollars of all runs in a month.'),
    })
    .describe(
      'What runs may use of model servers. One that reaches its budget is asked for its answer, and stops with `stopReason: budget`; where that of the month is used up, no run begins. Money counts where prices are known.',
    ),
  spawn: z
    .strictObject({
      most: z.int().min(1).max(64).describe('How many agents that it has spawned there may be at a time.'),
      model: modelName.optional().describe('Their model. Without it, that of the agent.'),
    })
    .describe(
      'Whether the agent may spawn others (`spawn_agent`), which have at most its tools, hives and gate, and are deleted with it. Without it, it may not.',
    ),
  timezone: timezone.describe(
    'The time zone of schedules of the agent that are made without one of their own, and in which its model is told the time where no block says another, a name of the IANA database such as `Europe/Berlin`. Default `UTC`.',
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
      'What A2A streams tell on the way: `off` is states and the answer, `short` neutral lines of what is done, `text` the answer while it is written, to callers with agent:read, `thoughts` also what the agent thinks, for callers with agent:read that ask. Unset: `thoughts`, with the lines for 0.2 and 0.3 only.',
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
  recall_tokens: z
    .int()
    .min(0)
    .max(250_000)
    .describe(
      'The most that a model is told of what was recalled, for a run or by the tool `recall`, in tokens, which are estimated: the best memories first, and of one that does not fit a passage. Default 2000.',
    ),
  profile_tokens: z
    .int()
    .min(0)
    .max(4000)
    .describe(
      'The most that a model is told at each step of how somebody wants things always done and what they prefer, in tokens, which are estimated: the newest. Default 400; 0 turns it off.',
    ),
  context_tokens: z
    .int()
    .min(0)
    .max(250_000)
    .describe(
      'How much of its session a run is given as it was said, the newest turns, in tokens of about four bytes. Default 8000. Older turns are found by recall.',
    ),
};

/**
 * Refuses keys that are none of the schema's, each by name and with the nearest that there is, so that a misspelt
 * setting is not kept as if it had an effect.
 */
export function onlyKnown<S extends z.ZodRawShape, C extends z.core.$ZodObjectConfig>(schema: z.ZodObject<S, C>) {
  const known = Object.keys(schema.shape);
  return schema
    .superRefine((given, context) => {
      for (const key of Object.keys(given)
        .filter((name) => !known.includes(name))
        .slice(0, mostNamed)) {
        const meant = nearest(key.slice(0, longestKey), known);
        context.addIssue({
          code: 'custom',
          path: [key],
          message: `is not a known field${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`,
        });
      }
    })
    .meta({ additionalProperties: false });
}
const mostNamed = 8;
const longestKey = 64;

/** `memory.recall_tokens` where it is not set. */
export const usualRecallTokens = 2000;

/** `memory.profile_tokens` where it is not set. */
export const usualProfileTokens = 400;

/** Whether a model answers; the built-in reasoner does where no model is named. */
export const asksModel = ({ model }: { model?: unknown }): boolean => model !== undefined && model !== 'built-in';
export const schemaNeedsModel = 'needs a model: the built-in reasoner answers in text';
const hasModelForSchema = (config: { model?: unknown; output_schema?: unknown }): boolean =>
  config.output_schema === undefined || asksModel(config);

export const agentConfig = onlyKnown(
  z.looseObject({
    ...z.object(configFields).partial().shape,
    memory: onlyKnown(z.looseObject(memoryFields).partial())
      .optional()
      .describe('Settings of recall and conversations.'),
    mailbox: onlyKnown(z.looseObject(mailboxFields).partial()).optional().describe('Settings of the mailbox.'),
    a2a: onlyKnown(z.looseObject(a2aFields).partial()).optional().describe('Settings of the A2A endpoint.'),
    card: onlyKnown(z.looseObject(cardFields).partial())
      .optional()
      .describe('What the cards at the well-known paths say.'),
  }),
)
  .refine(hasModelForSchema, { path: ['output_schema'], message: schemaNeedsModel })
  .refine((c) => jsonBytes(c) <= limits.config, `must be at most ${limits.config} bytes as JSON`)
  .describe(`The configuration. Unknown keys are refused. At most ${limits.config} bytes as JSON.`);
export type AgentConfig = z.infer<typeof agentConfig>;
export const boundedConfig = objectOf(agentConfig, limits.config);

/** The fields as a patch has them: null removes one, or resets it to its default. */
const removable = <S extends z.ZodRawShape>(fields: S): { [K in keyof S]: z.ZodNullable<S[K]> } =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, z.nullable(field)])) as unknown as {
    [K in keyof S]: z.ZodNullable<S[K]>;
  };
const resettable = <S extends z.ZodRawShape>(fields: S, meaning: string) =>
  z.looseObject(removable(fields)).partial().nullable().describe(`${meaning} Null resets them.`);
const { accepts, builtin_tools, output_schema, reasoning, spawn, tools, ...replaced } = removable(configFields);

/** The config in a PATCH; the merged result is checked against `agentConfig`. */
export const agentConfigPatch = objectOf(
  z
    .looseObject({
      ...replaced,
      accepts: accepts.describe('Replaces the list as a whole. Null removes it.'),
      builtin_tools: builtin_tools.describe('Replaces the list as a whole. Null removes it.'),
      spawn: spawn.describe('Replaces the setting as a whole. Null removes it.'),
      reasoning: reasoning.describe('Replaces the setting as a whole. Null removes it.'),
      output_schema: output_schema.describe('Replaces the schema as a whole. Null removes it.'),
      tools: tools.describe('Replaces the list of tools as a whole. Null removes it.'),
      mailbox: resettable(mailboxFields, 'Settings of the mailbox.'),
      a2a: resettable(a2aFields, 'Settings of the A2A endpoint.'),
      card: z
        .record(z.string(), z.unknown())
        .nullable()
        .describe('What the cards at the well-known paths say, merged as the rest. Null resets it.'),
      memory: resettable(memoryFields, 'Settings of recall and conversations.'),
    })
    .partial(),
  limits.patch,
)
  .nullable()
  .describe(
    'Merged key by key at any depth. Null removes a key, or the whole configuration. The merged result has at most 65536 bytes as JSON.',
  );
