/**
 * What an agent's runs may use of model servers (docs/api.md 8.6): `config.budget`, in tokens and in money, for each run
 * and for each month.
 *
 *  Budgets.C1 A run that has reached its budget with a step is given one more, in which it is asked for its answer, and
 *     none after that: it ends with `stopReason: budget`, and can be resumed with a fresh one.
 *  Budgets.C2 Where the budget of the month is used up, the agent begins no run: a request is refused, a time of a
 *     schedule starts none, a question is not taken, and a run that a mailbox message has triggered fails.
 *  Budgets.C3 An alert is told once in a month, by the step with which usage has passed a percentage of the budget.
 */
import type { AgentDraft } from './agent-draft.js';
import type { AgentConfig } from './agent-config.js';
import type { RunRecord } from './agent-state.js';
import type { Counts } from './change.js';
import { HivekeepError } from './errors.js';
import type { ModelUsage } from './model.js';
import { modelUsageIn, noModelUsage } from './model-usage.js';
import { usualThresholds } from './usage-alerts.js';
import { cycleOf, monthAt } from './usage.js';

const tokensUsed = ({ inputTokens, outputTokens }: ModelUsage): number => inputTokens + outputTokens;

/** Whether the run has used what it may since it began, or was resumed or told more last. */
export function hasUsedBudget(
  { budget }: AgentConfig,
  { usage = noModelUsage, budgetFromUsage: from = noModelUsage }: Pick<RunRecord, 'usage' | 'budgetFromUsage'>,
): boolean {
  if (!budget) return false;
  const { tokens_per_run: tokens = Infinity, cost_per_run: cost = Infinity } = budget;
  return tokensUsed(usage) - tokensUsed(from) >= tokens || (usage.cost ?? 0) - (from.cost ?? 0) >= cost;
}

/** The run goes on with a fresh budget. */
export function renewBudget(run: RunRecord): void {
  if (run.usage) run.budgetFromUsage = run.usage;
  delete run.lastStep;
}

/** A budget of a month, and what of it is used. */
interface MonthBudget {
  budget: 'tokens_per_month' | 'cost_per_month';
  limit: number;
  used: number;
}

function monthBudgets({ budget }: AgentConfig, counts: Counts, month: string): MonthBudget[] {
  if (!budget) return [];
  const usage = modelUsageIn(counts, month);
  const all = { tokens_per_month: tokensUsed(usage), cost_per_month: usage.cost ?? 0 };
  return (['tokens_per_month', 'cost_per_month'] as const).flatMap((name) => {
    const limit = budget[name];
    return limit === undefined ? [] : [{ budget: name, limit, used: all[name] }];
  });
}

/** Budgets.C2: why the agent begins no run this month; null if it does. */
export function monthUsedUp(d: AgentDraft): HivekeepError | null {
  const month = monthAt(d.timeMs);
  const full = monthBudgets(d.agent.config, d.counts, month).find(({ limit, used }) => used >= limit);
  if (!full) return null;
  const { budget, limit, used } = full;
  const what = budget === 'cost_per_month' ? `${limit} US dollars` : `${limit} tokens`;
  return new HivekeepError('QUOTA_EXCEEDED', `the agent's budget of ${what} in ${month} is used up`, {
    details: { limit, used, cycle: cycleOf(month), scope: 'budget', budget },
  });
}

/** Tells the alerts that the usage since `before` has made due (Budgets.C3). */
export function tellBudgets(d: AgentDraft, before: Counts): void {
  const month = monthAt(d.timeMs);
  const was = monthBudgets(d.agent.config, before, month);
  for (const [i, { budget, limit, used }] of monthBudgets(d.agent.config, d.counts, month).entries())
    for (const percent of usualThresholds) {
      const passed = (n: number): boolean => n * 100 >= limit * percent;
      if (!passed(used) || passed(was[i]?.used ?? 0)) continue;
      d.announce('usage.alert', { agent_id: d.agent.id, budget, percent, used, limit, cycle: cycleOf(month) });
    }
}
