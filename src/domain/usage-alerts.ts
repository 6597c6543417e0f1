/**
 * Usage alerts (docs/api.md 6.5): at which percentages of the month's memory quota a workspace is told of its usage,
 * and where its webhook is. The settings, what was told, and what the webhook has yet to be sent are part of the
 * workspace's desk, so that one commit says that an alert is due, records it and puts it into the outbox.
 *
 *  UsageAlerts.U1 Each threshold is told once in a month, as long as the quota stays the same; a threshold that is set
 *     when usage has passed it already is told at once.
 *  UsageAlerts.U2 An alert that is told while a webhook is set is in the outbox until the webhook has taken it or all
 *     tries have failed; `pushes` counts these. It goes to the webhook that is set when it is sent.
 *  UsageAlerts.U3 The webhook's token goes only to the URL that it was set with.
 */
import type { Draft } from './draft.js';
import { HivekeepError } from './errors.js';
import type { UsageAlerts } from './model.js';
import { sizeOf } from './storage.js';
import type { Receiver } from './task.js';
import { cycleOf, monthlyLimit, type QuotaExceeded } from './usage.js';
import type { Tier } from './vocabulary.js';

/** In force until others are set. */
export const usualThresholds = [80, 95] as const;

/** What was set; its token is sealed (push/credentials.ts). */
interface AlertSettings {
  thresholds: readonly number[];
  webhook: Receiver | null;
  updated_at: string;
}

/** An alert of the month, and what became of its push. `id` is that of the push, where there is one. */
type ToldAlert = UsageAlerts['sent'][number] & { id?: string };

/** The alerts of a month that were told. They start over when the limit changes. */
export interface AlertsTold {
  month: string;
  limit: number;
  percents: readonly number[];
  sent: readonly ToldAlert[];
}

/** What the desk of a workspace keeps of its alerts. */
export interface AlertState {
  alertSettings?: AlertSettings;
  alerts?: AlertsTold;
  /** How many alerts wait for delivery to the webhook; absent where there was never one. */
  pushes?: number;
}

type Desk = AlertState & { id: string };

/** What the webhook is sent. `id` stays the same however often it is tried. */
export interface UsageNotice {
  id: string;
  type: 'usage.alert';
  at: string;
  workspace_id: string;
  data: AlertData;
}
type AlertData = ReturnType<typeof alertData>;

/** An alert in the desk's outbox. Where it goes is decided when it is sent. */
export interface AlertOutboxItem {
  id: string;
  kind: 'alert';
  alert: UsageNotice;
  created_at: string;
}

/** Settings as they are asked for, with a sealed token. What is left out stays as it is. */
export interface AlertChange {
  thresholds?: readonly number[] | undefined;
  webhook?: { url: string; token?: string | null | undefined } | null | undefined;
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

const sameQuota = (told: AlertsTold | undefined, { month, limit }: QuotaExceeded): told is AlertsTold =>
  told?.month === month && told.limit === limit;

/** The thresholds that this usage has reached and that have not been told, lowest first. */
export function alertsDue(
  thresholds: readonly number[],
  told: AlertsTold | undefined,
  usage: QuotaExceeded,
): readonly number[] {
  const before = sameQuota(told, usage) ? told.percents : [];
  return thresholds.filter((percent) => usage.used * 100 >= usage.limit * percent && !before.includes(percent));
}

/** The record of what was told, after `due` is told too. */
export const withAlertsTold = (
  told: AlertsTold | undefined,
  usage: QuotaExceeded,
  due: readonly number[],
  sent: readonly ToldAlert[] = [],
): AlertsTold => {
  const before: Pick<AlertsTold, 'percents' | 'sent'> = sameQuota(told, usage) ? told : { percents: [], sent: [] };
  const { month, limit } = usage;
  return { month, limit, percents: [...before.percents, ...due], sent: [...before.sent, ...sent] };
};

/** `month` is the current one: alerts of earlier ones are not shown. */
export function showAlerts(desk: AlertState, month: string): UsageAlerts {
  const { alertSettings, alerts } = desk;
  const webhook = alertSettings?.webhook ?? null;
  return {
    thresholds: [...thresholdsOf(desk)],
    webhook: webhook && { url: webhook.url, has_token: webhook.authentication !== undefined },
    sent:
      alerts?.month === month
        ? alerts.sent.map(({ percent, used, at, webhook: state, reason }) => ({
            percent,
            used,
            at,
            webhook: state,
            reason,
          }))
        : [],
    updated_at: alertSettings?.updated_at ?? null,
  };
}

/** `usage` is that of the current month; null without a limit. */
export function setAlerts(d: Draft, desk: Desk, change: AlertChange, usage: QuotaExceeded | null): void {
  desk.alertSettings = {
    thresholds: change.thresholds ? [...new Set(change.thresholds)].sort((a, b) => a - b) : thresholdsOf(desk),
    webhook: webhookAfter(desk.alertSettings?.webhook ?? null, change.webhook),
    updated_at: d.time,
  };
  if (usage) tellUsage(d, desk, usage);
}

function webhookAfter(before: Receiver | null, change: AlertChange['webhook']): Receiver | null {
  if (change === undefined) return before;
  if (change === null) return null;
  const { url, token } = change;
  if (token) return { url, authentication: { schemes: ['Bearer'], credentials: token } };
  const kept = token === undefined && before?.url === url ? before.authentication : undefined; // UsageAlerts.U3
  return kept ? { url, authentication: kept } : { url };
}

const alertData = ({ month, limit, used }: QuotaExceeded, percent: number) => ({
  percent,
  used,
  limit,
  mode: 'live' as const,
  cycle: cycleOf(month),
});

/** Tells the alerts that are due (UsageAlerts.U1, UsageAlerts.U2). */
export function tellUsage(d: Draft, desk: Desk, usage: QuotaExceeded): void {
  const due = alertsDue(thresholdsOf(desk), desk.alerts, usage);
  if (due.length === 0) return;
  const { used } = usage;
  const told = due.map((percent): ToldAlert => {
    const data = alertData(usage, percent);
    d.announce('usage.alert', data);
    const alert = { percent, used, at: d.time, reason: null };
    return desk.alertSettings?.webhook
      ? { ...alert, webhook: 'waiting', id: enqueue(d, desk, data) }
      : { ...alert, webhook: 'none' };
  });
  desk.alerts = withAlertsTold(desk.alerts, usage, due, told);
}

function enqueue(d: Draft, desk: Desk, data: AlertData): string {
  const id = d.env.ids('outbox', d.at);
  const alert: UsageNotice = { id, type: 'usage.alert', at: d.time, workspace_id: desk.id, data };
  const item: AlertOutboxItem = { id, kind: 'alert', alert, created_at: d.time };
  d.put('outbox', id, item, true);
  d.effects.push({ type: 'send', id });
  desk.pushes = (desk.pushes ?? 0) + 1;
  return id;
}

/** What became of the push of an alert: it was sent, nobody wants it any more, or all tries failed. */
export type AlertOutcome = { webhook: 'delivered' | 'none'; reason: null } | { webhook: 'failed'; reason: string };

/** The push leaves the outbox, and the alert tells what became of it. */
export function alertPushed(d: Draft, desk: Desk, item: AlertOutboxItem, outcome: AlertOutcome): void {
  d.deletes.push({ kind: 'outbox', id: item.id });
  d.grown -= sizeOf(item);
  desk.pushes = Math.max(0, (desk.pushes ?? 0) - 1);
  if (!desk.alerts?.sent) return;
  desk.alerts = {
    ...desk.alerts,
    sent: desk.alerts.sent.map((alert) => (alert.id === item.id ? { ...alert, ...outcome } : alert)),
  };
}
