/**
 * The reasoner on a server of language models: what the model is told of a step, and what is made of its reply.
 * exchange.ts handles failures, retries and aborts.
 */
import { systemClock } from '../../base/system.js';
import type { Clock } from '../../domain/shared/clock.js';
import { addModelUsage, costOf, type ModelPrice, noModelUsage } from '../../domain/agent/budgets.js';
import type { ModelUsage } from '../../domain/model/model.js';
import { controlsIn } from '../../domain/agent/agent-state.js';
import { brief } from '../../english/sentences.js';
import { doing, told } from '../built-in/wording.js';
import {
  type Asking as How,
  type ProposedCall,
  type ProposedThought,
  type Reasoner,
  ReasonerError,
  type StepContext,
  type StepProposal,
  type TextListener,
} from '../port.js';
import { Breaker } from './breaker.js';
import { continued } from './continued.js';
import type { CallOutcome, ExchangeDeps, Tokens } from './exchange.js';
import { extract } from './extract.js';
import { shownUrl } from './failure.js';
import { type Habits, KnownHabits, usualHabits } from './habits.js';
import { type Additions, type Api, completing } from './http.js';
import { keptText } from './kept.js';
import { outputFormOf, type OutputForm } from './output-form.js';
import { type OwnTools, ownToolsOf } from './own-tools.js';
import { byService, messagesOf, systemOf } from './prompt.js';
import { empty, readReply, textReply, type ModelReply } from './reply.js';
import type { Chat } from './chat.js';
import type { ModelServer } from './server.js';
import { saidLast, shaped } from './shape.js';
import { isTold, toolDefinitions } from './tools.js';
import { tracedExchange } from './traced-exchange.js';
import { type GivenContext, measured, usualReserve, withinContext, withoutReserve } from './within-context.js';

const defaultMaxAnswerBytes = 1024 * 1024;

/** A model by the names of its server and of itself. */
export interface ModelName {
  server: string;
  model: string;
}

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
  /** What it is sent beside what its API wants. */
  additions?: Additions;
  /** How many tokens its models can read. */
  contextWindow?: number | undefined;
  /** What is known of how its models want to be asked, before anything is learnt. */
  habits?: Partial<Habits>;
  /** Called after each request. */
  onCall?: (...call: [outcome: CallOutcome, seconds: number, tokens: Tokens | undefined, of: ModelName]) => void;
  /** Called for each thing that the server has refused, with how it is asked instead. */
  onLesson?: (told: string, of: ModelName) => void;
  /** Is given once how many requests wait for its models. */
  observeWaiting?: (server: string, waiting: () => number) => void;
  /** What its models cost, by their names with the server's. */
  prices?: ReadonlyMap<string, ModelPrice>;
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

const mostModels = 1000;

/** Returns the reasoner for a model, by its name on the server. */
export function reasonersOf(api: Api, options: ModelServerOptions): (model: string) => Reasoner {
  const { name = api.name, apiKey, maxAnswerBytes: maxBytes = defaultMaxAnswerBytes, additions = {} } = options;
  const { clock = systemClock, stream: streams = true, contextWindow } = options;
  const tuning = { ...usualTuning, ...options.tuning };
  const ofVendor = `HIVEKEEP_${api.name.toUpperCase()}`;
  const baseUrl = options.baseUrl ?? api.baseUrl;
  const server: ModelServer = {
    name,
    api: api.name,
    url: shownUrl(baseUrl),
    secrets: [...(apiKey === null ? [] : [apiKey]), ...Object.values(additions.headers ?? {}).filter(isSecret)],
    hasKey: apiKey !== null,
    settings: options.settings ?? {
      baseUrl: `${ofVendor}_BASE_URL`,
      apiKey: `${ofVendor}_API_KEY`,
      maxAnswerBytes: 'HIVEKEEP_OPENAI_MAX_ANSWER_BYTES',
    },
    hint: api.hint,
    body(chat, habits) {
      const body = api.body(shaped(chat, habits, `${name}/${chat.model}`), habits, baseUrl);
      for (const left of habits.without)
        if (left !== 'max_tokens' || api.name === 'openai') Reflect.deleteProperty(body, left);
      return { ...body, ...additions.extraBody };
    },
    complete: completing(api, { baseUrl, apiKey, maxBytes, additions }),
  };
  const habits = new KnownHabits({
    ...usualHabits,
    streams,
    ...(contextWindow !== undefined && { window: withoutReserve(contextWindow) }),
    ...options.habits,
  });
  const breakers = new Map<string, Breaker>();
  const breakerOf = (model: string): Breaker => {
    const known = breakers.get(model);
    if (known) return known;
    if (breakers.size >= mostModels) for (const [old, { waiting }] of breakers) if (waiting === 0) breakers.delete(old);
    const breaker = new Breaker(clock, tuning.random);
    breakers.set(model, breaker);
    return breaker;
  };
  options.observeWaiting?.(name, () => [...breakers.values()].reduce((sum, { waiting }) => sum + waiting, 0));
  const depsOf = (model: string, how: How | undefined): ExchangeDeps => ({
    server,
    clock,
    ...tuning,
    habits,
    breaker: breakerOf(model),
    patient: how?.hasOthers !== true,
    onCall: (outcome, seconds, tokens) => options.onCall?.(outcome, seconds, tokens, { server: name, model }),
    onLesson: (lesson) => options.onLesson?.(lesson, { server: name, model }),
  });
  const priceOf = (model: string): ModelPrice | undefined => options.prices?.get(`${name}/${model}`);
  return (model) => ({
    name: `${name}/${model}`,
    next: (context, signal, listener, how) =>
      counted(depsOf(model, how), priceOf(model), (counting) => next(counting, model, context, signal, listener)),
    extract: (turns, known, signal, how) =>
      counted(depsOf(model, how), priceOf(model), async (counting) => ({
        spans: await extract(counting, model, { turns, known }, signal),
      })),
  });
}

const isLast = ({ step, maxSteps, last }: StepContext): boolean => last === true || step >= maxSteps;

/** A header that is worth masking. */
const isSecret = (value: string): boolean => value.length >= 8;

/** Adds what the requests used to what they came to, or to the error that it ends with. */
async function counted<T>(
  deps: ExchangeDeps,
  price: ModelPrice | undefined,
  think: (counting: ExchangeDeps) => Promise<T>,
): Promise<T & { usage: ModelUsage }> {
  let usage = noModelUsage;
  const onCall: NonNullable<ExchangeDeps['onCall']> = (outcome, seconds, tokens) => {
    if (outcome === 'answered') {
      const used = {
        requests: 1,
        inputTokens: tokens?.input ?? 0,
        cachedInputTokens: tokens?.cached ?? 0,
        outputTokens: tokens?.output ?? 0,
      };
      usage = addModelUsage(usage, price ? { ...used, cost: costOf(price, used) } : used);
    }
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
  const lessons: string[] = [];
  const noting: ExchangeDeps = {
    ...deps,
    onLesson: (lesson) => {
      lessons.push(lesson);
      deps.onLesson?.(lesson);
    },
  };
  const asking: Asking = { deps: noting, signal, listener, form, own };
  const window = {
    of: () => deps.habits.of(model).window,
    learn: (tokens: number) => {
      deps.habits.learn(model, { window: tokens });
    },
    measure: (given: GivenContext) => measured(chatOf(model, given, form, own)),
    reserve: context.agent.config.max_output_tokens ?? usualReserve,
  };
  const { reply, without } = await withinContext(context, window, (given) =>
    usable(asking, chatOf(model, given, form, own), context),
  );
  const calls: readonly ProposedCall[] =
    reply.kind === 'calls'
      ? withinControls(reply.calls, context)
      : [
          {
            tool: 'answer',
            arguments: { content: reply.text.trim() },
            ...(reply.kind === 'cut' && { cut: true as const }),
          },
        ];
  const goesOn = !calls.some(({ tool, refused }) => tool === 'answer' && refused === undefined);
  const handedOut = goesOn && reply.kept !== undefined && reply.kept !== null;
  const kept = handedOut ? keptText(`${deps.server.name}/${model}`, reply.kept) : undefined;
  const notes = [
    ...lessons.map((lesson) => `The model server did not take the request as it was, and was asked ${lesson}.`),
    ...(without.length === 0
      ? []
      : [`The context was too long for the model, which was asked without ${without.join(', ')}.`]),
    ...(context.transcript.length === 0 ? (own?.problems ?? []) : []).map(
      (problem) => `Tools that are not there: ${problem}.`,
    ),
    ...(handedOut && kept === undefined ? ['What the model handed out for its next step is too long to be kept.'] : []),
    ...(reply.kind === 'cut' ? ['The answer is not whole: a length limit has ended it.'] : []),
  ];
  return proposal(context, calls, reply.kind === 'calls' ? reply.aside : '', notes, kept);
}

const builtInNames = toolDefinitions.map(({ function: { name } }) => name);

/** The run asks for a call of a tool (overrides.tool_choice), and none was made yet. */
function forcedChoice({ agent: { config }, transcript }: StepContext, own: OwnTools): Chat['toolChoice'] {
  const { tool_choice: choice } = controlsIn(config);
  if (choice === undefined || transcript.some((step) => step.some(({ tool }) => tool === 'use_tool'))) return undefined;
  return choice === 'required' ? choice : { name: own.wireOf(choice.name) };
}

/** The calls without those of the client's tools after the first, where only one may be made at a time. */
function withinControls(calls: readonly ProposedCall[], { agent: { config } }: StepContext): readonly ProposedCall[] {
  if (controlsIn(config).parallel_tool_calls !== false) return calls;
  const first = calls.findIndex(({ tool }) => tool === 'use_tool');
  return first < 0 ? calls : calls.filter(({ tool }, i) => tool !== 'use_tool' || i === first);
}

function chatOf(
  model: string,
  { context, lean }: GivenContext,
  form: OutputForm | undefined,
  own: OwnTools | undefined,
): Chat {
  const { temperature, max_output_tokens: maxOutputTokens, reasoning } = context.agent.config;
  const { sampling, parallel_tool_calls: parallelCalls } = controlsIn(context.agent.config);
  const forced = own && !isLast(context) ? forcedChoice(context, own) : undefined;
  return {
    model,
    // a model that has to call a tool of its client has no others to call
    tools: (forced ? [] : toolDefinitions)
      .filter(({ function: { name } }) => isTold(name, context) && (!lean || name === 'answer'))
      .map((tool) => (form && tool.function.name === 'answer' ? form.tool : tool))
      .concat(own?.definitions ?? []),
    system: systemOf(context, lean),
    ...messagesOf(context, own?.wireOf, own?.away),
    ...(isLast(context) && { toolChoice: form ? { name: 'answer' } : ('none' as const) }),
    ...(forced && { toolChoice: forced }),
    ...(parallelCalls === false && { parallelCalls }),
    ...(sampling && { sampling }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(reasoning && { reasoning }),
  };
}

interface Asking {
  deps: ExchangeDeps;
  signal: AbortSignal;
  listener: TextListener | undefined;
  form: OutputForm | undefined;
  own: OwnTools | undefined;
}
type UsableReply = Exclude<ModelReply, { kind: 'unusable' }>;

/**
 * A reply that can be used. One that cannot is returned to the model once, in words of the service. An answer of a form
 * is then asked for by the form of the text, where the server can hold a model to that.
 */
async function usable(asking: Asking, chat: Chat, context: StepContext): Promise<UsableReply> {
  const { form } = asking;
  const last = isLast(context);
  const [now, otherwise] = form
    ? ['Give your final answer by calling `answer`.', 'or give your final answer by calling `answer`.']
    : ['Answer in plain text.', 'or answer in plain text.'];
  const first = await whole(asking, chat);
  const problem = problemOf(first, last);
  if (first.kind !== 'unusable' && problem === null) return last ? asAnswer(first) : first;
  const why = `Your last reply could not be used: ${problem ?? ''}. ${last ? now : `Call the tools with arguments that fit their schemas, ${otherwise}`}`;
  const again: Chat = { ...chat, messages: saidLast(chat.messages, byService(why)) };
  const second = await whole(asking, form ? { ...again, format: form.schema, toolChoice: { name: 'answer' } } : again);
  if (second.kind !== 'unusable') return last ? asAnswer(second) : second;
  const said = form ? '' : (context.asides?.[context.transcript.length - 1] ?? '');
  if (said.trim() !== '' && second.problem === empty) return { kind: 'text', text: said };
  throw new ReasonerError(
    form ? 'bad_output' : 'bad_response',
    `the reply of model "${chat.model}" cannot be used, twice: ${brief(second.problem, form ? 500 : undefined)}`,
  );
}

/** Why a reply cannot be used. At the last step nobody would see the outcome of calls that cannot be made. */
function problemOf(reply: ModelReply, last: boolean): string | null {
  if (reply.kind === 'unusable') return reply.problem;
  if (!last || reply.kind !== 'calls' || reply.aside !== '') return null;
  return reply.calls.every(({ refused }) => refused !== undefined) ? (reply.calls[0]?.refused ?? null) : null;
}

/** Nobody would see the results of calls that are made at the last step: what is said beside them is the answer. */
const asAnswer = (reply: UsableReply): UsableReply =>
  reply.kind === 'calls' && reply.aside !== '' && !reply.calls.some(({ tool }) => tool === 'answer')
    ? { kind: 'text', text: reply.aside }
    : reply;

const mostContinued = 8;

/**
 * The whole of a reply. An answer that the server's own limit has cut off is continued; one that begins anew in place of
 * that is not joined. A limit that somebody has set is where the answer ends.
 */
async function whole({ deps, signal, listener, form, own }: Asking, chat: Chat): Promise<ModelReply> {
  let begun = '';
  const isLimited = chat.maxOutputTokens !== undefined;
  const wanted = typeof chat.toolChoice === 'object' ? chat.toolChoice.name : undefined;
  const ended = (text: string): ModelReply => (form ? textReply(text, form) : { kind: 'cut', text });
  for (let requests = 0; ; requests++) {
    const goesOn = begun !== '';
    const asked = goesOn ? continuing(chat, begun) : chat;
    const raw = await tracedExchange(deps, asked, signal, goesOn ? undefined : listener);
    const reply = readReply(raw, deps.server, form, own, wanted);
    if (reply.kind === 'unusable') return begun === '' || form ? reply : { kind: 'cut', text: begun };
    if (reply.kind === 'calls')
      return form || begun === '' ? reply : { ...reply, aside: `${begun}${reply.aside}`.trim() };
    const joined = goesOn ? continued(begun, reply.text) : reply.text;
    const text = joined ?? (reply.kind === 'text' ? reply.text : begun);
    if (goesOn) {
      listener?.restart();
      listener?.heard(text);
    }
    if (reply.kind === 'text') return { ...textReply(text, form), kept: reply.kept };
    if (isLimited || joined === null || requests >= mostContinued) return ended(text);
    begun = text;
  }
}

const goOn = byService(
  'Your reply was cut off at the length limit. Go on exactly where it stopped, in plain text, and repeat nothing of it.',
);

const continuing = (chat: Chat, begun: string): Chat => ({
  ...chat,
  messages: [...chat.messages, { role: 'assistant', content: begun }, { role: 'user', content: goOn }],
});

function proposal(
  context: StepContext,
  calls: StepProposal['calls'],
  aside: string,
  notes: readonly string[],
  kept: string | undefined,
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
  return { thoughts, calls, ...(kept !== undefined && { kept }) };
}
