/**
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
import type { ModelUsage } from '../model/model.js';
import type { AgentConfig } from '../agent/agent-config.js';
import type { OpenQuestion } from '../mailbox/question-messages.js';
import type { RunRecord, TreeShare, TreeUse } from './records.js';

type Tree = NonNullable<RunRecord['tree']>;

const microsOf = (dollars: number): number => Math.round(dollars * 1e6);
const usedBy = (usage: ModelUsage | undefined): TreeUse => ({
  tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
  micros: microsOf(usage?.cost ?? 0),
});
const plus = (a: TreeUse, b: TreeUse): TreeUse => ({ tokens: a.tokens + b.tokens, micros: a.micros + b.micros });
const nothing: TreeUse = { tokens: 0, micros: 0 };

/** The budget of a new run: that of its agent, and the share that has come with its question. */
export function treeOf({ budget }: AgentConfig, share: TreeShare | undefined): Tree | undefined {
  const tokens = Math.min(budget?.tokens_per_tree ?? Infinity, share?.tokens ?? Infinity);
  const micros = Math.min(microsOf(budget?.cost_per_tree ?? Infinity), share?.micros ?? Infinity);
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
