/**
 * The monthly memory quota of workspaces (docs/api.md 8.1, 8.4). Before asking an actor for something that may add a
 * counted memory, the caller takes a reservation, and it releases the reservation once the memory has been stored or
 * refused. By then a stored memory is included in the store's sums, which are authoritative. Each workspace's gate
 * ensures QuotaGate.Q1-Q4: the month is exact where one process serves, and in a cluster it may be exceeded by what all
 * processes have in flight.
 *
 *  - The desk is asked for each alert (docs/api.md 6.5) that usage makes due, and records it in the commit that tells
 *    it (UsageAlerts.U1), so that it is told once, whichever processes ask. After a crash between crossing the
 *    threshold and recording the alert, the next memory tells it.
 * An unlimited tier has no reservations and costs nothing.
 */
import type { AlertState, SentAlerts } from '../../src/domain/shared/snapshots.js';
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { type QuotaExceeded, monthAt, monthlyLimit, usageCountName } from '../../src/domain/workspace/usage.js';
import { alertsDue, hasAlerts, thresholdsOf, withSentAlerts } from '../../src/domain/workspace/usage-alerts.js';
import type { Store } from '../../src/store/port.js';
import type { Tier } from '../../src/domain/shared/vocabulary.js';
import { finish, type MaybePromise, wait, type Waiting } from '../../src/maybe-promise.js';
import { deskOf, tierOf } from './tenant-bounds.js';
import { type QuotaAdmission, QuotaGate } from './quota-gate.js';
import { QuotaReservation } from './reservation.js';
import type { Logger } from '../../src/telemetry/logger-port.js';

export interface QuotaSubject {
  workspace: string;
  tier: Tier;
}

export interface QuotaDeps {
  store: Pick<Store, 'exactSum' | 'head'>;
  clock: MonotonicClock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Has the workspace's desk send the alerts that are due. */
  alert: (workspace: string, usage: QuotaExceeded) => Promise<unknown>;
}

/** The number of gates above which idle ones are dropped. */
const spareGates = 10_000;
/** How old what is known of a workspace's alerts may be, ms: another process may have changed them. */
const alertsMs = 5_000;

interface WatchedGate {
  gate: QuotaGate;
  /** The workspace's thresholds and what of them was sent; null until they have been read. */
  alerts: { thresholds: readonly number[]; sent: SentAlerts | undefined; readAt: number } | null;
  reviewing: boolean;
  again: boolean;
}

export class MonthlyQuota {
  private readonly gates = new Map<string, WatchedGate>();

  constructor(private readonly deps: QuotaDeps) {}

  /**
   * Reserves room for up to `n` memories, for a caller whose tier is known; null if the tier is unlimited. Rejects with
   * UNAVAILABLE if it cannot be determined in time whether there is room.
   */
  take(whose: QuotaSubject, n: number): MaybePromise<QuotaReservation> | null {
    const limit = monthlyLimit(whose.tier);
    if (limit === null) return null;
    const watched = this.gates.get(whose.workspace) ?? this.open(whose.workspace);
    const admission = watched.gate.take(limit, n);
    return admission instanceof Promise
      ? admission.then((admitted) => this.reservationOf(whose, limit, watched, admitted))
      : this.reservationOf(whose, limit, watched, admission);
  }

  /** Like `take`, but looks the tier up first; resolves to null also if the workspace does not exist. */
  takeFor(workspace: string, n: number): MaybePromise<QuotaReservation | null> {
    return finish(this.takeLookedUp(workspace, n));
  }

  private *takeLookedUp(workspace: string, n: number): Waiting<QuotaReservation | null> {
    const tier = yield* tierOf(this.deps.store, workspace);
    return tier && (yield* wait(this.take({ workspace, tier }, n)));
  }

  /** Call this at the workspace's desk when its alert settings have changed. */
  alertsChanged(workspace: string): void {
    const watched = this.gates.get(workspace);
    if (!watched) return;
    watched.alerts = null;
    watched.again = true;
  }

  private open(workspace: string): WatchedGate {
    const { store, clock } = this.deps;
    if (this.gates.size >= spareGates)
      for (const [other, { gate: theirs, reviewing }] of this.gates)
        if (theirs.idle && !reviewing) {
          this.gates.delete(other);
          break;
        }
    const gate = new QuotaGate((month) => store.exactSum(workspace, usageCountName(month)), clock);
    const made: WatchedGate = { gate, alerts: null, reviewing: false, again: false };
    this.gates.set(workspace, made);
    return made;
  }

  private reservationOf(
    whose: QuotaSubject,
    limit: number,
    watched: WatchedGate,
    { granted, full }: QuotaAdmission,
  ): QuotaReservation {
    if (full) this.considerAlerts(whose, limit, watched);
    return new QuotaReservation(granted, full, this.deps.clock, () => {
      watched.gate.release(granted);
      this.considerAlerts(whose, limit, watched);
    });
  }

  /** Asks for alerts that may be due. Costs nothing while usage cannot have reached the next threshold. */
  private considerAlerts(whose: QuotaSubject, limit: number, watched: WatchedGate): void {
    if (!hasAlerts(whose.tier)) return;
    const { alerts } = watched;
    const isKnown = alerts && this.deps.clock.elapsed() - alerts.readAt < alertsMs;
    if (isKnown && !this.mayBeDue(alerts, limit, watched.gate)) return;
    watched.again = true;
    if (watched.reviewing) return;
    watched.reviewing = true;
    this.reviewAlerts(whose, limit, watched).catch((error: unknown) => {
      this.deps.log.warn(
        { event: 'usage_alert.failed', err: error, workspace: whose.workspace },
        'a usage alert could not be sent; the next memory retries it',
      );
    });
  }

  private async reviewAlerts({ workspace }: QuotaSubject, limit: number, watched: WatchedGate): Promise<void> {
    const { store, clock, alert } = this.deps;
    try {
      while (watched.again) {
        watched.again = false;
        const read = await this.alertsOf(workspace);
        if (this.mayBeDue(read, limit, watched.gate)) {
          const month = monthAt(clock.now());
          const usage: QuotaExceeded = { month, limit, used: await store.exactSum(workspace, usageCountName(month)) };
          const due = alertsDue(read.thresholds, read.sent, usage);
          if (due.length > 0) {
            await alert(workspace, usage);
            read.sent = withSentAlerts(read.sent, usage, due);
          }
        }
        watched.alerts = read;
      }
    } finally {
      watched.reviewing = false;
    }
  }

  private mayBeDue(
    { thresholds, sent }: NonNullable<WatchedGate['alerts']>,
    limit: number,
    { most }: QuotaGate,
  ): boolean {
    const usage = { month: monthAt(this.deps.clock.now()), limit, used: most };
    return alertsDue(thresholds, sent, usage).length > 0;
  }

  private async alertsOf(workspace: string): Promise<NonNullable<WatchedGate['alerts']>> {
    const readAt = this.deps.clock.elapsed();
    const head = await this.deps.store.head(deskOf(workspace));
    const desk: AlertState = head?.snapshot ?? {};
    return { thresholds: thresholdsOf(desk), sent: desk.alerts, readAt };
  }
}
