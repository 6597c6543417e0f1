/**
 * The reasoner on a server of language models: what the model is told of a step, and what is made of its reply.
 * exchange.ts handles failures, retries and aborts.
 */
import type { Clock } from '../../domain/clock.js';
import { addModelUsage, noModelUsage } from '../../domain/model-usage.js';
import type { ModelUsage } from '../../domain/model.js';
import { brief } from '../../english/sentences.js';
import { doing, told } from '../built-in/wording.js';
import {
  type ProposedThought,
  type Reasoner,
  ReasonerError,
  type StepContext,
  type StepProposal,
  type TextListener,
} from '../port.js';
import { exchange, type ExchangeParts } from './exchange.js';
import { extract } from './extract.js';
import { systemOf, toMessages } from './messages.js';
import { readReply } from './reply.js';
import type { Chat, ModelServer } from './server.js';
import { toolDefinitions } from './tools.js';

export const defaultMaxAnswerBytes = 1024 * 1024;

/** What every kind of server is given. */
export interface ModelServerOptions {
  /** By which `config.model` names the server; the vendor's if omitted. */
  name?: string;
  /** What errors call its settings; those of the vendor's server if omitted. */
  settings?: ModelServer['settings'];
  /** Null for the vendor's own. */
  baseUrl: string | null;
  apiKey: string | null;
  /** Maximum size of a response body, in bytes. Default 1 MiB. */
  maxAnswerBytes?: number;
  /** False for a server that cannot stream. */
  stream?: boolean;
  fetch?: typeof fetch;
  /** Called after each request. */
  onCall?: ExchangeParts['onCall'];
  clock?: Clock;
  tuning?: Partial<ModelTuning>;
}

/** Values that tests change; the time limit is also a setting of a named server. */
export interface ModelTuning {
  /** Time limit of one request, ms. */
  timeoutMs: number;
  /** Time limit of a silence in the middle of a stream, ms. */
  stallMs: number;
  /** Retries after the first attempt. */
  maxRetries: number;
  /** Returns a number from 0 to 1, to spread retries. */
  random: () => number;
}
export const usualTuning: ModelTuning = { timeoutMs: 120_000, stallMs: 60_000, maxRetries: 3, random: Math.random };

const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms).unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Returns the reasoner for a model, by its name on the server. */
export function reasonersOf(
  provider: string,
  server: ModelServer,
  { clock = systemClock, tuning, onCall }: ModelServerOptions,
): (model: string) => Reasoner {
  const parts: ExchangeParts = { server, clock, ...usualTuning, ...tuning, ...(onCall && { onCall }) };
  return (model) => ({
    name: `${provider}/${model}`,
    next: (context, signal, listener) => counted(parts, (counting) => next(counting, model, context, signal, listener)),
    extract: (turns, signal) =>
      counted(parts, async (counting) => ({ spans: await extract(counting, model, turns, signal) })),
  });
}

/** Adds what the requests used to what they came to, or to the error that it ends with. */
async function counted<T>(
  parts: ExchangeParts,
  think: (counting: ExchangeParts) => Promise<T>,
): Promise<T & { usage: ModelUsage }> {
  let usage = noModelUsage;
  const onCall: NonNullable<ExchangeParts['onCall']> = (outcome, seconds, tokens) => {
    if (outcome === 'answered')
      usage = addModelUsage(usage, {
        requests: 1,
        inputTokens: tokens?.input ?? 0,
        outputTokens: tokens?.output ?? 0,
      });
    parts.onCall?.(outcome, seconds, tokens);
  };
  try {
    return { ...(await think({ ...parts, onCall })), usage };
  } catch (error) {
    if (error instanceof ReasonerError && usage.requests > 0) error.usage = usage;
    throw error;
  }
}

async function next(
  parts: ExchangeParts,
  model: string,
  context: StepContext,
  signal: AbortSignal,
  listener: TextListener | undefined,
): Promise<StepProposal> {
  const { temperature } = context.agent.config;
  const last = context.step >= context.maxSteps;
  const chat: Chat = {
    model,
    system: systemOf(context),
    messages: toMessages(context),
    tools: toolDefinitions.filter(
      ({ function: { name } }) => (!last || name === 'answer') && !context.withheld?.some((tool) => tool === name),
    ),
    ...(temperature !== undefined && { temperature }),
  };
  const first = readReply(await exchange(parts, chat, signal, listener), parts.server);
  if (first.ok) return proposal(context, first);
  // One corrective message, as text rather than as a tool result, because some servers reject a history with mismatched
  // calls.
  const again: Chat = {
    ...chat,
    messages: [
      ...chat.messages,
      {
        role: 'user',
        content: `Your last reply could not be used: ${first.problem}. Call the tools with arguments that fit their schemas, or answer in plain text.`,
      },
    ],
  };
  const second = readReply(await exchange(parts, again, signal, listener), parts.server);
  if (second.ok) return proposal(context, second);
  throw new ReasonerError(
    'bad_response',
    `the reply of model "${model}" cannot be used, twice: ${brief(second.problem)}`,
  );
}

function proposal(
  context: StepContext,
  { calls, aside }: { calls: StepProposal['calls']; aside: string },
): StepProposal {
  const thoughts: ProposedThought[] = [];
  const add = (thoughtType: ProposedThought['thoughtType'], content: string): void => {
    if (content !== '') thoughts.push({ thoughtType, content });
  };
  if (context.transcript.length === 0) {
    add('goal', brief(context.run.input || context.messages.map((m) => m.content).join(' '), 300));
    if (context.memories.length > 0)
      add(
        'recall',
        `${context.memories.length} from memory, the best with relevance ${context.memories[0]?.relevance.toFixed(2) ?? ''}: ${brief(context.memories[0]?.content ?? '')}`,
      );
  }
  for (const outcome of context.transcript.at(-1) ?? [])
    if (outcome.tool !== 'answer' && outcome.tool !== 'ask_human') add('result', told(outcome));
  add('insight', aside);
  for (const call of calls) if (call.tool !== 'answer') add(call.tool === 'recall' ? 'recall' : 'action', doing(call));
  return { thoughts, calls };
}
