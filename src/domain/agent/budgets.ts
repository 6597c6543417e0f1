/**
 * What an agent's runs may use of model servers (docs/api.md 8.6): `config.budget`, in tokens and in money, for each run
 * and for each month.
 *
 *  Budgets.C1 A run that has reached its budget with a step is given one more, in which it is asked for its answer, and
 *     none after that: it ends with `stopReason: budget`, and can be resumed with a fresh one.
 *  Budgets.C2 Where the budget of the month is used up, the agent begins no run: a request is refused, a time of a
 *     schedule starts none, a question is not taken, and a run that a mailbox message has triggered fails. Its model
 *     learns nothing either.
 *  Budgets.C3 An alert is told once in a month, by the step with which usage has passed a percentage of the budget.
 */
import type { Counts } from '../shared/draft.js';
import type { ModelUsage } from '../model/model.js';
import { cycleOf, dayAt, dropOldMonths, monthAt } from '../workspace/usage.js';
import type { AgentDraft } from './agent-draft.js';
import type { AgentConfig } from './agent-config.js';
import type { SubjectCount } from './agent-state.js';
import type { StoredSubjectUse } from '../shared/snapshots.js';
import { HivekeepError } from '../shared/errors.js';
import { usualThresholds } from '../workspace/usage-alerts.js';
import type { OpenQuestion } from '../mailbox/question-messages.js';
import type { RunRecord, TreeShare, TreeUse } from '../run/records.js';

/*
 * What runs use of model servers (docs/api.md 2.3, 2.14): requests that were answered, and the tokens that the servers
 * reported. It is kept with the run, and counted by month on the agent, so that the workspace's sum is that of its
 * heads.
 */

export const noModelUsage: ModelUsage = { requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

export const addModelUsage = (a: ModelUsage = noModelUsage, b: ModelUsage = noModelUsage): ModelUsage => ({
  requests: a.requests + b.requests,
  inputTokens: a.inputTokens + b.inputTokens,
  cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  ...((a.cost !== undefined || b.cost !== undefined) && { cost: dollarsOf(microsOf(a) + microsOf(b)) }),
});

/** What tokens of a model cost, in US dollars per million. */
export interface ModelPrice {
  input: number;
  cachedInput: number;
  output: number;
}

/** What one answer has cost, US dollars. */
export const costOf = (
  price: ModelPrice,
  {
    inputTokens,
    cachedInputTokens,
    outputTokens,
  }: Pick<ModelUsage, 'inputTokens' | 'cachedInputTokens' | 'outputTokens'>,
): number => {
  const cached = Math.min(cachedInputTokens, inputTokens);
  const micros = (inputTokens - cached) * price.input + cached * price.cachedInput + outputTokens * price.output;
  return dollarsOf(Math.round(micros));
};

/** Costs are summed in millionths, which are whole numbers. */
const microsOf = ({ cost = 0 }: Pick<ModelUsage, 'cost'>): number => Math.round(cost * 1e6);
const dollarsOf = (micros: number): number => micros / 1e6;

const prefix = 'model:';
const nameOf = (month: string, field: keyof ModelUsage): string => `${prefix}${month}:${field}`;
const fields = ['requests', 'inputTokens', 'cachedInputTokens', 'outputTokens'] as const;

/** The counts of an agent with this usage added to the month of `ms`. */
export function countModelUsage(counts: Counts, used: ModelUsage, ms: number): Counts {
  const out: Record<string, number> = { ...counts };
  const month = monthAt(ms);
  if (out[nameOf(month, 'requests')] === undefined) dropOldMonths(out, prefix, month);
  for (const field of fields) out[nameOf(month, field)] = (out[nameOf(month, field)] ?? 0) + used[field];
  const cost = nameOf(month, 'cost');
  if (used.cost !== undefined) out[cost] = (out[cost] ?? 0) + microsOf(used);
  return out;
}

/** The usage of a month in the counts of an agent, or in their sums. */
export const modelUsageIn = (counts: Counts, month: string): ModelUsage => ({
  requests: counts[nameOf(month, 'requests')] ?? 0,
  inputTokens: counts[nameOf(month, 'inputTokens')] ?? 0,
  cachedInputTokens: counts[nameOf(month, 'cachedInputTokens')] ?? 0,
  outputTokens: counts[nameOf(month, 'outputTokens')] ?? 0,
  ...costIn(counts[nameOf(month, 'cost')]),
});
const costIn = (micros: number | undefined): Pick<ModelUsage, 'cost'> =>
  micros === undefined ? {} : { cost: dollarsOf(micros) };

/** The counts that outlive a deleted agent: what was used stays used. */
export const lastingCounts = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => name.startsWith(prefix)));

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

/** What may be used in a month: of an agent by its runs, of a workspace by those of all its agents. */
export interface MonthlyBudget {
  tokens_per_month?: number | undefined;
  cost_per_month?: number | undefined;
}

/** One of its bounds, and what of it is used. */
export interface MonthBound {
  budget: keyof MonthlyBudget;
  limit: number;
  used: number;
}

export function boundsOf(budget: MonthlyBudget | undefined, usage: ModelUsage): MonthBound[] {
  if (!budget) return [];
  const all = { tokens_per_month: tokensUsed(usage), cost_per_month: usage.cost ?? 0 };
  return (['tokens_per_month', 'cost_per_month'] as const).flatMap((name) => {
    const limit = budget[name];
    return limit === undefined ? [] : [{ budget: name, limit, used: all[name] }];
  });
}

export const hasReached = ({ limit, used }: Omit<MonthBound, 'budget'>, percent = 100): boolean =>
  used * 100 >= limit * percent;

export function usedUpText(name: string, { budget, limit }: MonthBound, month: string): string {
  const what = budget === 'cost_per_month' ? `${limit} US dollars` : `${limit} tokens`;
  return `the ${name} of ${what} in ${month} is used up`;
}

/** An agent, its counts, and the present. */
interface MonthOf {
  agent: { config: AgentConfig };
  counts: Counts;
  timeMs: number;
}

/** Budgets.C2: why the agent begins no run this month; null if it does. */
export function monthUsedUp({ agent, counts, timeMs }: MonthOf): HivekeepError | null {
  const { budget: bounds } = agent.config;
  if (!bounds) return null;
  const month = monthAt(timeMs);
  const full = boundsOf(bounds, modelUsageIn(counts, month)).find((bound) => hasReached(bound));
  if (!full) return null;
  const { budget, limit, used } = full;
  return new HivekeepError('QUOTA_EXCEEDED', usedUpText("agent's budget", full, month), {
    details: { limit, used, cycle: cycleOf(month), scope: 'budget', budget },
  });
}

/** Counts what a step, or learning, has used: in the month and the day, and towards the budgets of the agent. */
export function countUse(d: AgentDraft, usage: ModelUsage, countFor?: SubjectCount): void {
  const before = d.counts;
  d.counts = countModelUsage(before, usage, d.timeMs);
  addToDay(d, { usage });
  tellBudgets(d, before);
  if (countFor) countForSubject(d, usage, countFor);
}

/** The id of what an agent has used for a subject in a month. */
export const subjectUseId = ({ month, of }: Pick<SubjectCount, 'month' | 'of'>, agent: string): string =>
  `${month}-${of}-${agent}`;

/** More than can be decided on before all of it is stored. */
const usesInMemory = 256;

/** What was decided on since the sum was read counts as well, whether or not it is stored. */
function countForSubject(d: AgentDraft, usage: ModelUsage, { subject, of, month, before: read }: SubjectCount): void {
  const id = subjectUseId({ month, of }, d.agent.id);
  const decided = d.subjectUse?.get(id);
  const before = decided === undefined ? read : decided;
  const after = { month, of, agent_id: d.agent.id, ...addModelUsage(before ?? noModelUsage, usage) };
  d.putSum(id, after, before === null);
  know(d, id, after);
  d.effects.push({ type: 'counted', subject });
}

/** Forgets what the agent has used for a subject, by the ids of these sums. */
export function forgetSubjectUse(d: AgentDraft, sums: readonly string[]): void {
  for (const id of sums) {
    d.remove('subjectUse', id, 0);
    know(d, id, null);
  }
}

function know(d: AgentDraft, id: string, use: StoredSubjectUse | null): void {
  const known = new Map(d.subjectUse);
  known.delete(id);
  known.set(id, use);
  for (const oldest of known.keys())
    if (known.size > usesInMemory) known.delete(oldest);
    else break;
  d.subjectUse = known;
}

/** Counts a run that has ended, if it used a model. */
export function countEndedRun(d: AgentDraft, { usage, status }: Pick<RunRecord, 'usage' | 'status'>): void {
  if (usage) addToDay(d, { runs: 1, failed: status === 'failed' || status === 'timeout' ? 1 : 0 });
}

function addToDay(d: AgentDraft, { usage = noModelUsage, runs = 0, failed = 0 }: Partial<DayUse>): void {
  const day = dayAt(d.timeMs);
  const { id: agent_id, usageDay: last } = d.agent;
  const before = last?.day === day ? last : undefined;
  const { runs: ended = 0, failed: lost = 0 } = before ?? {};
  const after = { day, agent_id, runs: ended + runs, failed: lost + failed, ...addModelUsage(before, usage) };
  d.put('usageDay', `${day}-${agent_id}`, after, !before, before);
  d.agent.usageDay = after;
}

interface DayUse {
  usage: ModelUsage;
  runs: number;
  failed: number;
}

/** Tells the alerts that the usage since `before` has made due (Budgets.C3). */
function tellBudgets(d: AgentDraft, before: Counts): void {
  const month = monthAt(d.timeMs);
  const { budget: bounds } = d.agent.config;
  if (!bounds) return;
  const was = boundsOf(bounds, modelUsageIn(before, month));
  for (const [i, { budget, limit, used }] of boundsOf(bounds, modelUsageIn(d.counts, month)).entries())
    for (const percent of usualThresholds) {
      if (!hasReached({ limit, used }, percent) || hasReached({ limit, used: was[i]?.used ?? 0 }, percent)) continue;
      d.announce('usage.alert', { agent_id: d.agent.id, budget, percent, used, limit, cycle: cycleOf(month) });
    }
}

/*
 * What a run and all that it asks, directly or through others, may use of models together (docs/api.md 8.6):
 * `tokens_per_tree` and `cost_per_tree` of `config.budget`.
 *
 *  TreeBudget.D1 A question takes along an equal share of what is left, beside those that are put with it, and nobody else
 *     may use that until its answer comes, which says what was used. So what the runs of a tree may use is together no
 *     more than the budget of its first run.
 *  TreeBudget.D2 A run whose share is used up is asked for its answer, as with a budget of its own (Budgets.C1), and puts
 *     no question. So each run of the tree exceeds its share by the steps of one reply and of that answer at most.
 *  TreeBudget.D3 A share is never fresh: only what nobody waits for begins again when it is resumed or told more.
 */

type Tree = NonNullable<RunRecord['tree']>;

const usedBy = (usage: ModelUsage | undefined): TreeUse => ({
  tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
  micros: microsOf(usage ?? {}),
});
const plus = (a: TreeUse, b: TreeUse): TreeUse => ({ tokens: a.tokens + b.tokens, micros: a.micros + b.micros });
const nothing: TreeUse = { tokens: 0, micros: 0 };

/** The budget of a new run: that of its agent, and the share that has come with its question. */
export function treeOf({ budget }: AgentConfig, share: TreeShare | undefined): Tree | undefined {
  const tokens = Math.min(budget?.tokens_per_tree ?? Infinity, share?.tokens ?? Infinity);
  const micros = Math.min(microsOf({ cost: budget?.cost_per_tree ?? Infinity }), share?.micros ?? Infinity);
  if (tokens === Infinity && micros === Infinity) return undefined;
  const most: TreeShare = { ...(tokens < Infinity && { tokens }), ...(micros < Infinity && { micros }) };
  return { most, used: nothing };
}

/** What the run has used by now, with all that it has asked and that has answered. */
export const usedInTree = ({ usage, tree }: Pick<RunRecord, 'usage' | 'tree'>): TreeUse =>
  plus(usedBy(usage), tree?.used ?? nothing);

/** What is left of it beside what open questions have taken along; null where there is no bound. */
function leftIn(run: RunRecord, asked: readonly OpenQuestion[]): TreeUse | null {
  const { tree } = run;
  if (!tree) return null;
  const open = asked.filter(({ came }) => !came).map(({ share }) => ({ ...nothing, ...share }));
  const used = open.reduce(plus, usedInTree(run));
  const from = tree.from ?? nothing;
  const { tokens = Infinity, micros = Infinity } = tree.most;
  return { tokens: tokens - used.tokens + from.tokens, micros: micros - used.micros + from.micros };
}

const isUsedUp = (left: TreeUse | null): boolean => left !== null && (left.tokens < 1 || left.micros < 1);

/** Whether the run may use no more (TreeBudget.D2). */
export const hasUsedTree = (run: RunRecord): boolean => isUsedUp(leftIn(run, run.asked ?? []));

/** The share of one of so many questions that are put together (TreeBudget.D1). */
export function shareOf(run: RunRecord, put: readonly OpenQuestion[], questions: number): TreeShare | undefined {
  const left = leftIn(run, put);
  if (!left) return undefined;
  const tokens = Math.max(0, Math.floor(left.tokens / questions));
  const micros = Math.max(0, Math.floor(left.micros / questions));
  return { ...(tokens < Infinity && { tokens }), ...(micros < Infinity && { micros }) };
}

/** Counts what the run of a question has used, which has answered. */
export function countInTree(run: RunRecord, used: TreeUse | undefined): void {
  if (run.tree && used) run.tree = { ...run.tree, used: plus(run.tree.used, used) };
}

/** Begins anew with the budget of a run that nobody waits for (TreeBudget.D3). */
export function renewTree(run: RunRecord): void {
  if (run.tree && !run.owes) run.tree = { ...run.tree, from: usedInTree(run) };
}
