/**
 * Reasoners on Anthropic's models, by the Messages API: `config.model: "anthropic/<name>"`. The chat is translated into
 * that API's form, and its reply into a chat completion, which the parts in chat/ understand.
 */
import { z } from 'zod';
import { anthropicPieces } from './chat/anthropic-pieces.js';
import type { Habits } from './chat/habits.js';
import type { Api } from './chat/http.js';
import { inOrder, type Ordered, ordered } from './chat/kept.js';
import { reasonersOf, type ModelServerOptions } from './chat/reasoner.js';
import type { Chat, ChatMessage, ChatTool, ContentPart } from './chat/chat.js';
import type { Reasoner } from './port.js';

const api: Api = {
  name: 'anthropic',
  baseUrl: 'https://api.anthropic.com',
  hint: { endpoint: 'v1/messages', address: 'which is given without /v1' },
  headers: (apiKey) => ({ 'anthropic-version': '2023-06-01', ...(apiKey !== null && { 'x-api-key': apiKey }) }),
  body: bodyOf,
  pieces: anthropicPieces,
  completion: asCompletion,
};
/** The API wants to be told how long a reply may be. */
const usualMaxTokens = 8192;

/** Returns the reasoner for a model, by its name on the server. */
export const createAnthropic = (options: ModelServerOptions): ((model: string) => Reasoner) =>
  reasonersOf(api, { ...options, habits: { without: ['response_format'], ...options.habits } });

/**
 * The server is asked to cache what the next request repeats: tools and rules, the turns of the conversation, and the
 * steps of the run.
 */
function bodyOf(
  { model, tools, system, messages, turns = 0, temperature, maxOutputTokens, reasoning, ...chat }: Chat,
  habits: Habits,
): Record<string, unknown> {
  const thinks = !habits.without.includes('thinking') && messages.every(mayThinkAfter);
  const thinking = thinks && reasoning ? thinkingOf(reasoning, maxOutputTokens, habits) : {};
  const { top_p, stop = [] } = chat.sampling ?? {};
  // the API refuses those of white space alone
  const stops = stop.filter((text) => text.trim() !== '');
  return {
    model,
    max_tokens: Math.min(maxOutputTokens ?? usualMaxTokens, habits.mostTokens),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...(tools.length > 0 && choiceOf(chat, 'thinking' in thinking)),
    ...(system !== '' && { system: [{ type: 'text', text: system, cache_control: ephemeral }] }),
    messages: turnsOf(
      messages.map((message, i) => ({ message, cached: i === turns - 1 || i === messages.length - 1 })),
    ),
    // The scale of this API ends at 1.
    ...(temperature !== undefined && !('thinking' in thinking) && { temperature: Math.min(temperature, 1) }),
    ...(!('thinking' in thinking) && top_p !== undefined && { top_p }),
    ...(stops.length > 0 && { stop_sequences: stops }),
    ...thinking,
    ...(habits.streams && { stream: true }),
  };
}

/** A model that thinks cannot be made to call a tool, and has a temperature of its own. */
function choiceOf({ toolChoice, parallelCalls }: Pick<Chat, 'toolChoice' | 'parallelCalls'>, thinks: boolean): object {
  if (toolChoice === 'none') return { tool_choice: { type: 'none' } };
  const forced = thinks
    ? undefined
    : toolChoice === 'required'
      ? { type: 'any' }
      : toolChoice && { type: 'tool', name: toolChoice.name };
  const one = parallelCalls === false && { disable_parallel_tool_use: true };
  return forced || one ? { tool_choice: { ...(forced ?? { type: 'auto' }), ...one } } : {};
}

/** Where a model thinks, each of its calls comes with its thoughts: one that has lost them is asked without. */
const mayThinkAfter = (message: ChatMessage): boolean =>
  message.role !== 'assistant' || !message.tool_calls || message.kept !== undefined;

const budgets = { minimal: 1024, low: 2048, medium: 8192, high: 24_576 } as const;
const leastBudget = 1024;

/** A budget is part of the limit of a reply, and the server wants room beside it. */
function thinkingOf(
  { effort, max_tokens: most }: NonNullable<Chat['reasoning']>,
  maxOutputTokens: number | undefined,
  { thinking, mostTokens }: Habits,
): object {
  if (effort === 'none' || most === 0) return {};
  if (thinking === 'adaptive') {
    const level = effort === 'minimal' ? 'low' : effort;
    return { thinking: { type: 'adaptive' }, ...(level && { output_config: { effort: level } }) };
  }
  const wanted = Math.max(leastBudget, most ?? budgets[effort ?? 'medium']);
  const limit = Math.min(maxOutputTokens ?? usualMaxTokens + wanted, mostTokens);
  const budget = Math.min(wanted, limit - leastBudget);
  return budget < leastBudget ? {} : { max_tokens: limit, thinking: { type: 'enabled', budget_tokens: budget } };
}

const ephemeral = { type: 'ephemeral' } as const;

const toolOf = ({ function: { name, description, parameters } }: ChatTool): object => ({
  name,
  description,
  input_schema: parameters,
});

interface WireMessage {
  role: 'user' | 'assistant';
  content: object[];
}

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
      const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
        type: 'tool_use',
        id,
        name,
        input: JSON.parse(given) as unknown,
      }));
      return { role: 'assistant', content: inOrder(message.kept?.said, textOf(message.content), calls) };
    }
    case 'tool':
      return {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: textOf(message.content) }],
      };
    case 'user': {
      const { content } = message;
      return { role: 'user', content: typeof content === 'string' ? textOf(content) : content.flatMap(blocksOf) };
    }
  }
}

function blocksOf(part: ContentPart): object[] {
  switch (part.type) {
    case 'text':
      return textOf(part.text);
    case 'image_url':
      return [{ type: 'image', source: sourceOf(part.image_url.url) }];
    case 'file':
      return [{ type: 'document', source: sourceOf(part.file.file_data), title: part.file.filename }];
  }
}

/** What a data URL has. */
function sourceOf(url: string): object {
  const comma = url.indexOf(',');
  return { type: 'base64', media_type: url.slice('data:'.length, url.indexOf(';')), data: url.slice(comma + 1) };
}

/** The API refuses texts that are empty. */
const textOf = (text: string | null): object[] => (text ? [{ type: 'text', text }] : []);

const reply = z.object({
  content: z.array(
    z.looseObject({
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

const thoughts: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

const finishReasons: Record<string, string> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  // it is to be asked to go on
  pause_turn: 'length',
  refusal: 'content_filter',
  tool_use: 'tool_calls',
};

/**
 * The reply as a chat completion; what is no reply of this API is returned as it is, and then refused as no completion.
 */
function asCompletion(raw: unknown): unknown {
  const { data, success } = reply.safeParse(raw);
  if (!success) return raw;
  const { content, stop_reason: reason, usage } = data;
  const text = content.flatMap((block) => (block.type === 'text' && block.text !== undefined ? [block.text] : []));
  const calls = content.flatMap(({ type, name, input }) =>
    type === 'tool_use' && name !== undefined ? [{ function: { name, arguments: input } }] : [],
  );
  const kept = ordered(
    content.flatMap((block): Ordered[] => {
      const { type } = block;
      if (type === 'text' || type === 'tool_use') return [type === 'text' ? 'text' : 'call'];
      return thoughts.has(type) ? [block] : [];
    }),
  );
  return {
    choices: [
      {
        finish_reason: finishReasons[reason ?? ''] ?? 'stop',
        message: {
          content: text.join('\n'),
          ...(calls.length > 0 && { tool_calls: calls }),
          ...(kept && { kept }),
        },
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
