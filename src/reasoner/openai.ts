/**
 * Reasoners on any OpenAI-compatible server (OpenAI, Ollama, vLLM, llama.cpp and others), using chat/completions with
 * tools: `config.model: "openai/<name>"`. openai/exchange.ts handles failures, retries and aborts.
 */
import OpenAI from 'openai';
import type { Clock } from '../domain/clock.js';
import { brief } from './built-in/sentences.js';
import { doing, told } from './built-in/wording.js';
import { boundedFetch } from './openai/bounded-fetch.js';
import { exchange, type Body, type ExchangeParts } from './openai/exchange.js';
import { shownUrl } from './openai/failure.js';
import { toMessages } from './openai/messages.js';
import { readReply } from './openai/reply.js';
import { toolDefinitions } from './openai/tools.js';
import { type ProposedThought, type Reasoner, ReasonerError, type StepContext, type StepProposal } from './port.js';

export const defaultMaxAnswerBytes = 1024 * 1024;
const officialBaseUrl = 'https://api.openai.com/v1';

export interface OpenAiOptions {
  /** Null for the official one. */
  baseUrl: string | null;
  /** Null: no Authorization header is sent, as is usual for local servers. */
  apiKey: string | null;
  /** Maximum size of a response body, in bytes. Default 1 MiB. */
  maxAnswerBytes?: number;
  fetch?: typeof fetch;
  /** Called after each request. */
  onCall?: ExchangeParts['onCall'];
  clock?: Clock;
  tuning?: Partial<OpenAiTuning>;
}

/** Values that only tests change. */
export interface OpenAiTuning {
  /** Time limit of one request, ms. */
  timeoutMs: number;
  /** Retries after the first attempt. */
  maxRetries: number;
  /** Returns a number from 0 to 1, to spread retries. */
  random: () => number;
}
const usualTuning: OpenAiTuning = { timeoutMs: 120_000, maxRetries: 3, random: Math.random };

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
export function createOpenAi(options: OpenAiOptions): (model: string) => Reasoner {
  const baseURL = options.baseUrl ?? officialBaseUrl;
  const { apiKey } = options;
  const tuning = { ...usualTuning, ...options.tuning };
  // Ignores OPENAI_* of the environment, and writes nothing to the console.
  const client = new OpenAI({
    baseURL,
    apiKey: apiKey ?? 'none', // required by the client; `defaultHeaders` decides what is sent
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: tuning.timeoutMs + 10_000,
    defaultHeaders: { Authorization: apiKey === null ? null : `Bearer ${apiKey}` },
    fetch: boundedFetch(options.maxAnswerBytes ?? defaultMaxAnswerBytes, plainFetch(options.fetch)),
  });
  const parts: ExchangeParts = {
    client,
    where: { url: shownUrl(baseURL), apiKey },
    clock: options.clock ?? systemClock,
    ...tuning,
    ...(options.onCall && { onCall: options.onCall }),
  };
  return (model) => ({ name: `openai/${model}`, next: (context, signal) => next(parts, model, context, signal) });
}

const sentHeaders = ['accept', 'authorization', 'content-type', 'user-agent'] as const;

/**
 * Sends only the headers that a request needs. The client would add information about this machine, and the headers of
 * OPENAI_CUSTOM_HEADERS, which none of its options turns off.
 */
function plainFetch(inner: typeof fetch = fetch): typeof fetch {
  return (input, init) => {
    const given = new Headers(init?.headers);
    const headers = sentHeaders.flatMap((name): [string, string][] => {
      const value = given.get(name);
      return value === null ? [] : [[name, value]];
    });
    return inner(input, { ...init, headers });
  };
}

async function next(
  parts: ExchangeParts,
  model: string,
  context: StepContext,
  signal: AbortSignal,
): Promise<StepProposal> {
  const { temperature } = context.agent.config;
  const last = context.step >= context.maxSteps;
  const messages = toMessages(context);
  const body: Body = {
    model,
    messages,
    tools: toolDefinitions.filter(
      ({ function: { name } }) => (!last || name === 'answer') && !context.withheld?.some((tool) => tool === name),
    ),
    ...(temperature !== undefined && { temperature }),
  };
  const first = readReply(await exchange(parts, body, signal), parts.where.url);
  if (first.ok) return proposal(context, first);
  // One corrective message, as text rather than as a tool result, because some servers reject a history with mismatched
  // calls.
  const again = {
    ...body,
    messages: [
      ...messages,
      {
        role: 'user' as const,
        content: `Your last reply could not be used: ${first.problem}. Call the tools with arguments that fit their schemas, or answer in plain text.`,
      },
    ],
  };
  const second = readReply(await exchange(parts, again, signal), parts.where.url);
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
