/**
 * What a request of OpenAI's Responses API asks of an agent (docs/api.md 4.5): the same as a chat completion, in other
 * words.
 *
 *  - `previous_response_id` names a run, after which its session goes on. Where that has gone on without this request, it
 *    is a branch: a session of its own, which is told what was said up to there. Where it is left out, the items of the
 *    input are the history. Results of calls find their run by themselves.
 *  - The id of a response names the agent and the run, so that it is read at any process, and nothing is kept for it.
 */
import { z } from 'zod';
import { listOf, mostObjects } from '../../src/domain/shared/bounded.js';
import { metadata } from '../../src/domain/shared/input-fields.js';
import type { After } from '../../src/service.js';
import { type calledTool, type OpenAiMessage, mostMessages } from './messages.js';
import { type ChatRequest, sampling } from './request.js';

const part = z.looseObject({
  type: z
    .enum(
      ['input_text', 'output_text', 'text', 'refusal', 'input_image', 'input_file'],
      'must be input_text, output_text, refusal, input_image or input_file',
    )
    .describe('The kind of content.'),
  text: z.string().nullish().describe('The text.'),
  refusal: z.string().nullish().describe('What the assistant has said to refuse.'),
  image_url: z.string().nullish().describe('The image, as a data: URL.'),
  file_data: z.string().nullish().describe('The content of the file, as a data: URL or base64.'),
  filename: z.string().nullish().describe('Its name.'),
});
const contents = mostObjects(mostMessages, part, z.union([z.string(), z.array(part)]));
const itemTypes = ['message', 'function_call', 'function_call_output', 'reasoning', 'item_reference'] as const;
const item = z.looseObject({
  type: z
    .enum(itemTypes, 'must be message, function_call, function_call_output, reasoning or item_reference')
    .nullish()
    .describe('The kind of item; a message if there is none. `reasoning` and `item_reference` are passed over.'),
  role: z.enum(['system', 'developer', 'user', 'assistant']).nullish().describe('Of a message: who says it.'),
  content: contents.nullish().describe('Of a message: what is said.'),
  call_id: z.string().nullish().describe('Of a call or its result: the id of the call.'),
  name: z.string().nullish().describe('Of a call: the name of the function.'),
  arguments: z.string().nullish().describe('Of a call: its arguments, as JSON.'),
  output: contents.nullish().describe('Of a result: what the function returned.'),
});
const functionTool = z.looseObject({
  type: z.literal('function', 'must be "function"').describe('Only functions.'),
  name: z.string().describe('The name by which the model calls it.'),
  description: z.string().nullish().describe('What it does and when to use it.'),
  parameters: z.record(z.string(), z.unknown()).nullish().describe('The JSON Schema of its arguments, an object.'),
});

export const responseRequest = z
  .looseObject({
    model: z.string().min(1).describe('The id of an agent, or its name where no other agent has it.'),
    input: mostObjects(mostMessages, item, z.union([z.string(), z.array(item).min(1)])).describe(
      'What is said to the agent, or the items of the conversation so far, the last of which say it.',
    ),
    instructions: z.string().nullish().describe("Take the place of the agent's instructions in this run."),
    previous_response_id: z.string().nullish().describe('The response after which the conversation goes on.'),
    stream: z.boolean().nullish().describe('Whether the answer comes as server-sent events.'),
    background: z.boolean().nullish().describe('Whether to answer at once; the response is then retrieved.'),
    temperature: z.number().nullish().describe('The sampling temperature of this run.'),
    max_output_tokens: z.number().nullish().describe('The most tokens of one reply of the model.'),
    text: z
      .looseObject({
        format: z
          .looseObject({
            type: z.enum(['text', 'json_object', 'json_schema']).describe('Text, a JSON object, or one of a schema.'),
            schema: z.record(z.string(), z.unknown()).nullish().describe('The schema of the answer.'),
          })
          .nullish()
          .describe('The form of the answer; JSON needs an agent with a model.'),
      })
      .nullish()
      .describe('The form of the text.'),
    tools: listOf(functionTool, { max: 64 }).nullish().describe('Functions of the client, as in chat completions.'),
    tool_choice: z
      .union([
        z.enum(['auto', 'none', 'required']),
        z.looseObject({ type: z.literal('function'), name: z.string().describe('The function that is to be called.') }),
      ])
      .nullish()
      .describe('Whether a function is called, and which.'),
    parallel_tool_calls: z.boolean().nullish().describe('Whether several functions may be called at once.'),
    ...sampling,
    metadata: metadata.nullish().describe('Metadata of the run.'),
    user: z.string().nullish().describe('The session, unless X-Hivekeep-Session or previous_response_id names it.'),
  })
  .describe("A request of OpenAI's Responses API. Other fields have no effect.");
export type ResponseRequest = z.infer<typeof responseRequest>;

/** The id of the response that a run gives. */
export const responseId = (agent: string, completion: string): string => `resp_${agent}.${completion}`;

/** What a response is of: an agent, and a run of it as it was then. */
export interface OfResponse extends After {
  agent: string;
}

/** Null if this is no id of a response. */
export function runOfResponse(id: string): OfResponse | null {
  const [, agent, run, rest] = /^resp_([\w-]{1,128})\.(run_\w{1,64})($|[.-].*$)/.exec(id) ?? [];
  if (agent === undefined || run === undefined || rest === undefined) return null;
  if (rest === '') return { agent, run, answered: null };
  const [, question] = /^(-\d{1,9})\.answer$/.exec(rest) ?? [];
  return { agent, run, ...(question !== undefined && { answered: `${run}${question}` }) };
}

/** The same as a request of chat completions. */
export function asChat(request: ResponseRequest): ChatRequest {
  const { input, instructions, text, tools, tool_choice: choice } = request;
  const items = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input;
  const messages = items.flatMap(messagesOf);
  if (instructions) messages.unshift({ role: 'system', content: instructions });
  const format = text?.format;
  return {
    ...request,
    messages,
    stream_options: null,
    max_completion_tokens: request.max_output_tokens,
    response_format:
      format?.type === 'json_schema'
        ? { type: 'json_schema', json_schema: { schema: format.schema ?? {} } }
        : format?.type === 'json_object'
          ? { type: 'json_object' }
          : null,
    tools: tools?.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    tool_choice: typeof choice === 'object' && choice ? { type: 'function', function: { name: choice.name } } : choice,
  };
}

type Item = Exclude<ResponseRequest['input'], string>[number];

function messagesOf(given: Item): OpenAiMessage[] {
  switch (given.type ?? 'message') {
    case 'message':
      return [{ role: given.role ?? 'user', content: contentOf(given.content) }];
    case 'function_call': {
      const called = { name: given.name ?? '', arguments: given.arguments ?? '{}' };
      const calls: z.infer<typeof calledTool>[] = [{ id: given.call_id, function: called }];
      return [{ role: 'assistant', content: null, tool_calls: calls }];
    }
    case 'function_call_output':
      return [{ role: 'tool', tool_call_id: given.call_id, content: contentOf(given.output) }];
    default:
      return [];
  }
}

function contentOf(given: z.infer<typeof contents> | null | undefined): OpenAiMessage['content'] {
  if (!Array.isArray(given)) return given;
  return given.map(({ type, text, refusal, image_url: url, file_data, filename }) => {
    switch (type) {
      case 'input_image':
        return { type: 'image_url' as const, image_url: { url: url ?? '' } };
      case 'input_file':
        return { type: 'file' as const, file: { filename, file_data } };
      default:
        return { type: 'text' as const, text: text ?? refusal ?? '' };
    }
  });
}

/** The field of the request that one of the same as a chat completion was made of. */
export const inResponseWords = (path: string): string =>
  path
    .replace(/^messages\.\d+\.(tool_call_id)/, 'input.call_id')
    .replace(/^messages(\.\d+)?/, 'input')
    .replace(/^(max_completion_tokens|max_tokens)/, 'max_output_tokens')
    .replace(/^response_format\.json_schema/, 'text.format')
    .replace(/^response_format/, 'text.format')
    .replace(/^(tools\.\d+)\.function\./, '$1.');
