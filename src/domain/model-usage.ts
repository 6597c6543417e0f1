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
});

const prefix = 'model:';
const nameOf = (month: string, field: keyof ModelUsage): string => `${prefix}${month}:${field}`;
const fields = ['requests', 'inputTokens', 'cachedInputTokens', 'outputTokens'] as const;

/** The counts of an agent with this usage added to the month of `ms`. */
export function countModelUsage(counts: Counts, used: ModelUsage, ms: number): Counts {
  const out: Record<string, number> = { ...counts };
  const month = monthAt(ms);
  if (out[nameOf(month, 'requests')] === undefined) dropOldMonths(out, prefix, month);
  for (const field of fields) out[nameOf(month, field)] = (out[nameOf(month, field)] ?? 0) + used[field];
  return out;
}

/** The usage of a month in the counts of an agent, or in their sums. */
export const modelUsageIn = (counts: Counts, month: string): ModelUsage => ({
  requests: counts[nameOf(month, 'requests')] ?? 0,
  inputTokens: counts[nameOf(month, 'inputTokens')] ?? 0,
  cachedInputTokens: counts[nameOf(month, 'cachedInputTokens')] ?? 0,
  outputTokens: counts[nameOf(month, 'outputTokens')] ?? 0,
});

/** The counts that outlive a deleted agent: what was used stays used. */
export const lastingCounts = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => name.startsWith(prefix)));
