/**
 * Reasoners on any OpenAI-compatible server (OpenAI, Ollama, vLLM, llama.cpp and others), using chat/completions with
 * tools: `config.model: "openai/<name>"`.
 */
import type OpenAI from 'openai';
import { boundedFetch, plainFetch } from './chat/bounded-fetch.js';
import { shownUrl } from './chat/failure.js';
import { openAiPieces } from './chat/openai-pieces.js';
import { defaultMaxAnswerBytes, reasonersOf, usualTuning, type ModelServerOptions } from './chat/reasoner.js';
import { once, type Chat, type ModelServer } from './chat/server.js';
import { assembled, preferringStreams, Writing, type Progress } from './chat/stream.js';
import type { Reasoner } from './port.js';

export { defaultMaxAnswerBytes } from './chat/reasoner.js';

const officialBaseUrl = 'https://api.openai.com/v1';
const sentHeaders = ['accept', 'authorization', 'content-type', 'user-agent'];

/** Returns the reasoner for a model, by its name on the server. Without a key no Authorization header is sent. */
export function createOpenAi(options: ModelServerOptions): (model: string) => Reasoner {
  const baseURL = options.baseUrl ?? officialBaseUrl;
  const { apiKey, maxAnswerBytes: maxBytes = defaultMaxAnswerBytes } = options;
  // Loaded at the first request, as many a server never makes one. Ignores OPENAI_* of the environment, and writes
  // nothing to the console.
  const connect = once(
    async (): Promise<OpenAI> =>
      new (await import('openai')).default({
        baseURL,
        apiKey: apiKey ?? 'none', // required by the client; `defaultHeaders` decides what is sent
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        logLevel: 'off',
        maxRetries: 0,
        timeout: (options.tuning?.timeoutMs ?? usualTuning.timeoutMs) + 10_000,
        defaultHeaders: { Authorization: apiKey === null ? null : `Bearer ${apiKey}` },
        fetch: boundedFetch(maxBytes, plainFetch(sentHeaders, options.fetch)),
      }),
  );
  const server: ModelServer = {
    url: shownUrl(baseURL),
    apiKey,
    settings: options.settings ?? {
      baseUrl: 'HIVEKEEP_OPENAI_BASE_URL',
      apiKey: 'HIVEKEEP_OPENAI_API_KEY',
      maxAnswerBytes: 'HIVEKEEP_OPENAI_MAX_ANSWER_BYTES',
    },
    hint: { endpoint: 'chat/completions', address: 'which mostly ends in /v1' },
    complete: preferringStreams(
      options.stream ?? true,
      async (stream, chat: Chat, signal: AbortSignal, progress: Progress) => {
        const { completions } = (await connect()).chat;
        const body = bodyOf(chat, options.baseUrl === null);
        const how = { signal, maxRetries: 0 };
        if (!stream) return completions.create(body, how);
        return assembled(
          completions.create({ ...body, stream, stream_options: { include_usage: true } }, how),
          openAiPieces(new Writing(maxBytes, progress.listener)),
          signal,
          progress,
        );
      },
    ),
  };
  return reasonersOf(options.name ?? 'openai', server, options);
}

/** The chat as a request. Servers reuse what it has in common with the one before, from its beginning on. */
function bodyOf(
  { model, tools, system, messages, closing, toolChoice, temperature, maxOutputTokens }: Chat,
  official: boolean,
): OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming {
  return {
    model,
    tools: [...tools],
    messages: [
      { role: 'system', content: system },
      ...messages,
      ...(closing === undefined ? [] : [{ role: 'user' as const, content: closing }]),
    ],
    ...(toolChoice !== undefined && {
      tool_choice: toolChoice === 'none' ? toolChoice : { type: 'function', function: toolChoice },
    }),
    ...(temperature !== undefined && { temperature }),
    // OpenAI has renamed it, and most other servers know the old name only.
    ...(maxOutputTokens !== undefined && { [official ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens }),
  };
}
