/**
 * The monthly memory quota of workspaces, in one process (docs/api.md 8.1, 8.4). Before asking an actor for something
 * that may add a counted memory, the caller takes a reservation, and it releases the reservation once the memory has
 * been stored or refused. By then a stored memory is included in the store's sums, which are authoritative. Each
 * workspace's gate ensures QuotaGate.Q1-Q3.
 *
 *  Quota.Q4 A reservation ends exactly once, whatever happens to its holder: when the outcome is known; `settleMs`
 *     later if an actor's crash leaves open whether its commit took effect; and, for a step that never reaches its
 *     decision, when the step is aborted or after `unclaimedMs`. Once it has ended it cannot be claimed. A reservation
 *     that is counted in another process (cluster-quota.ts) has a lifetime of its own, after which it can no longer be
 *     used, decided on or claimed.
 *  Quota.Q5 The desk is asked for each alert (docs/api.md 6.5) that usage makes due, and records it in the commit that
 *     tells it (UsageAlerts.U1). After a crash between crossing the threshold and recording the alert, the next memory
 *     tells it.
 * An unlimited tier has no reservations and costs nothing. cluster-quota.ts is the implementation for several
 * processes.
 */
import type { MonotonicClock } from '../../src/domain/clock.js';
import { HivekeepError, unavailable } from '../../src/domain/errors.js';
import type { Tier } from '../../src/domain/vocabulary.js';
import { type QuotaExceeded, monthAt, monthlyLimit, usageCountName } from '../../src/domain/usage.js';
import {
  alertsDue,
  type AlertsTold,
  type AlertState,
  hasAlerts,
  thresholdsOf,
  withAlertsTold,
} from '../../src/domain/usage-alerts.js';
import type { GateRecord, WorkspaceSnapshot } from '../../src/domain/workspace.js';
import type { EntityRef, Store } from '../../src/store/port.js';
import { type MaybePromise, thenSync } from '../../src/maybe-promise.js';
import { type Admission, QuotaGate } from './quota-gate.js';
import type { Logger } from '../../src/telemetry/logger-port.js';

export interface QuotaSubject {
  workspace: string;
  tier: Tier;
}

export interface QuotaDependencies {
  store: Pick<Store, 'exactSum' | 'head'>;
  clock: MonotonicClock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Has the workspace's desk send the alerts that are due. */
  alert: (workspace: string, usage: QuotaExceeded) => Promise<unknown>;
  /** Creates the gates. Default: independent gates, for a single process. */
  newGate?: (workspace: string) => QuotaGate;
}

/** The quota as the actors use it. LocalQuota implements it for one process, ClusterQuota for a cluster. */
export interface Quota {
  /**
   * Reserves room for up to `n` memories, for a caller whose tier is known; null if the tier is unlimited. Rejects with
   * UNAVAILABLE if it cannot be determined in time whether there is room.
   */
  take(whose: QuotaSubject, n: number): MaybePromise<QuotaReservation> | null;
  /** Like `take`, but looks the tier up first; resolves to null also if the workspace does not exist. */
  takeFor(workspace: string, n: number): MaybePromise<QuotaReservation | null>;
  /** Call this at the workspace's desk when its alert settings have changed. */
  alertsChanged(workspace: string): void;
  /** Serves other processes' reservations at the actor of a workspace's desk; null if there is only one process. */
  readonly desk: QuotaDesk | null;
}

/** Sent to a workspace's desk to request a reservation, and to end reservations. The sender chooses the ids. */
export type ReservationRequest = { type: 'places'; id: string; tier: Tier; n: number };
export type ReservationsEnded = { type: 'placesEnded'; ids: readonly string[] };
/** Sent to a workspace's desk when nothing of the gates before this one can be in flight any more. */
export type GateAlone = { type: 'gateAlone'; gate: string };
export interface ReservationGrant {
  granted: number;
  full: QuotaExceeded | null;
  /** When the reservation's lifetime starts, in ms after the request arrived; negative if it started before that. */
  fromMs: number;
}

export interface QuotaDesk {
  /** Whether this process believes that it has the workspace's gate. */
  hasGate(workspace: string): boolean;
  /** Returns a unique id for a gate that is about to be opened. */
  newGate(): string;
  /** Call this when the workspace's desk has been committed with this gate. */
  opened(workspace: string, gate: GateRecord): void;
  /** Returns at once, and answers through `reply`. */
  serve(
    workspace: string,
    request: ReservationRequest,
    reply: { resolve(value: ReservationGrant): void; reject(error: Error): void },
  ): void;
  ended(request: ReservationsEnded): void;
}

const settleMs = 5_000;
const unclaimedMs = 30_000;
/** The number of gates above which idle ones are dropped. */
const spareGates = 10_000;

/** The lifetime of a reservation that another process counts, and that expires there by itself. */
export interface ReservationLifetime {
  /** How much longer a decision may rely on the reservation, ms. */
  leftMs(): number;
}

/** Room for a number of memories that was reserved together. */
export class QuotaReservation {
  private state: 'open' | 'claimed' | 'ended' = 'open';
  private disarm: (() => void) | null = null;

  /** `since` is that of the gate's Admission (quota-gate.ts). */
  constructor(
    readonly granted: number,
    readonly full: QuotaExceeded | null,
    private readonly clock: MonotonicClock,
    private readonly ended: () => void,
    readonly since = 0,
    private readonly time: ReservationLifetime | null = null,
  ) {}

  /** Ends the reservation when the signal aborts or its time is up, unless it has been claimed by then. */
  expire(signal: AbortSignal): void {
    const end = (): void => {
      if (this.state === 'open') this.release();
    };
    const cancel = this.clock.after(Math.min(unclaimedMs, this.leftMs), end);
    signal.addEventListener('abort', end);
    this.disarm = () => {
      cancel();
      signal.removeEventListener('abort', end);
    };
    if (signal.aborted) end();
  }

  /** Returns false if the reservation has ended or expired, and then holds no room. */
  claim(): boolean {
    if (this.state !== 'open') return false;
    if (this.leftMs <= 0) {
      this.release();
      return false;
    }
    this.state = 'claimed';
    this.disarm?.();
    return true;
  }

  release(): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.disarm?.();
    this.ended();
  }

  /**
   * Reports what became of the decision that claimed this reservation. If it is not known whether the decision will
   * ever be stored, a reservation with a lifetime is left to expire.
   */
  decided(stored: boolean): void {
    if (stored || this.time === null) this.release();
  }

  /**
   * Runs the work that the reservation is for, and then releases it. `work` is passed `full` if the month has no room,
   * and the deadline (message-deadline.ts), if there is one, after which no decision may rely on the reservation.
   */
  async during<T>(work: (full: QuotaExceeded | null, deadline: number | undefined) => Promise<T>): Promise<T> {
    const left = this.leftMs;
    if (left <= 0) {
      this.release();
      throw unavailable("a place in the workspace's monthly quota was not used in time");
    }
    try {
      const answer = await work(this.full, left === Infinity ? undefined : this.clock.elapsed() + left);
      this.release();
      return answer;
    } catch (error) {
      if (error instanceof HivekeepError && error.code !== 'UNAVAILABLE') this.release();
      else if (this.time === null)
        this.clock.after(settleMs, () => {
          this.release();
        });
      throw error;
    }
  }

  private get leftMs(): number {
    return this.time?.leftMs() ?? Infinity;
  }
}

interface WatchedGate {
  gate: QuotaGate;
  /** The workspace's thresholds and what of them was told; null until they have been read. */
  alerts: { thresholds: readonly number[]; told: AlertsTold | undefined } | null;
  reviewing: boolean;
  again: boolean;
}

export class LocalQuota implements Quota {
  readonly desk = null;
  private readonly gates = new Map<string, WatchedGate>();

  constructor(private readonly parts: QuotaDependencies) {}

  take(whose: QuotaSubject, n: number): MaybePromise<QuotaReservation> | null {
    const limit = monthlyLimit(whose.tier);
    if (limit === null) return null;
    const watched = this.gateOf(whose);
    return thenSync(watched.gate.take(limit, n), (admission) => this.reservationOf(whose, limit, watched, admission));
  }

  takeFor(workspace: string, n: number): MaybePromise<QuotaReservation | null> {
    return thenSync(tierOf(this.parts.store, workspace), (tier) => (tier ? this.take({ workspace, tier }, n) : null));
  }

  /** Drops the workspace's gate; the next reservation creates a new one. */
  forget(workspace: string): void {
    this.gates.delete(workspace);
  }

  alertsChanged(workspace: string): void {
    const watched = this.gates.get(workspace);
    if (!watched) return;
    watched.alerts = null;
    watched.again = true;
  }

  private gateOf({ workspace }: QuotaSubject): WatchedGate {
    const known = this.gates.get(workspace);
    if (known) return known;
    if (this.gates.size >= spareGates)
      for (const [other, { gate, reviewing }] of this.gates)
        if (gate.idle && !reviewing) {
          this.gates.delete(other);
          break;
        }
    const { store, clock, newGate } = this.parts;
    const made: WatchedGate = {
      gate: newGate?.(workspace) ?? new QuotaGate((month) => store.exactSum(workspace, usageCountName(month)), clock),
      alerts: null,
      reviewing: false,
      again: false,
    };
    this.gates.set(workspace, made);
    return made;
  }

  private reservationOf(
    whose: QuotaSubject,
    limit: number,
    watched: WatchedGate,
    { granted, full, since }: Admission,
  ): QuotaReservation {
    if (full) this.considerAlerts(whose, limit, watched);
    return new QuotaReservation(
      granted,
      full,
      this.parts.clock,
      () => {
        watched.gate.release(granted);
        this.considerAlerts(whose, limit, watched);
      },
      since,
    );
  }

  /** Asks for alerts that may be due (Quota.Q5). Costs nothing while usage cannot have reached the next threshold. */
  private considerAlerts(whose: QuotaSubject, limit: number, watched: WatchedGate): void {
    if (!hasAlerts(whose.tier)) return;
    if (watched.alerts && !this.mayBeDue(watched.alerts, limit, watched.gate)) return;
    watched.again = true;
    if (watched.reviewing) return;
    watched.reviewing = true;
    this.reviewAlerts(whose, limit, watched).catch((error: unknown) => {
      this.parts.log.warn(
        { event: 'usage_alert.failed', err: error, workspace: whose.workspace },
        'a usage alert could not be sent; the next memory retries it',
      );
    });
  }

  private async reviewAlerts({ workspace }: QuotaSubject, limit: number, watched: WatchedGate): Promise<void> {
    const { store, clock, alert } = this.parts;
    try {
      while (watched.again) {
        watched.again = false;
        const read = await this.alertsOf(workspace);
        if (this.mayBeDue(read, limit, watched.gate)) {
          const month = monthAt(clock.now());
          const usage: QuotaExceeded = { month, limit, used: await store.exactSum(workspace, usageCountName(month)) };
          const due = alertsDue(read.thresholds, read.told, usage);
          if (due.length > 0) {
            await alert(workspace, usage);
            read.told = withAlertsTold(read.told, usage, due);
          }
        }
        watched.alerts = read;
      }
    } finally {
      watched.reviewing = false;
    }
  }

  private mayBeDue(
    { thresholds, told }: NonNullable<WatchedGate['alerts']>,
    limit: number,
    { most }: QuotaGate,
  ): boolean {
    const usage = { month: monthAt(this.parts.clock.now()), limit, used: most };
    return alertsDue(thresholds, told, usage).length > 0;
  }

  private async alertsOf(workspace: string): Promise<NonNullable<WatchedGate['alerts']>> {
    const head = await this.parts.store.head(deskOf(workspace));
    const desk: AlertState = (head?.snapshot as WorkspaceSnapshot | undefined) ?? {};
    return { thresholds: thresholdsOf(desk), told: desk.alerts };
  }
}

/** The tier of a workspace; null if the workspace does not exist. */
export const tierOf = (store: Pick<Store, 'head'>, workspace: string): MaybePromise<Tier | null> =>
  thenSync(store.head(deskOf(workspace)), (head) =>
    head ? (head.snapshot as unknown as WorkspaceSnapshot).tier : null,
  );

export const deskOf = (workspace: string): EntityRef & { kind: 'workspace' } => ({
  workspace,
  kind: 'workspace',
  id: workspace,
});
