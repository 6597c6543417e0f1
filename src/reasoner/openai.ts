/**
 * Reasoners on any OpenAI-compatible server (OpenAI, Ollama, vLLM, llama.cpp and others), using chat/completions with
 * tools: `config.model: "openai/<name>"`.
 */
import type { Api } from './chat/http.js';
import { openAiPieces } from './chat/openai-pieces.js';
import { reasonersOf, type ModelServerOptions } from './chat/reasoner.js';
import type { Chat } from './chat/server.js';
import type { Reasoner } from './port.js';

const api: Api = {
  name: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  hint: { endpoint: 'chat/completions', address: 'which mostly ends in /v1' },
  headers: (apiKey): Record<string, string> => (apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  body: bodyOf,
  pieces: openAiPieces,
  completion: (reply) => reply,
};

/** Returns the reasoner for a model, by its name on the server. */
export const createOpenAi = (options: ModelServerOptions): ((model: string) => Reasoner) => reasonersOf(api, options);

/** Servers reuse what the request has in common with the one before, from its beginning on. */
function bodyOf(
  { model, tools, system, messages, closing, toolChoice, temperature, maxOutputTokens }: Chat,
  stream: boolean,
  official: boolean,
): object {
  return {
    model,
    tools,
    messages: [
      { role: 'system', content: system },
      ...messages,
      ...(closing === undefined ? [] : [{ role: 'user', content: closing }]),
    ],
    ...(toolChoice !== undefined && {
      tool_choice: toolChoice === 'none' ? toolChoice : { type: 'function', function: toolChoice },
    }),
    ...(temperature !== undefined && { temperature }),
    // OpenAI has renamed it, and most other servers know the old name only.
    ...(maxOutputTokens !== undefined && { [official ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens }),
    ...(stream && { stream, stream_options: { include_usage: true } }),
  };
}
