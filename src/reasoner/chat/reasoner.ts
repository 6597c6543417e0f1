/**
 * The reasoner on a server of language models: what the model is told of a step, and what is made of its reply.
 * exchange.ts handles failures, retries and aborts.
 */
import { systemClock } from '../../base/system.js';
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
import { exchange, type ExchangeDeps } from './exchange.js';
import { extract } from './extract.js';
import { shownUrl } from './failure.js';
import { type Api, completing } from './http.js';
import { outputFormOf, type OutputForm } from './output-form.js';
import { type OwnTools, ownToolsOf } from './own-tools.js';
import { closingOf, messagesOf, systemOf } from './prompt.js';
import { readReply, textReply, type Reply } from './reply.js';
import type { Chat, ModelServer } from './server.js';
import { toolDefinitions } from './tools.js';
import { withinContext } from './within-context.js';

const defaultMaxAnswerBytes = 1024 * 1024;

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
  /** Called after each request. */
  onCall?: ExchangeDeps['onCall'];
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
const usualTuning: ModelTuning = { timeoutMs: 120_000, stallMs: 60_000, maxRetries: 3, random: Math.random };

/** Returns the reasoner for a model, by its name on the server. */
export function reasonersOf(api: Api, options: ModelServerOptions): (model: string) => Reasoner {
  const { name = api.name, baseUrl, apiKey, maxAnswerBytes: maxBytes = defaultMaxAnswerBytes } = options;
  const { clock = systemClock, tuning, onCall, stream: streams = true } = options;
  const ofVendor = `HIVEKEEP_${api.name.toUpperCase()}`;
  const server: ModelServer = {
    url: shownUrl(baseUrl ?? api.baseUrl),
    apiKey,
    settings: options.settings ?? {
      baseUrl: `${ofVendor}_BASE_URL`,
      apiKey: `${ofVendor}_API_KEY`,
      maxAnswerBytes: 'HIVEKEEP_OPENAI_MAX_ANSWER_BYTES',
    },
    hint: api.hint,
    complete: completing(api, { baseUrl, apiKey, maxBytes, streams }),
  };
  const deps: ExchangeDeps = { server, clock, ...usualTuning, ...tuning, ...(onCall && { onCall }) };
  return (model) => ({
    name: `${name}/${model}`,
    next: (context, signal, listener) => counted(deps, (counting) => next(counting, model, context, signal, listener)),
    extract: (turns, known, signal) =>
      counted(deps, async (counting) => ({ spans: await extract(counting, model, { turns, known }, signal) })),
  });
}

/** Adds what the requests used to what they came to, or to the error that it ends with. */
async function counted<T>(
  deps: ExchangeDeps,
  think: (counting: ExchangeDeps) => Promise<T>,
): Promise<T & { usage: ModelUsage }> {
  let usage = noModelUsage;
  const onCall: NonNullable<ExchangeDeps['onCall']> = (outcome, seconds, tokens) => {
    if (outcome === 'answered')
      usage = addModelUsage(usage, {
        requests: 1,
        inputTokens: tokens?.input ?? 0,
        cachedInputTokens: tokens?.cached ?? 0,
        outputTokens: tokens?.output ?? 0,
      });
    deps.onCall?.(outcome, seconds, tokens);
  };
  try {
    return { ...(await think({ ...deps, onCall })), usage };
  } catch (error) {
    if (error instanceof ReasonerError && usage.requests > 0) error.usage = usage;
    throw error;
  }
}

async function next(
  deps: ExchangeDeps,
  model: string,
  context: StepContext,
  signal: AbortSignal,
  listener: TextListener | undefined,
): Promise<StepProposal> {
  const form = await outputFormOf(context.agent.config.output_schema);
  const own = await ownToolsOf(context, builtInNames, signal);
  const { reply, without } = await withinContext(context, (given) =>
    usable({ deps, signal, listener, form, own }, chatOf(model, given, form, own), context.step >= context.maxSteps),
  );
  const { calls, aside } =
    reply.kind === 'calls'
      ? reply
      : { calls: [{ tool: 'answer' as const, arguments: { content: reply.text.trim() } }], aside: '' };
  const notes = [
    ...(without.length === 0
      ? []
      : [`The context was too long for the model, which was asked without ${without.join(', ')}.`]),
    ...(context.transcript.length === 0 ? (own?.problems ?? []) : []).map(
      (problem) => `Tools that are not there: ${problem}.`,
    ),
    ...(reply.kind === 'cut' ? ['The answer is not whole: the model came to no end.'] : []),
  ];
  return proposal(context, calls, aside, notes);
}

const builtInNames = toolDefinitions.map(({ function: { name } }) => name);

function chatOf(model: string, context: StepContext, form: OutputForm | undefined, own: OwnTools | undefined): Chat {
  const { temperature, max_output_tokens: maxOutputTokens } = context.agent.config;
  return {
    model,
    tools: toolDefinitions
      .filter(({ function: { name } }) => !context.withheld?.some((tool) => tool === name))
      .map((tool) => (form && tool.function.name === 'answer' ? form.tool : tool))
      .concat(own?.definitions ?? []),
    system: systemOf(context),
    ...messagesOf(context, own?.wireOf),
    closing: closingOf(context, own?.away),
    ...(context.step >= context.maxSteps && { toolChoice: form ? { name: 'answer' } : ('none' as const) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}

interface Asking {
  deps: ExchangeDeps;
  signal: AbortSignal;
  listener: TextListener | undefined;
  form: OutputForm | undefined;
  own: OwnTools | undefined;
}
type UsableReply = Exclude<Reply, { kind: 'unusable' }>;

/**
 * A reply that can be used. One that cannot is returned to the model once, as text rather than as a tool result,
 * because some servers reject a history with mismatched calls.
 */
async function usable(asking: Asking, chat: Chat, last: boolean): Promise<UsableReply> {
  const { form } = asking;
  const [now, otherwise] = form
    ? ['Give your final answer by calling `answer`.', 'or give your final answer by calling `answer`.']
    : ['Answer in plain text.', 'or answer in plain text.'];
  const first = await whole(asking, chat);
  if (first.kind !== 'unusable') return last ? asAnswer(first) : first;
  const second = await whole(
    asking,
    saying(
      chat,
      `Your last reply could not be used: ${first.problem}. ${last ? now : `Call the tools with arguments that fit their schemas, ${otherwise}`}`,
    ),
  );
  if (second.kind === 'unusable')
    throw new ReasonerError(
      form ? 'bad_output' : 'bad_response',
      `the reply of model "${chat.model}" cannot be used, twice: ${brief(second.problem, form ? 500 : undefined)}`,
    );
  return last ? asAnswer(second) : second;
}

/** Nobody would see the results of calls that are made at the last step: what is said beside them is the answer. */
const asAnswer = (reply: UsableReply): UsableReply =>
  reply.kind === 'calls' && reply.aside !== '' && !reply.calls.some(({ tool }) => tool === 'answer')
    ? { kind: 'text', text: reply.aside }
    : reply;

const mostContinued = 8;

/** The whole of a reply: an answer that a length limit has cut off is continued. */
async function whole({ deps, signal, listener, form, own }: Asking, chat: Chat): Promise<Reply> {
  let begun = '';
  for (let requests = 0; ; requests++) {
    const asked = begun === '' ? chat : saying(chat, goOn, begun);
    const hears = begun === '' ? listener : listener && after(begun, listener);
    const reply = readReply(await exchange(deps, asked, signal, hears), deps.server, form, own);
    switch (reply.kind) {
      case 'cut':
        begun += reply.text;
        if (requests >= mostContinued) return form ? textReply(begun, form) : { kind: 'cut', text: begun };
        break;
      case 'text':
        return textReply(begun + reply.text, form);
      case 'calls':
        return form ? reply : { ...reply, aside: `${begun}${reply.aside}`.trim() };
      case 'unusable':
        return begun === '' || form ? reply : { kind: 'cut', text: begun };
      default:
        return reply satisfies never;
    }
  }
}

const goOn =
  'Your reply was cut off at the length limit. Go on exactly where it stopped, in plain text, and repeat nothing of it.';

/** The chat with what the model has said, and what it is told of that. */
const saying = (chat: Chat, told: string, said?: string): Chat => ({
  ...chat,
  messages: [
    ...chat.messages,
    ...(chat.closing === undefined ? [] : [{ role: 'user' as const, content: chat.closing }]),
    ...(said === undefined ? [] : [{ role: 'assistant' as const, content: said }]),
  ],
  closing: told,
});

/** Hears the text that follows on what it has heard. */
const after = (begun: string, listener: TextListener): TextListener => ({
  heard: (text) => {
    listener.heard(text);
  },
  restart: () => {
    listener.restart();
    listener.heard(begun);
  },
});

function proposal(
  context: StepContext,
  calls: StepProposal['calls'],
  aside: string,
  notes: readonly string[],
): StepProposal {
  const thoughts: ProposedThought[] = [];
  const add = (
    thoughtType: ProposedThought['thoughtType'],
    content: string,
    more: Pick<ProposedThought, 'tool' | 'found'> = {},
  ): void => {
    if (content !== '') thoughts.push({ thoughtType, content, ...more });
  };
  if (context.transcript.length === 0) {
    add('goal', brief(context.run.input || context.messages.map((m) => m.content).join(' '), 300));
    if (context.memories.length > 0)
      add(
        'recall',
        `${context.memories.length} from memory, the best with relevance ${context.memories[0]?.relevance.toFixed(2) ?? ''}: ${brief(context.memories[0]?.content ?? '')}`,
        { found: context.memories.length },
      );
  }
  for (const outcome of context.transcript.at(-1) ?? [])
    if (outcome.tool !== 'answer' && outcome.tool !== 'ask_human') add('result', told(outcome));
  for (const note of notes) add('reflection', note);
  add('insight', aside);
  for (const call of calls)
    if (call.tool !== 'answer') add(call.tool === 'recall' ? 'recall' : 'action', doing(call), { tool: call.tool });
  return { thoughts, calls };
}
