/**
 * What all agents of a workspace together may use of model servers in a month (docs/api.md 8.6).
 *
 *  ModelBudget.W1 Where it is used up, no run begins to ask a model: it fails with `quota_exceeded`. A run that has
 *     asked one goes on. What is used is known to a process after a second, or after twenty times as long as it takes
 *     to add it up: what has begun by then is used beyond the budget.
 *  ModelBudget.W2 Each percentage of `usualThresholds` is told once in a month, as long as the budget stays the same.
 */
import { type MonthlyBudget, boundsOf, hasReached, usedUpText } from '../agent/budgets.js';
import type { ModelBudget, ModelUsage } from '../model/model.js';
import type { Draft } from '../shared/draft.js';
import type { StoredModelBudget } from '../shared/snapshots.js';
import { cycleOf } from './usage.js';
import { usualThresholds } from './usage-alerts.js';

/** What runs of the workspace have used in a month. */
export interface MonthUse {
  month: string;
  usage: ModelUsage;
}

/** Why no run may begin to ask a model; null if it may. */
export function noMoreModels(budget: MonthlyBudget | undefined, { month, usage }: MonthUse): string | null {
  const full = boundsOf(budget, usage).find((bound) => hasReached(bound));
  return full ? usedUpText('workspace', full, month) : null;
}

/** The percentages that are due to be told. */
export const budgetAlertsDue = (
  budget: StoredModelBudget | undefined,
  { month, usage }: MonthUse,
): { name: string; data: Record<string, unknown> }[] =>
  boundsOf(budget, usage).flatMap(({ budget: of, limit, used }) =>
    usualThresholds
      .map((percent) => ({
        name: `${of}:${percent}`,
        percent,
        data: { budget: of, percent, used, limit, cycle: cycleOf(month) },
      }))
      .filter(({ name, percent }) => hasReached({ limit, used }, percent) && !isTold(budget, month, name)),
  );

const isTold = (budget: StoredModelBudget | undefined, month: string, name: string): boolean =>
  budget?.told?.month === month && budget.told.passed.includes(name);

export function tellBudgetAlerts(d: Draft, desk: { modelBudget?: StoredModelBudget }, use: MonthUse): void {
  const { modelBudget: budget } = desk;
  const due = budgetAlertsDue(budget, use);
  if (!budget || due.length === 0) return;
  const before = budget.told?.month === use.month ? budget.told.passed : [];
  for (const { data } of due) d.announce('usage.alert', data);
  desk.modelBudget = { ...budget, told: { month: use.month, passed: [...before, ...due.map(({ name }) => name)] } };
}

/** Replaces the budget; without a bound there is none. */
export function setBudgetOfModels(
  d: Draft,
  desk: { modelBudget?: StoredModelBudget },
  { tokens_per_month, cost_per_month }: MonthlyBudget,
): void {
  desk.modelBudget = { ...boundsIn({ tokens_per_month, cost_per_month }), updated_at: d.time };
}

/** The bounds alone. */
export const boundsIn = ({
  tokens_per_month,
  cost_per_month,
}: MonthlyBudget): Pick<StoredModelBudget, 'tokens_per_month' | 'cost_per_month'> => ({
  ...(tokens_per_month !== undefined && { tokens_per_month }),
  ...(cost_per_month !== undefined && { cost_per_month }),
});

export const showModelBudget = (budget: StoredModelBudget | undefined, usage: ModelUsage): ModelBudget => ({
  tokens_per_month: budget?.tokens_per_month ?? null,
  cost_per_month: budget?.cost_per_month ?? null,
  used: usage,
  updated_at: budget?.updated_at ?? null,
});
