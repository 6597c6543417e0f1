/**
 * What a request of OpenAI's chat completions asks of an agent (docs/api.md 4.5).
 *
 *  - The last message of the user is what is said to the agent. Those before it are its history (history.ts).
 *  - What would change the answer and cannot be done is refused by name; fields without effect on an agent are
 *    ignored, because clients send many.
 */
import { z } from 'zod';
import { mostObjects } from '../../src/domain/shared/bounded.js';
import { HivekeepError, invalid, type Issue } from '../../src/domain/shared/errors.js';
import { limits, metadata, reference } from '../../src/domain/shared/input-fields.js';
import { type FileInput, type RunInput, runOverrides } from '../../src/domain/shared/inputs.js';
import { type OnBusy, onBusy } from '../../src/domain/shared/vocabulary.js';
import type { History } from './history.js';
import { message, mostMessages, textOfMessage } from './messages.js';
import { noText } from './parts.js';
import { toolFields, toolPath, toolsOf } from './tools.js';

/** How a model samples; each is passed on to servers that know it. */
export const sampling = {
  top_p: z.number().nullish().describe('Passed on to the model.'),
  stop: z
    .union([z.string(), z.array(z.string()).max(16)])
    .nullish()
    .describe('Passed on to the model.'),
  seed: z.int().nullish().describe('Passed on to the model.'),
  presence_penalty: z.number().nullish().describe('Passed on to the model.'),
  frequency_penalty: z.number().nullish().describe('Passed on to the model.'),
};
export const chatRequest = z
  .looseObject({
    model: z.string().min(1).describe('The id of an agent, or its name where no other agent has it.'),
    messages: mostObjects(mostMessages, message, z.array(message).min(1)).describe(
      'The last one of the `user` is said to the agent. Those before it tell which session it belongs to, and are told as turns where the service knows none that has them. Results of tools at the end are given to the run that asked for them.',
    ),
    user: z
      .string()
      .nullish()
      .describe('The session, unless X-Hivekeep-Session names it. Without either it is known by its history.'),
    stream: z.boolean().nullish().describe('Whether the answer comes in chunks, as server-sent events.'),
    stream_options: z
      .looseObject({ include_usage: z.boolean().nullish().describe('Whether a last chunk has the usage.') })
      .nullish()
      .describe('Options of the stream.'),
    temperature: z.number().nullish().describe('The sampling temperature of this run.'),
    max_tokens: z.number().nullish().describe('The older name of `max_completion_tokens`.'),
    max_completion_tokens: z.number().nullish().describe('The most tokens of one reply of the model.'),
    response_format: z
      .union(
        [
          z.looseObject({ type: z.enum(['text', 'json_object']).describe('Text, or any JSON object.') }),
          z.looseObject({
            type: z.literal('json_schema').describe('A JSON object of this schema.'),
            json_schema: z
              .looseObject({ schema: z.record(z.string(), z.unknown()).describe('The schema of the answer.') })
              .describe('The schema and its name.'),
          }),
        ],
        'must be {"type":"text"}, {"type":"json_object"} or {"type":"json_schema","json_schema":{"schema":{...}}}',
      )
      .nullish()
      .describe('The form of the answer; JSON needs an agent with a model.'),
    ...sampling,
    metadata: metadata.nullish().describe('Metadata of the run.'),
    n: z.literal(1, 'must be 1: a run has one answer').nullish().describe('Only 1.'),
    ...toolFields,
    functions: z
      .array(z.unknown())
      .max(0, 'must be empty: `tools` has the functions')
      .nullish()
      .describe('Only empty: `tools` has the functions.'),
  })
  .describe("A request of OpenAI's chat completions. Other fields are accepted and have no effect.");
export type ChatRequest = z.infer<typeof chatRequest>;

/** A session, with the field of the request that names it. */
export interface NamedSession {
  path: string;
  id: string;
}

/** The session that the request names, if it names one. */
export function namedSession(request: ChatRequest, header: string | string[] | undefined): NamedSession | null {
  const [path, given] =
    header === undefined || header === ''
      ? (['user', request.user] as const)
      : (['X-Hivekeep-Session', header] as const);
  if (given === undefined || given === null || given === '') return null;
  return { path, id: named(path, given) };
}

/** Whom the run is for, if the request says so. */
export const subjectOf = (header: string | string[] | undefined): string | undefined =>
  header === undefined || header === '' ? undefined : named('X-Hivekeep-Subject', header);

/** What becomes of it where its session is busy. */
export function onBusyHeader(header: string | string[] | undefined): OnBusy | undefined {
  if (header === undefined || header === '') return undefined;
  const known = onBusy.find((one) => one === header);
  if (known) return known;
  throw invalid({
    path: 'X-Hivekeep-On-Busy',
    message: `must be one of ${onBusy.map((one) => `"${one}"`).join(', ')}`,
  });
}

function named(path: string, given: unknown): string {
  const parsed = reference.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalid({ path, message: parsed.error.issues[0]?.message ?? 'must be a text' });
}

/** What the request says to the agent. */
export function saidInRequest(
  request: ChatRequest,
  { last, said: text }: Pick<History, 'last' | 'said'>,
  subject?: string,
  files: readonly FileInput[] = [],
): RunInput {
  const said = text.trim() === '' && files.length > 0 ? noText : text;
  if (said.trim() === '') throw invalid({ path: `messages.${last}.content`, message: 'must not be blank' });
  if (Buffer.byteLength(said) > limits.messageContent)
    throw invalid({ path: `messages.${last}.content`, message: `must be at most ${limits.messageContent} bytes` });
  const overrides = overridesOf(request);
  return {
    input: said,
    ...(files.length > 0 && { files: [...files] }),
    ...(subject !== undefined && { subject }),
    ...(overrides && { overrides }),
    ...(request.metadata && { metadata: request.metadata }),
  };
}

function samplingOf({ top_p, stop, seed, presence_penalty, frequency_penalty }: ChatRequest): Record<string, unknown> {
  const stops = typeof stop === 'string' ? [stop] : stop;
  const given = { top_p, stop: stops, seed, presence_penalty, frequency_penalty };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));
}

function overridesOf(request: ChatRequest): RunInput['overrides'] {
  const { messages, response_format: format } = request;
  const instructions = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(textOfMessage)
    .join('\n\n')
    .trim();
  const tokens = request.max_completion_tokens ?? request.max_tokens;
  const given = {
    ...toolsOf(request),
    ...(Object.keys(samplingOf(request)).length > 0 && { sampling: samplingOf(request) }),
    ...(instructions !== '' && { instructions }),
    ...(typeof request.temperature === 'number' && { temperature: request.temperature }),
    ...(typeof tokens === 'number' && { max_output_tokens: tokens }),
    ...(format?.type === 'json_object' && { output_schema: { type: 'object' } }),
    ...(format?.type === 'json_schema' && {
      output_schema: (format as { json_schema: { schema: object } }).json_schema.schema,
    }),
  };
  if (Object.keys(given).length === 0) return undefined;
  const parsed = runOverrides.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw inItsWords(
    invalid({ path: ['overrides', ...(issue?.path ?? [])].join('.'), message: issue?.message ?? '' }),
    request,
  );
}

/** The error with the fields of the run under the names that they have in the request. */
export function inItsWords(thrown: unknown, request: ChatRequest, files: readonly string[] = []): unknown {
  if (!(thrown instanceof HivekeepError)) return thrown;
  const [issue] = (thrown.details['issues'] ?? []) as Issue[];
  if (!issue) return thrown;
  const [, file] = /^files\.(\d+)/.exec(issue.path) ?? [];
  if (file !== undefined) {
    const { message } = issue;
    const path = files[Number(file)] ?? 'messages';
    return new HivekeepError(thrown.code, `${path} ${message}`, { details: { issues: [{ path, message }] } });
  }
  if (thrown.code !== 'VALIDATION_ERROR') return thrown;
  const path = toolPath(issue.path)
    .replace(/^(input|overrides\.instructions)/, 'messages')
    .replace(/^overrides\.max_output_tokens/, request.max_completion_tokens ? 'max_completion_tokens' : 'max_tokens')
    .replace(
      /^overrides\.output_schema/,
      request.response_format?.type === 'json_schema' ? 'response_format.json_schema.schema' : 'response_format',
    )
    .replace(/^overrides\.sampling\./, '')
    .replace(/^overrides\./, '');
  return invalid({ path, message: issue.message });
}
