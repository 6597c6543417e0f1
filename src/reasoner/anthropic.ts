/**
 * Reasoners on Anthropic's models, by the Messages API: `config.model: "anthropic/<name>"`. The chat is translated into
 * that API's form, and its reply into a chat completion, which the parts in chat/ understand.
 */
import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { anthropicPieces } from './chat/anthropic-pieces.js';
import { boundedFetch, plainFetch } from './chat/bounded-fetch.js';
import { shownUrl } from './chat/failure.js';
import { defaultMaxAnswerBytes, reasonersOf, usualTuning, type ModelServerOptions } from './chat/reasoner.js';
import { once, type Chat, type ChatMessage, type ChatTool, type ModelServer } from './chat/server.js';
import { assembled, preferringStreams, Writing, type Progress } from './chat/stream.js';
import type { Reasoner } from './port.js';

const officialBaseUrl = 'https://api.anthropic.com';
const sentHeaders = ['accept', 'anthropic-version', 'content-type', 'user-agent', 'x-api-key'];
/** The API wants to be told how long a reply may be. */
const usualMaxTokens = 8192;

/** Returns the reasoner for a model, by its name on the server. */
export function createAnthropic(options: ModelServerOptions): (model: string) => Reasoner {
  const baseURL = options.baseUrl ?? officialBaseUrl;
  const { apiKey, maxAnswerBytes: maxBytes = defaultMaxAnswerBytes } = options;
  // Loaded at the first request, as many a server never makes one. Ignores ANTHROPIC_* of the environment and profiles
  // of the machine, and writes nothing to the console.
  const connect = once(
    async (): Promise<Anthropic> =>
      new (await import('@anthropic-ai/sdk')).default({
        baseURL,
        apiKey: apiKey ?? 'none', // required by the client; the header is taken off again
        authToken: null,
        credentials: null,
        config: null,
        profile: null,
        webhookKey: null,
        openTelemetry: false,
        logLevel: 'off',
        maxRetries: 0,
        timeout: (options.tuning?.timeoutMs ?? usualTuning.timeoutMs) + 10_000,
        defaultHeaders: { 'x-api-key': apiKey },
        fetch: boundedFetch(maxBytes, plainFetch(sentHeaders, options.fetch)),
      }),
  );
  const server: ModelServer = {
    url: shownUrl(baseURL),
    apiKey,
    settings: options.settings ?? {
      baseUrl: 'HIVEKEEP_ANTHROPIC_BASE_URL',
      apiKey: 'HIVEKEEP_ANTHROPIC_API_KEY',
      maxAnswerBytes: 'HIVEKEEP_OPENAI_MAX_ANSWER_BYTES',
    },
    hint: { endpoint: 'v1/messages', address: 'which is given without /v1' },
    complete: preferringStreams(
      options.stream ?? true,
      async (stream, chat: Chat, signal: AbortSignal, progress: Progress) => {
        const { messages } = await connect();
        const how = { signal, maxRetries: 0 };
        if (!stream) return asCompletion(await messages.create(bodyOf(chat), how));
        const pieces = anthropicPieces(new Writing(maxBytes, progress.listener));
        return asCompletion(
          await assembled(messages.create({ ...bodyOf(chat), stream }, how), pieces, signal, progress),
        );
      },
    ),
  };
  return reasonersOf(options.name ?? 'anthropic', server, options);
}

/**
 * The chat as a request. The server is asked to cache what the next request repeats: tools and rules, the turns of the
 * conversation, and all but the last message.
 */
export function bodyOf({
  model,
  tools,
  system,
  messages,
  turns = 0,
  closing,
  toolChoice,
  temperature,
  maxOutputTokens,
}: Chat): Anthropic.Messages.MessageCreateParamsNonStreaming {
  return {
    model,
    max_tokens: maxOutputTokens ?? usualMaxTokens,
    tools: tools.map(toolOf),
    ...(toolChoice !== undefined && {
      tool_choice: toolChoice === 'none' ? { type: 'none' } : { type: 'tool', name: toolChoice.name },
    }),
    system: [{ type: 'text', text: system, cache_control: ephemeral }],
    messages: turnsOf([
      ...messages.map((message, i) => ({ message, cached: i === turns - 1 || i === messages.length - 1 })),
      ...(closing === undefined ? [] : [{ message: { role: 'user' as const, content: closing }, cached: false }]),
    ]),
    // The scale of this API ends at 1.
    ...(temperature !== undefined && { temperature: Math.min(temperature, 1) }),
  };
}

const ephemeral = { type: 'ephemeral' } as const;

const toolOf = ({ function: { name, description, parameters } }: ChatTool): Anthropic.Messages.Tool => ({
  name,
  ...(description !== undefined && { description }),
  input_schema: parameters as Anthropic.Messages.Tool.InputSchema,
});

type WireMessage = { role: 'user' | 'assistant'; content: Anthropic.Messages.ContentBlockParam[] };

/** Turns of user and assistant alternate: what follows on the same side is one turn, results of tools first. */
function turnsOf(messages: readonly { message: ChatMessage; cached: boolean }[]): WireMessage[] {
  const turns: WireMessage[] = [];
  for (const { message, cached } of messages) {
    const { role, content } = turnOf(message);
    const end = content.at(-1);
    if (cached && end) Object.assign(end, { cache_control: ephemeral });
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns;
}

function turnOf(message: ChatMessage): WireMessage {
  switch (message.role) {
    case 'assistant': {
      const calls = (message.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [
              {
                type: 'tool_use' as const,
                id: call.id,
                name: call.function.name,
                input: JSON.parse(call.function.arguments) as unknown,
              },
            ]
          : [],
      );
      return { role: 'assistant', content: [...textOf(message.content), ...calls] };
    }
    case 'tool':
      return {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: textOf(message.content) }],
      };
    default:
      return { role: 'user', content: blocksOf(message.content) };
  }
}

function blocksOf(content: ChatMessage['content']): Anthropic.Messages.ContentBlockParam[] {
  if (!Array.isArray(content)) return textOf(content);
  return content.flatMap((part): Anthropic.Messages.ContentBlockParam[] => {
    if (part.type === 'image_url')
      return [{ type: 'image', source: sourceOf(part.image_url.url) as Anthropic.Messages.Base64ImageSource }];
    if (part.type !== 'file') return textOf('text' in part ? part.text : '');
    const { filename, file_data: data = '' } = part.file;
    const source = sourceOf(data) as Anthropic.Messages.Base64PDFSource;
    return [{ type: 'document', source, ...(filename !== undefined && { title: filename }) }];
  });
}

/** What a data URL has. */
function sourceOf(url: string): { type: 'base64'; media_type: string; data: string } {
  const comma = url.indexOf(',');
  return { type: 'base64', media_type: url.slice('data:'.length, url.indexOf(';')), data: url.slice(comma + 1) };
}

/** The API refuses texts that are empty. */
const textOf = (content: unknown): { type: 'text'; text: string }[] =>
  typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];

const reply = z.object({
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
    }),
  ),
  stop_reason: z.string().nullish(),
  usage: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      cache_creation_input_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
    })
    .nullish(),
});

const finishReasons: Record<string, string> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
  tool_use: 'tool_calls',
};

/**
 * The reply as a chat completion; what is no reply of this API is returned as it is, and then refused as no completion.
 */
export function asCompletion(raw: unknown): unknown {
  const { data, success } = reply.safeParse(raw);
  if (!success) return raw;
  const { content, stop_reason: reason, usage } = data;
  const text = content.flatMap((block) => (block.type === 'text' && block.text !== undefined ? [block.text] : []));
  const calls = content.flatMap(({ type, name, input }) =>
    type === 'tool_use' && name !== undefined ? [{ function: { name, arguments: input } }] : [],
  );
  return {
    choices: [
      {
        finish_reason: finishReasons[reason ?? ''] ?? 'stop',
        message: { content: text.join('\n'), ...(calls.length > 0 && { tool_calls: calls }) },
      },
    ],
    ...(usage && {
      usage: {
        prompt_tokens:
          usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
        completion_tokens: usage.output_tokens,
        prompt_tokens_details: { cached_tokens: usage.cache_read_input_tokens ?? 0 },
      },
    }),
  };
}
