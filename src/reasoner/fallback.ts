/**
 * A reasoner on several models: the first is asked, and the next one where its server is away or refuses for reasons of
 * its own. A request that is at fault itself is not sent to another.
 */
import { addModelUsage } from '../domain/agent/budgets.js';
import type { ModelUsage } from '../domain/model/model.js';
import { type Reasoner, ReasonerError, type StepProposal } from './port.js';

const others = { hasOthers: true };

/** A model is looked up by `find` when it is asked, so that one that is not configured fails then. */
export function firstOf(models: readonly string[], find: (model: string) => Reasoner): Reasoner {
  return {
    name: models.join(', '),
    async next(context, signal, listener) {
      const { result, failed, usage } = await asked(models, (model) =>
        find(model).next(context, signal, listener, others),
      );
      if (failed.length === 0) return result;
      const told: StepProposal['thoughts'][number] = {
        thoughtType: 'reflection',
        content: `Another model answers, because ${failed.map(({ message }) => message).join('; ')}.`,
      };
      return { ...result, thoughts: [told, ...result.thoughts], ...(usage && { usage }) };
    },
    async extract(turns, known, signal) {
      const { result, usage } = await asked(
        models,
        async (model) => (await find(model).extract?.(turns, known, signal, others)) ?? { spans: [] },
      );
      return { ...result, ...(usage && { usage }) };
    },
  };
}

async function asked<T extends { usage?: ModelUsage }>(
  models: readonly string[],
  ask: (model: string) => T | Promise<T>,
): Promise<{ result: T; failed: readonly ReasonerError[]; usage: ModelUsage | undefined }> {
  const failed: ReasonerError[] = [];
  const used = (last: ModelUsage | undefined): ModelUsage | undefined =>
    failed.reduce((sum, { usage }) => (sum || usage ? addModelUsage(sum, usage) : undefined), last);
  for (const model of models)
    try {
      const result = await ask(model);
      return { result, failed, usage: used(result.usage) };
    } catch (error) {
      if (!(error instanceof ReasonerError)) throw error;
      failed.push(error);
      if (error.fault === 'request') break;
    }
  const usage = used(undefined);
  throw Object.assign(together(failed), usage && { usage });
}

/** They are away if one of them is: it may come back. */
function together(failed: readonly ReasonerError[]): ReasonerError {
  const last = failed.at(-1);
  if (last && (failed.length === 1 || last.fault === 'request')) return last;
  const away = failed.filter(({ fault }) => fault === 'away');
  const [first = last] = away;
  const waits = away.map(({ retryAfterMs }) => retryAfterMs ?? 0);
  return Object.assign(
    new ReasonerError(
      first?.code ?? 'not_configured',
      `no model answers: ${failed.map(({ message }) => message).join('; ')}`,
    ),
    {
      fault: away.length > 0 ? ('away' as const) : ('server' as const),
      retryAfterMs: waits.length === 0 ? null : Math.min(...waits) || null,
    },
  );
}
