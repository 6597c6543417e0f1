/**
 * Reasoners on any OpenAI-compatible server (OpenAI, Ollama, vLLM, llama.cpp and others), using chat/completions with
 * tools: `config.model: "openai/<name>"`.
 */
import type { Habits } from './chat/habits.js';
import type { Api } from './chat/http.js';
import { effortOf, strictly } from './chat/openai-words.js';
import { openAiPieces } from './chat/openai-pieces.js';
import { reasonersOf, type ModelServerOptions } from './chat/reasoner.js';
import type { Chat, ChatMessage, Kept } from './chat/chat.js';
import type { Reasoner } from './port.js';

const api: Api = {
  name: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  hint: { endpoint: 'chat/completions', address: 'which mostly ends in /v1' },
  headers: (apiKey): Record<string, string> => (apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  body: bodyOf,
  pieces: openAiPieces,
  completion: asCompletion,
};

/** Returns the reasoner for a model, by its name on the server. */
export const createOpenAi = (options: ModelServerOptions): ((model: string) => Reasoner) => {
  // OpenAI has renamed it, and most other servers know the old name only.
  const limit = options.baseUrl === null ? 'max_completion_tokens' : 'max_tokens';
  return reasonersOf(api, { ...options, habits: { limit, ...options.habits } });
};

/** Servers reuse what the request has in common with the one before, from its beginning on. */
function bodyOf(chat: Chat, habits: Habits, baseUrl: string): Record<string, unknown> {
  const { model, tools, system, messages, toolChoice, format, temperature, maxOutputTokens, reasoning } = chat;
  return {
    model,
    ...(tools.length > 0 && { tools }),
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...messages.map((message) => messageOf(message, habits)),
    ],
    ...(toolChoice !== undefined &&
      tools.length > 0 && {
        tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: toolChoice },
      }),
    ...(chat.parallelCalls === false && tools.length > 0 && { parallel_tool_calls: false }),
    ...chat.sampling,
    ...(format && { response_format: { type: 'json_schema', json_schema: { name: 'answer', ...strictly(format) } } }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { [habits.limit]: maxOutputTokens }),
    ...(reasoning &&
      (/\bopenrouter\b/.test(baseUrl)
        ? {
            reasoning: {
              ...(reasoning.max_tokens === undefined
                ? { effort: reasoning.effort }
                : { max_tokens: reasoning.max_tokens }),
            },
          }
        : { reasoning_effort: effortOf(reasoning) })),
    ...(habits.streams && { stream: true, stream_options: { include_usage: true } }),
  };
}

/** What chat completions keep: fields of the message, and fields of each of its calls. */
interface KeptFields {
  message: Record<string, unknown>;
  calls: (Record<string, unknown> | null)[];
}
const fieldsOfMessage = ['reasoning_content', 'reasoning_details', 'reasoning', 'extra_content'] as const;
const fieldsOfCall = ['extra_content', 'thought_signature'] as const;

function messageOf(message: ChatMessage, habits: Habits): object {
  if (message.role !== 'assistant') return message;
  const { content, tool_calls: calls, kept } = message;
  if (!calls) return { role: 'assistant', content: content ?? habits.noText };
  const { message: said, calls: ofCalls = [] } = fieldsIn(kept);
  const missing = (field: Habits['placeholders'][number]): boolean => habits.placeholders.includes(field);
  return {
    role: 'assistant',
    content: content ?? habits.noText,
    ...(missing('reasoning_content') && { reasoning_content: ' ' }),
    ...Object.fromEntries(Object.entries(said ?? {}).filter(([field]) => !habits.without.includes(field))),
    tool_calls: calls.map((call, i) => ({
      ...call,
      ...(missing('thought_signature') && !said && { extra_content: unsigned }),
      ...ofCalls[i],
    })),
  };
}

/** By which Gemini is told that a call is not its own, or that its signature is lost. */
const unsigned = { google: { thought_signature: 'skip_thought_signature_validator' } };

const fieldsIn = (kept: Kept | undefined): Partial<KeptFields> => kept?.said ?? {};

type Fields = Record<string, unknown>;
const chosen = (from: Fields, fields: readonly string[]): Fields =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = from[field];
      return value === undefined || value === null || value === '' ? [] : [[field, value]];
    }),
  );

/** With what the message has handed out, as `kept`. */
function asCompletion(reply: unknown): unknown {
  const { choices } = (reply ?? {}) as { choices?: { message?: Fields }[] };
  const message = Array.isArray(choices) ? choices[0]?.message : undefined;
  if (typeof message !== 'object') return reply;
  const said = chosen(message, fieldsOfMessage);
  if (said['reasoning_content'] !== undefined || said['reasoning_details'] !== undefined) delete said['reasoning'];
  const made = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as Fields[]) : [];
  const calls = made.map((call) => {
    const kept = chosen(call, fieldsOfCall);
    return Object.keys(kept).length === 0 ? null : kept;
  });
  if (Object.keys(said).length > 0 || calls.some((call) => call !== null))
    message['kept'] = { message: said, calls } satisfies KeptFields;
  return reply;
}
