/**
 * Asks a model about a step within the context that the model can read. What it is is known from the settings, or learnt
 * from the server's own refusal, and remembered: later steps are not sent what was too long before.
 *
 * The oldest goes first: turns of the conversation, then what was recalled, then what tools returned in earlier steps.
 * What they returned last is shortened after that, and at the very end guidance and tools are left out that the model
 * can do without.
 */
import { bytesOfToken, tokensOf } from '../../domain/run/conversation.js';
import { ReasonerError, type StepContext } from '../port.js';
import type { Chat } from './chat.js';

export interface GivenContext {
  context: StepContext;
  /** Without guidance, and with no tools but those of the agent's own. */
  lean: boolean;
}

export interface ContextWindow {
  /** How many tokens a request may have, by the estimate of the house. */
  of(): number;
  learn(tokens: number): void;
  /** How many tokens this would have. */
  measure(given: GivenContext): number;
  /** How many are left for the reply. */
  reserve: number;
}

/** How many tokens of a window are left for the reply. */
export const usualReserve = 1024;
export const withoutReserve = (window: number, reserve = usualReserve): number =>
  window - Math.min(reserve, window / 4);

/** How many tokens a chat has, by the estimate of the house. Files count by what they are for a model, not by their bytes. */
export const measured = ({ system, tools, messages }: Chat): number =>
  tokensOf(
    JSON.stringify([system, tools, messages], (key, value: unknown) => (key === 'kept' || isFile(value) ? 0 : value)),
  );
const isFile = (value: unknown): boolean =>
  typeof value === 'string' && value.startsWith('data:') && value.length > 1000;

/** What a request may have of a window that a server has named when it refused one of so many tokens, which seemed to fit. */
export const fittingIn = (window: number, refused: number, reserve = usualReserve): number =>
  Math.floor(Math.min(withoutReserve(window, reserve), refused * 0.8));

const mark = '… (cut short)';

const shorten = (
  { context, lean }: GivenContext,
  most: number,
  inStep: (i: number, steps: number) => boolean,
): GivenContext | null => {
  const { transcript } = context;
  const tooLong = (i: number): boolean =>
    inStep(i, transcript.length) && transcript[i]?.some(({ result }) => result.length > most + mark.length) === true;
  if (!transcript.some((_, i) => tooLong(i))) return null;
  const short = transcript.map((calls, i) =>
    tooLong(i)
      ? calls.map((call) =>
          call.result.length <= most + mark.length
            ? call
            : { ...call, result: call.result.slice(0, most).toWellFormed() + mark },
        )
      : calls,
  );
  return { context: { ...context, transcript: short }, lean };
};
const earlier = (i: number, steps: number): boolean => i < steps - 1;
const last = (i: number, steps: number): boolean => i === steps - 1;

const sizeOf = ({ content, results = [] }: StepContext['turns'][number]): number =>
  results.reduce((sum, { result }) => sum + Buffer.byteLength(result), Buffer.byteLength(content));

/**
 * The later ones of all turns, with fewer than before. What is left out is half of a window at a time, counted from the
 * first of all turns: so it stays the same for many turns of a conversation that grows, whose requests begin alike then,
 * and servers need not read them anew. Where nobody knows the window, it is half of what is there.
 */
function laterTurns(all: StepContext['turns'], left: number, most: number): StepContext['turns'] {
  const sizes = all.map(sizeOf);
  const sum = (from: number, to?: number): number => sizes.slice(from, to).reduce((a, b) => a + b, 0);
  let start = all.length - left;
  let dropped = sum(0, start);
  const atATime = Math.max(1, most === Infinity ? sum(start) / 2 : (most * bytesOfToken) / 2);
  const until = most === Infinity ? dropped + atATime : (Math.floor(dropped / atATime) + 1) * atATime;
  do dropped += sizes[start++] ?? 0;
  while (start < all.length && dropped < until);
  return all.slice(start);
}

/** Each is made as often as it changes something. `all` are the turns that there were, `most` the window. */
const cuts: readonly {
  what: string;
  cut(given: GivenContext, all: StepContext['turns'], most: number): GivenContext | null;
}[] = [
  {
    what: 'the older turns of the conversation',
    cut: ({ context, lean }, all, most) =>
      context.turns.length === 0
        ? null
        : { context: { ...context, turns: laterTurns(all, context.turns.length, most) }, lean },
  },
  {
    what: 'what was recalled',
    cut: ({ context, lean }) =>
      context.memories.length === 0 ? null : { context: { ...context, memories: [] }, lean },
  },
  ...[2000, 300].map((most) => ({
    what: 'the whole of what tools returned earlier',
    cut: (given: GivenContext) => shorten(given, most, earlier),
  })),
  ...[16_000, 4000, 1000].map((most) => ({
    what: 'the whole of what tools returned last',
    cut: (given: GivenContext) => shorten(given, most, last),
  })),
  {
    what: 'guidance and tools that it can do without',
    cut: ({ context, lean }) => (lean ? null : { context, lean: true }),
  },
  { what: 'the whole of what tools returned last', cut: (given) => shorten(given, 300, last) },
];

/** Resolves to the reply, and what was left out of the context for it. */
export async function withinContext<T>(
  context: StepContext,
  window: ContextWindow,
  ask: (given: GivenContext) => Promise<T>,
): Promise<{ reply: T; without: readonly string[] }> {
  let given: GivenContext = { context, lean: false };
  const without = new Set<string>();
  let at = 0;
  const cutOnce = (): boolean => {
    for (; at < cuts.length; at++) {
      const next = cuts[at]?.cut(given, context.turns, window.of());
      if (!next) continue;
      given = next;
      without.add(cuts[at]?.what ?? '');
      return true;
    }
    return false;
  };
  const fit = (): void => {
    const most = window.of();
    if (most === Infinity) return;
    while (window.measure(given) > most) if (!cutOnce()) return;
  };
  fit();
  let refused = false;
  for (;;)
    try {
      const reply = await ask(given);
      // of a window that nobody has named, what went well is known
      if (refused) window.learn(window.measure(given));
      return { reply, without: [...without] };
    } catch (error) {
      if (!(error instanceof ReasonerError) || !error.overflow) throw error;
      refused = error.window === null;
      // an estimate that said that it fits was too low
      if (error.window !== null) window.learn(fittingIn(error.window, window.measure(given), window.reserve));
      if (!cutOnce()) throw error;
      if (!refused) fit();
    }
}
