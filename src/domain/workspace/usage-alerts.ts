/**
 * Usage alerts (docs/api.md 6.5): at which percentages of the month's memory quota a workspace is told of its usage.
 * The settings and what was told are part of the workspace's desk, so that one commit says that an alert is due,
 * records it and tells the webhooks that listen (webhooks.ts).
 *
 *  UsageAlerts.U1 Each threshold is told once in a month, as long as the quota stays the same; a threshold that is set
 *     when usage has passed it already is told at once.
 */
import type { AlertState, SentAlerts } from '../shared/snapshots.js';
import type { Draft } from '../shared/draft.js';
import { HivekeepError } from '../shared/errors.js';
import type { UsageAlerts } from '../model/model.js';
import { cycleOf, monthlyLimit, type QuotaExceeded } from './usage.js';
import type { Tier } from '../shared/vocabulary.js';

type SentAlert = UsageAlerts['sent'][number];

/** In force until others are set. */
export const usualThresholds = [80, 95] as const;

/** What is left out stays as it is. */
export interface AlertChange {
  thresholds?: readonly number[] | undefined;
}

/** Whether a workspace of this tier may set alerts. */
export const maySetAlerts = (tier: Tier): boolean => tier !== 'free' && tier !== 'sandbox';

/** Throws QUOTA_EXCEEDED for the tiers that have no alerts. */
export function checkAlertTier(tier: Tier): void {
  if (maySetAlerts(tier)) return;
  throw new HivekeepError(
    'QUOTA_EXCEEDED',
    `usage alerts come with the tier pro and those above it; this workspace has the tier ${tier}`,
    { details: { limit: 0, used: 0, cycle: null, scope: 'alerts' } },
  );
}

/** Whether alerts can become due: an unlimited tier has them, but no percentage to reach. */
export const hasAlerts = (tier: Tier): boolean => maySetAlerts(tier) && monthlyLimit(tier) !== null;

export const thresholdsOf = ({ alertSettings }: AlertState): readonly number[] =>
  alertSettings?.thresholds ?? usualThresholds;

const sameQuota = (alerts: SentAlerts | undefined, { month, limit }: QuotaExceeded): alerts is SentAlerts =>
  alerts?.month === month && alerts.limit === limit;

/** The thresholds that this usage has reached and that have not been sent, lowest first. */
export function alertsDue(
  thresholds: readonly number[],
  alerts: SentAlerts | undefined,
  usage: QuotaExceeded,
): readonly number[] {
  const before = sameQuota(alerts, usage) ? alerts.percents : [];
  return thresholds.filter((percent) => usage.used * 100 >= usage.limit * percent && !before.includes(percent));
}

/** The record of what was sent, after `due` is sent too. */
export const withSentAlerts = (
  alerts: SentAlerts | undefined,
  usage: QuotaExceeded,
  due: readonly number[],
  sent: readonly SentAlert[] = [],
): SentAlerts => {
  const before: Pick<SentAlerts, 'percents' | 'sent'> = sameQuota(alerts, usage) ? alerts : { percents: [], sent: [] };
  const { month, limit } = usage;
  return { month, limit, percents: [...before.percents, ...due], sent: [...before.sent, ...sent] };
};

/** `month` is the current one: alerts of earlier ones are not shown. */
export function showAlerts(desk: AlertState, month: string): UsageAlerts {
  const { alertSettings, alerts } = desk;
  return {
    thresholds: [...thresholdsOf(desk)],
    sent: alerts?.month === month ? alerts.sent.map(({ percent, used, at }) => ({ percent, used, at })) : [],
    updated_at: alertSettings?.updated_at ?? null,
  };
}

/** `usage` is that of the current month; null without a limit. */
export function setAlerts(d: Draft, desk: AlertState, change: AlertChange, usage: QuotaExceeded | null): void {
  desk.alertSettings = {
    thresholds: change.thresholds ? [...new Set(change.thresholds)].sort((a, b) => a - b) : thresholdsOf(desk),
    updated_at: d.time,
  };
  if (usage) tellUsage(d, desk, usage);
}

const alertData = ({ month, limit, used }: QuotaExceeded, percent: number) => ({
  percent,
  used,
  limit,
  mode: 'live' as const,
  cycle: cycleOf(month),
});

/** Tells the alerts that are due (UsageAlerts.U1). */
export function tellUsage(d: Draft, desk: AlertState, usage: QuotaExceeded): void {
  const due = alertsDue(thresholdsOf(desk), desk.alerts, usage);
  if (due.length === 0) return;
  const { used } = usage;
  const sent = due.map((percent): SentAlert => {
    d.announce('usage.alert', alertData(usage, percent));
    return { percent, used, at: d.time };
  });
  desk.alerts = withSentAlerts(desk.alerts, usage, due, sent);
}
