/**
 * Asks a model about a step within the context that the model can read. What it is is known from the settings, or learnt
 * from the server's own refusal, and remembered: later steps are not sent what was too long before.
 *
 * The oldest goes first: turns of the conversation, then what was recalled, then what tools returned in earlier steps.
 * What they returned last is shortened after that, and at the very end guidance and tools are left out that the model
 * can do without.
 */
import { ReasonerError, type StepContext } from '../port.js';

export interface Given {
  context: StepContext;
  /** Without guidance, and with no tools but those of the agent's own. */
  lean: boolean;
}

export interface ContextWindow {
  /** How many tokens a request may have, by the estimate of the house. */
  of(): number;
  learn(tokens: number): void;
  /** How many tokens this would have. */
  measure(given: Given): number;
  /** How many are left for the reply. */
  reserve: number;
}

const mark = '… (cut short)';

const shorten = (
  { context, lean }: Given,
  most: number,
  inStep: (i: number, steps: number) => boolean,
): Given | null => {
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

/** Each is made as often as it changes something. */
const cuts: readonly { what: string; cut(given: Given): Given | null }[] = [
  {
    what: 'the older turns of the conversation',
    cut: ({ context, lean }) =>
      context.turns.length === 0
        ? null
        : { context: { ...context, turns: context.turns.slice(Math.ceil(context.turns.length / 2)) }, lean },
  },
  {
    what: 'what was recalled',
    cut: ({ context, lean }) =>
      context.memories.length === 0 ? null : { context: { ...context, memories: [] }, lean },
  },
  ...[2000, 300].map((most) => ({
    what: 'the whole of what tools returned earlier',
    cut: (given: Given) => shorten(given, most, earlier),
  })),
  ...[16_000, 4000, 1000].map((most) => ({
    what: 'the whole of what tools returned last',
    cut: (given: Given) => shorten(given, most, last),
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
  ask: (given: Given) => Promise<T>,
): Promise<{ reply: T; without: readonly string[] }> {
  let given: Given = { context, lean: false };
  const without = new Set<string>();
  let at = 0;
  const cutOnce = (): boolean => {
    for (; at < cuts.length; at++) {
      const next = cuts[at]?.cut(given);
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
      if (error.window !== null)
        window.learn(
          Math.floor(Math.min(error.window - Math.min(window.reserve, error.window / 4), window.measure(given) * 0.8)),
        );
      if (!cutOnce()) throw error;
      if (!refused) fit();
    }
}
