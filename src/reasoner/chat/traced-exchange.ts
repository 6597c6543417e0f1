/** Requests to models are told as spans, by the conventions of OpenTelemetry for generative AI. */
import { type Attributes, isTracing, span, type SpanDetails, tellsContent } from '../../telemetry/tracing.js';
import type { TextListener } from '../port.js';
import type { Chat, ChatMessage } from './chat.js';
import { exchange, type ExchangeDeps, type Tokens } from './exchange.js';

/** `exchange` with all of its retries as one span. */
export function tracedExchange(
  deps: ExchangeDeps,
  chat: Chat,
  signal: AbortSignal,
  listener?: TextListener,
): Promise<unknown> {
  if (!isTracing()) return exchange(deps, chat, signal, listener);
  return span(
    `chat ${chat.model}`,
    () => detailsOf(deps, chat),
    async (told) => {
      let tokens: Tokens | undefined;
      let tries = 0;
      const onCall: NonNullable<ExchangeDeps['onCall']> = (outcome, seconds, used) => {
        tries++;
        tokens = used ?? tokens;
        deps.onCall?.(outcome, seconds, used);
      };
      try {
        const completion = await exchange({ ...deps, onCall }, chat, signal, listener);
        told.set(answerOf(completion));
        return completion;
      } finally {
        told.set({
          ...(tokens && {
            'gen_ai.usage.input_tokens': tokens.input,
            'gen_ai.usage.output_tokens': tokens.output,
            ...(tokens.cached > 0 && { 'gen_ai.usage.cache_read.input_tokens': tokens.cached }),
          }),
          ...(tries > 1 && { 'hivekeep.model.requests': tries }),
        });
      }
    },
  );
}

function detailsOf({ server }: ExchangeDeps, chat: Chat): SpanDetails {
  const { sampling = {}, temperature, maxOutputTokens } = chat;
  const { hostname = '', port = '', protocol = '' } = URL.canParse(server.url) ? new URL(server.url) : {};
  return {
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': server.api,
      'gen_ai.request.model': chat.model,
      'hivekeep.model.server': server.name,
      ...(hostname !== '' && {
        'server.address': hostname,
        'server.port': Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port),
      }),
      ...(temperature !== undefined && { 'gen_ai.request.temperature': temperature }),
      ...(maxOutputTokens !== undefined && { 'gen_ai.request.max_tokens': maxOutputTokens }),
      ...(typeof sampling.top_p === 'number' && { 'gen_ai.request.top_p': sampling.top_p }),
      ...(tellsContent() && {
        'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: chat.system }]),
        'gen_ai.input.messages': JSON.stringify(chat.messages.map(messageOf)),
      }),
    },
  };
}

interface Completion {
  id?: unknown;
  model?: unknown;
  choices?: { finish_reason?: unknown; message?: { content?: unknown; tool_calls?: unknown } }[];
}

/** It comes from the server, so nothing in it is taken for granted. */
function answerOf(completion: unknown): Attributes {
  const { id, model, choices } = (completion ?? {}) as Completion;
  const [first] = Array.isArray(choices) ? choices : [];
  const reason = first?.finish_reason;
  return {
    ...(typeof id === 'string' && { 'gen_ai.response.id': id }),
    ...(typeof model === 'string' && { 'gen_ai.response.model': model }),
    ...(typeof reason === 'string' && { 'gen_ai.response.finish_reasons': [reason] }),
    ...(tellsContent() &&
      first?.message && {
        'gen_ai.output.messages': JSON.stringify([
          {
            role: 'assistant',
            parts: partsOf(first.message.content, first.message.tool_calls),
            finish_reason: typeof reason === 'string' ? reason : 'stop',
          },
        ]),
      }),
  };
}

function messageOf(message: ChatMessage): object {
  if (message.role === 'tool')
    return {
      role: 'tool',
      parts: [{ type: 'tool_call_response', id: message.tool_call_id, response: message.content }],
    };
  return {
    role: message.role,
    parts: partsOf(message.content, message.role === 'assistant' ? message.tool_calls : undefined),
  };
}

/** Of files and images only that they are there. */
function partsOf(content: unknown, calls: unknown): object[] {
  const texts =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : Array.isArray(content)
        ? (content as object[])
        : [];
  return [
    ...texts.map((part) => {
      const { type, text } = part as { type?: unknown; text?: unknown };
      return type === 'text' ? { type: 'text', content: String(text) } : { type: String(type) };
    }),
    ...(Array.isArray(calls) ? calls : []).map((call) => {
      const { id, function: called } = (call ?? {}) as {
        id?: unknown;
        function?: { name?: unknown; arguments?: unknown };
      };
      return { type: 'tool_call', id, name: called?.name, arguments: called?.arguments };
    }),
  ];
}
