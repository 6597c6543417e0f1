/**
 * Asks a model about a step, and again with less where its context is too long for the model: without what was
 * recalled, without the older half of the turns, without all of them, and at last with the results of tools shortened.
 */
import { ReasonerError, type StepContext } from '../port.js';

const shortResult = 2000;
const shortestResult = 300;

const shortened =
  (most: number) =>
  (context: StepContext): StepContext => ({
    ...context,
    transcript: context.transcript.map((calls) =>
      calls.map((call) =>
        call.result.length <= most
          ? call
          : { ...call, result: `${call.result.slice(0, most).toWellFormed()}… (cut short)` },
      ),
    ),
  });

const cuts: readonly { what: string; size(context: StepContext): number; cut(context: StepContext): StepContext }[] = [
  {
    what: 'what was recalled',
    size: ({ memories }) => memories.length,
    cut: (context) => ({ ...context, memories: [] }),
  },
  {
    what: 'the older half of the conversation',
    size: ({ turns }) => turns.length,
    cut: (context) => ({ ...context, turns: context.turns.slice(Math.ceil(context.turns.length / 2)) }),
  },
  {
    what: 'the rest of the conversation',
    size: ({ turns }) => turns.length,
    cut: (context) => ({ ...context, turns: [] }),
  },
  ...[shortResult, shortestResult].map((most) => ({
    what: `what tools returned beyond ${most} characters`,
    size: ({ transcript }: StepContext) => transcript.flat().filter(({ result }) => result.length > most).length,
    cut: shortened(most),
  })),
];

/** Resolves to the reply, and what was left out of the context for it. */
export async function withinContext<T>(
  context: StepContext,
  ask: (context: StepContext) => Promise<T>,
): Promise<{ reply: T; without: readonly string[] }> {
  let given = context;
  const without: string[] = [];
  const left = [...cuts];
  for (;;)
    try {
      return { reply: await ask(given), without };
    } catch (error) {
      if (!(error instanceof ReasonerError) || !error.overflow) throw error;
      let next = left.shift();
      while (next && next.size(given) === 0) next = left.shift();
      if (!next) throw error;
      given = next.cut(given);
      without.push(next.what);
    }
}
