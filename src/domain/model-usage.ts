/**
 * What runs use of model servers (docs/api.md 2.3, 2.14): requests that were answered, and the tokens that the servers
 * reported. It is kept with the run, and counted by month on the agent, so that the workspace's sum is that of its
 * heads.
 */
import type { Counts } from './change.js';
import type { ModelUsage } from './model.js';
import { dropOldMonths, monthAt } from './usage.js';

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
const microsOf = ({ cost = 0 }: ModelUsage): number => Math.round(cost * 1e6);
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
