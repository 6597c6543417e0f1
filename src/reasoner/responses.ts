/**
 * Reasoners on servers of OpenAI's Responses API: `speaks: "responses"` in HIVEKEEP_MODELS. Nothing is stored on the
 * server: each request has the whole conversation, and what the model thought before each of its calls as the sealed
 * items that it handed out.
 */
import { z } from 'zod';
import type { Habits } from './chat/habits.js';
import type { Api } from './chat/http.js';
import { inOrder, type Ordered, ordered } from './chat/kept.js';
import { effortOf, strictly } from './chat/openai-words.js';
import { reasonersOf, type ModelServerOptions } from './chat/reasoner.js';
import { responsesPieces } from './chat/responses-pieces.js';
import type { Chat, ChatMessage, ContentPart } from './chat/chat.js';
import type { Reasoner } from './port.js';

const api: Api = {
  name: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  hint: { endpoint: 'responses', address: 'which mostly ends in /v1' },
  headers: (apiKey): Record<string, string> => (apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  body: bodyOf,
  pieces: responsesPieces,
  completion: asCompletion,
};

/** Returns the reasoner for a model, by its name on the server. */
export const createResponses = (options: ModelServerOptions): ((model: string) => Reasoner) =>
  reasonersOf(api, options);

function bodyOf(chat: Chat, habits: Habits): Record<string, unknown> {
  const { model, tools, system, messages, toolChoice, format, temperature, maxOutputTokens, reasoning } = chat;
  return {
    model,
    ...(system !== '' && { instructions: system }),
    input: messages.flatMap(itemsOf),
    ...(tools.length > 0 && {
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        type: 'function',
        name,
        description,
        parameters,
        strict: false,
      })),
    }),
    ...(toolChoice !== undefined &&
      tools.length > 0 && {
        tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', ...toolChoice },
      }),
    ...(chat.parallelCalls === false && tools.length > 0 && { parallel_tool_calls: false }),
    ...(format && { text: { format: { type: 'json_schema', name: 'answer', ...strictly(format) } } }),
    ...(temperature !== undefined && { temperature }),
    ...(chat.sampling?.top_p !== undefined && { top_p: chat.sampling.top_p }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(reasoning && { reasoning: { effort: effortOf(reasoning) } }),
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(habits.streams && { stream: true }),
  };
}

function itemsOf(message: ChatMessage): object[] {
  switch (message.role) {
    case 'user': {
      const { content } = message;
      return [{ role: 'user', content: typeof content === 'string' ? content : content.map(partOf) }];
    }
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }];
    case 'assistant': {
      const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
        type: 'function_call',
        call_id: id,
        name,
        arguments: given,
      }));
      const text = message.content ? [{ role: 'assistant', content: message.content }] : [];
      return inOrder(message.kept?.said, text, calls);
    }
  }
}

function partOf(part: ContentPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image_url':
      return { type: 'input_image', image_url: part.image_url.url };
    case 'file':
      return { type: 'input_file', ...part.file };
  }
}

const response = z.object({
  status: z.string().nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(
    z.looseObject({
      type: z.string(),
      name: z.string().optional(),
      arguments: z.unknown().optional(),
      content: z
        .array(z.object({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() }))
        .nullish()
        .catch(null),
    }),
  ),
  usage: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      input_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish()
    .catch(null),
});

const finishReasons: Record<string, string> = { max_output_tokens: 'length', content_filter: 'content_filter' };

/** The response as a chat completion; what is none is returned as it is, and then refused as no completion. */
function asCompletion(raw: unknown): unknown {
  const { data, success } = response.safeParse(raw);
  if (!success) return raw;
  const { status, incomplete_details: incomplete, output, usage } = data;
  const said = output.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []));
  const calls = output.flatMap(({ type, name, arguments: given }) =>
    type === 'function_call' && name !== undefined ? [{ function: { name, arguments: given } }] : [],
  );
  const kept = ordered(
    output.flatMap((item): Ordered[] => {
      if (item.type === 'message') return ['text'];
      if (item.type === 'function_call') return ['call'];
      return item.type === 'reasoning' ? [item] : [];
    }),
  );
  const refusal = said.map(({ refusal: text = '' }) => text).join('');
  const finish = status === 'failed' ? 'error' : finishReasons[incomplete?.reason ?? ''];
  return {
    choices: [
      {
        finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
        message: {
          content: said.map(({ type, text = '' }) => (type === 'output_text' ? text : '')).join(''),
          ...(refusal !== '' && { refusal }),
          ...(calls.length > 0 && { tool_calls: calls }),
          ...(kept && { kept }),
        },
      },
    ],
    ...(usage && {
      usage: {
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        prompt_tokens_details: { cached_tokens: usage.input_tokens_details?.cached_tokens ?? 0 },
      },
    }),
  };
}
