/**
 * The monthly memory quota (docs/api.md 6.3, 8.1, 8.4): what each tier may keep, which month a memory counts in, and
 * when usage is worth an alert. A memory counts in the month (UTC) in which it came to last: in which it was created
 * without an expires_at within 30 days, or lost it. Deleting it gives its place back in that month, and nothing in a
 * later one.
 */
import { iso } from './clock.js';
import { HivekeepError } from './errors.js';
import type { Usage } from './model.js';
import type { Tier } from './vocabulary.js';

/** Memories a month (docs/api.md 8.1); null is unlimited. */
const monthly = { free: 1_000, pro: 50_000, team: 500_000, enterprise: null, sandbox: 100 } as const;

export const monthlyLimit = (tier: Tier): number | null => monthly[tier];

/** A memory that expires this soon after its creation is short-term: no quota counts it. One that stays longer is counted like one that stays for good. */
export const shortTermMs = 30 * 24 * 3600 * 1000;

export const isShortTerm = (expiresAt: string | null | undefined, createdMs: number): boolean =>
  expiresAt != null && Date.parse(expiresAt) - createdMs <= shortTermMs;

/**
 * API keys that a workspace may hold: rate limits are per key, so unlimited keys would be an unlimited rate. A sandbox
 * holds none, as its keys are its workspace's.
 */
const keyLimits = { free: 20, pro: 100, team: 500, enterprise: 10_000, sandbox: 0 } as const;
export const keyLimit = (tier: Tier): number => keyLimits[tier];

export const keysFull = (tier: Tier, used: number): HivekeepError =>
  new HivekeepError(
    'QUOTA_EXCEEDED',
    `a workspace of tier ${tier} holds at most ${keyLimit(tier)} API keys; revoke one`,
    {
      details: { limit: keyLimit(tier), used, cycle: null, scope: 'keys' },
    },
  );

/**
 * The count of an entity (memories.ts), and its sum over the workspace. The name ends as it did when a workspace held
 * its sandbox too, whose counts ended in `test`.
 */
export const usageCountName = (month: string): string => `used:${month}:live`;

let begins = NaN;
let ends = NaN;
let current = '';

/** The month of a time, as `2026-11`. The last one asked for is kept: it is asked for with every memory. */
export function monthAt(ms: number): string {
  if (!(ms >= begins && ms < ends)) {
    current = iso(ms).slice(0, 7);
    const [year, month] = numbers(current);
    begins = Date.UTC(year, month - 1, 1);
    ends = Date.UTC(year, month, 1);
  }
  return current;
}

const numbers = (month: string): [year: number, month: number] => [
  Number(month.slice(0, 4)),
  Number(month.slice(5, 7)),
];

/** From the first of the month at 00:00 UTC up to that of the next. */
export function cycleOf(name: string): Usage['cycle'] {
  const [year, month] = numbers(name);
  return { start: iso(Date.UTC(year, month - 1, 1)), end: iso(Date.UTC(year, month, 1)) };
}

/** A workspace's quota that is used up. */
export interface QuotaExceeded {
  month: string;
  limit: number;
  used: number;
}

export const quotaExceededText = ({ month, limit }: QuotaExceeded): string =>
  `the workspace's quota of ${limit} memories in ${month} is used up`;

export const workspaceQuotaExceeded = (full: QuotaExceeded): HivekeepError =>
  new HivekeepError('QUOTA_EXCEEDED', quotaExceededText(full), {
    details: { limit: full.limit, used: full.used, cycle: cycleOf(full.month), scope: 'workspace' },
  });

/** An agent's memory_quota has no cycle: it caps what is there. */
export const agentQuotaExceeded = (limit: number, used: number): HivekeepError =>
  new HivekeepError('QUOTA_EXCEEDED', `the agent's memory_quota of ${limit} is reached`, {
    details: { limit, used, cycle: null, scope: 'agent' },
  });

/** Spec 6.3: alerts from tier Pro on. The sandbox has none, an unlimited tier nothing to tell. */
export const hasAlerts = (tier: Tier): boolean => tier === 'pro' || tier === 'team';

export const alertPercents = [80, 95] as const;
export type AlertPercent = (typeof alertPercents)[number];

/** Which alerts a workspace has had: once each in a month; another limit begins anew. */
export interface AlertsTold {
  month: string;
  limit: number;
  percents: readonly AlertPercent[];
}

/** The alerts that this usage is due and that have not been told, lowest first. */
export function alertsDue(told: AlertsTold | undefined, { month, limit, used }: QuotaExceeded): AlertPercent[] {
  const before: readonly AlertPercent[] = told?.month === month && told.limit === limit ? told.percents : [];
  return alertPercents.filter((percent) => used * 100 >= limit * percent && !before.includes(percent));
}

/** What has been told once `due` is told too. */
export const withAlertsTold = (
  told: AlertsTold | undefined,
  { month, limit }: QuotaExceeded,
  due: readonly AlertPercent[],
): AlertsTold => ({
  month,
  limit,
  percents: told?.month === month && told.limit === limit ? [...told.percents, ...due] : due,
});
