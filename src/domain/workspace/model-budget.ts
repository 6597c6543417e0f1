/**
 * What all agents of a workspace together may use of model servers in a month (docs/api.md 8.6).
 *
 *  ModelBudget.W1 Where it is used up, no run begins to ask a model: it fails with `quota_exceeded`. A run that has
 *     asked one goes on. What is used is known to a process after a second, or after twenty times as long as it takes
 *     to add it up: what has begun by then is used beyond the budget.
 *     The budget of each subject (`per_subject`) holds in the same way for the runs of that subject.
 *  ModelBudget.W2 Each percentage of `usualThresholds` is told once in a month, as long as the budget stays the same.
 */
import { type MonthlyBudget, boundsOf, hasReached, usedUpText } from '../agent/budgets.js';
import type { ModelBudget, ModelUsage, Usage } from '../model/model.js';
import type { Draft } from '../shared/draft.js';
import type { StoredModelBudget } from '../shared/snapshots.js';
import { cycleOf } from './usage.js';
import { usualThresholds } from './usage-alerts.js';
import type { ModelBudgetInput } from './workspace-inputs.js';

/** What runs of the workspace have used in a month. */
export interface MonthUse {
  month: string;
  usage: ModelUsage;
}

/** Why no run may begin to ask a model; null if it may. */
export function noMoreModels(budget: MonthlyBudget | undefined, { month, usage }: MonthUse): string | null {
  const full = boundsOf(budget, usage).find((bound) => hasReached(bound));
  return full ? usedUpText("workspace's budget", full, month) : null;
}

/** Why no run of the subject may begin to ask a model; null if it may. */
export function noMoreFor(subject: string, budget: MonthlyBudget, { month, usage }: MonthUse): string | null {
  const full = boundsOf(budget, usage).find((bound) => hasReached(bound));
  return full ? usedUpText(`budget of subject ${JSON.stringify(subject)}`, full, month) : null;
}

/** What is told of a budget of which so much is used. */
export interface BudgetAlert {
  name: string;
  data: { budget: string; percent: number; used: number; limit: number; cycle: Usage['cycle'] };
}

/** What there is to tell of a budget, whether or not it was told. */
export const alertsReached = (budget: MonthlyBudget, { month, usage }: MonthUse): BudgetAlert[] =>
  boundsOf(budget, usage).flatMap(({ budget: of, limit, used }) =>
    usualThresholds
      .filter((percent) => hasReached({ limit, used }, percent))
      .map((percent) => ({
        name: `${of}:${percent}`,
        data: { budget: of, percent, used, limit, cycle: cycleOf(month) },
      })),
  );

/** The percentages that are due to be told. */
export const budgetAlertsDue = (budget: StoredModelBudget | undefined, use: MonthUse): BudgetAlert[] =>
  alertsReached(budget ?? {}, use).filter(({ name }) => !isTold(budget, use.month, name));

const isTold = (budget: StoredModelBudget | undefined, month: string, name: string): boolean =>
  budget?.told?.month === month && budget.told.passed.includes(name);

export function tellBudgetAlerts(d: Draft, desk: { modelBudget?: StoredModelBudget }, use: MonthUse): void {
  const { modelBudget: budget } = desk;
  if (!budget) return;
  const due = budgetAlertsDue(budget, use);
  if (due.length === 0) return;
  const before = budget.told?.month === use.month ? budget.told.passed : [];
  for (const { data } of due) d.announce('usage.alert', data);
  desk.modelBudget = { ...budget, told: { month: use.month, passed: [...before, ...due.map(({ name }) => name)] } };
}

/** Replaces the budget; without a bound there is none. */
export function setBudgetOfModels(d: Draft, desk: { modelBudget?: StoredModelBudget }, budget: ModelBudgetInput): void {
  desk.modelBudget = { ...settingsIn(budget), updated_at: d.time };
}

/** What of it was set. */
export const settingsIn = ({ per_subject, ...budget }: ModelBudgetInput): BudgetSettings => {
  const each = boundsIn(per_subject ?? {});
  return { ...boundsIn(budget), ...(Object.keys(each).length > 0 && { per_subject: each }) };
};
type BudgetSettings = Pick<StoredModelBudget, 'tokens_per_month' | 'cost_per_month' | 'per_subject'>;

const boundsIn = ({
  tokens_per_month,
  cost_per_month,
}: MonthlyBudget): Pick<StoredModelBudget, 'tokens_per_month' | 'cost_per_month'> => ({
  ...(tokens_per_month !== undefined && { tokens_per_month }),
  ...(cost_per_month !== undefined && { cost_per_month }),
});

const shown = ({ tokens_per_month, cost_per_month }: MonthlyBudget) => ({
  tokens_per_month: tokens_per_month ?? null,
  cost_per_month: cost_per_month ?? null,
});

export const showModelBudget = (
  budget: StoredModelBudget | undefined,
  usage: ModelUsage,
  subject: ModelBudget['subject'] = null,
): ModelBudget => ({
  ...shown(budget ?? {}),
  used: usage,
  per_subject: budget?.per_subject ? shown(budget.per_subject) : null,
  subject,
  updated_at: budget?.updated_at ?? null,
});
