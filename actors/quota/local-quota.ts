/**
 * The monthly memory quota of workspaces, in one process (docs/api.md 8.1, 8.4). Before asking an actor for something
 * that may add a counted memory, the caller takes a reservation; it returns it when the memory was stored or refused.
 * By then the stored memory is included in the store's sums, which are authoritative. Each workspace's gate ensures
 * QuotaGate.Q1-Q3.
 *
 *  Quota.Q4 A reservation ends once, whatever happens to its holder: when the outcome is known; `settleMs` later if an
 *     actor's crash leaves open whether its commit took effect; and, for a step that never reaches its decision, on its
 *     abort or after `unclaimedMs`, after which it cannot be claimed. A reservation that another process keeps
 *     (cluster-quota.ts) has its own lifetime, after which it can no longer be used, decided on or claimed.
 *  Quota.Q5 Alerts (docs/api.md 6.3) are sent once a month: each is recorded at the workspace's desk, in the commit
 *     that sends it. After a crash between crossing the threshold and the record, the next memory sends it.
 * An unlimited tier has no reservations and costs nothing. cluster-quota.ts is the form for many processes.
 */
import type { Clock } from '../../src/domain/clock.js';
import { HivekeepError, unavailable } from '../../src/domain/errors.js';
import type { Tier } from '../../src/domain/vocabulary.js';
import {
  alertsDue,
  type AlertsTold,
  type QuotaExceeded,
  hasAlerts,
  monthAt,
  monthlyLimit,
  withAlertsTold,
  usageCountName,
} from '../../src/domain/usage.js';
import type { GateRecord, WorkspaceSnapshot } from '../../src/domain/workspace.js';
import type { EntityRef, Store } from '../../src/store/port.js';
import { type MaybePromise, thenSync } from '../../src/maybe-promise.js';
import { type Admission, QuotaGate } from './quota-gate.js';
import type { Logger } from '../../src/telemetry/logger.js';

export interface QuotaSubject {
  workspace: string;
  tier: Tier;
}

export interface QuotaDependencies {
  store: Pick<Store, 'sum' | 'head'>;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Has the workspace's desk tell what is due. */
  alert: (workspace: string, usage: QuotaExceeded) => Promise<unknown>;
  /** Instead of gates that stand alone. */
  newGate?: (workspace: string) => QuotaGate;
}

/** What the rest of the actors know of it: the cluster's form is another of these. */
export interface Quota {
  /** `n` places at most, for a caller whose tier is known; null where there is no limit. Rejects UNAVAILABLE where it cannot be told in time whether there is room. */
  take(whose: QuotaSubject, n: number): MaybePromise<QuotaReservation> | null;
  /** The same where the tier has to be looked up. */
  takeFor(workspace: string, n: number): MaybePromise<QuotaReservation | null>;
  /** The part that serves other processes, at the actor of a workspace's desk; null where there are none. */
  readonly desk: QuotaDesk | null;
}

/** Sent to a workspace's desk by a process that wants places, and when their work is done. Ids are the sender's own. */
export type ReservationRequest = { type: 'places'; id: string; tier: Tier; n: number };
export type ReservationsEnded = { type: 'placesEnded'; ids: readonly string[] };
export interface ReservationGrant {
  granted: number;
  full: QuotaExceeded | null;
  /** The places' time runs from so long after the arrival of the request, ms; below zero: from before it. */
  fromMs: number;
}

export interface QuotaDesk {
  /** Whether this process has a gate for the workspace, as far as it knows. */
  hasGate(workspace: string): boolean;
  /** A name for a gate that is going to be opened. */
  newGate(): { id: string; recentMs: number };
  /** The workspace's desk has been committed with this gate. */
  opened(workspace: string, gate: GateRecord): void;
  /** Answers later; blocks nothing. */
  serve(
    workspace: string,
    request: ReservationRequest,
    reply: { resolve(value: ReservationGrant): void; reject(error: Error): void },
  ): void;
  ended(request: ReservationsEnded): void;
}

const settleMs = 5_000;
const unclaimedMs = 30_000;
/** Gates that are kept beyond their use. */
const spareGates = 10_000;

/** The time of a place that another process keeps account of, where it ends by itself. */
export interface ReservationLifetime {
  /** For so long something may still be decided on it, ms. */
  leftMs(): number;
}

/** Places that were taken together. */
export class QuotaReservation {
  private state: 'open' | 'claimed' | 'ended' = 'open';
  private disarm: (() => void) | null = null;

  /** `since` is the gate's (quota-gate.ts). */
  constructor(
    readonly granted: number,
    readonly full: QuotaExceeded | null,
    private readonly clock: Clock,
    private readonly ended: () => void,
    readonly since = 0,
    private readonly time: ReservationLifetime | null = null,
  ) {}

  /** Until it is claimed, it ends with the signal or when its time is up. */
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

  /** False where it has ended: then it is no place any more. */
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

  /** Of a claimed one: what was decided is stored, or it is not known whether it ever will be, and then only its time ends it. */
  decided(stored: boolean): void {
    if (stored || this.time === null) this.release();
  }

  /**
   * Does what the place is for, which is told where there is none, and gives it back. Nothing may be decided on it past
   * the deadline (ms since the epoch), where there is one.
   */
  async during<T>(work: (full: QuotaExceeded | null, deadline: number | undefined) => Promise<T>): Promise<T> {
    const left = this.leftMs;
    if (left <= 0) {
      this.release();
      throw unavailable("a place in the workspace's monthly quota was not used in time");
    }
    try {
      const answer = await work(this.full, left === Infinity ? undefined : Math.floor(this.clock.now() + left));
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
  told: AlertsTold | undefined;
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

  /** The workspace's gate is another from now on. */
  forget(workspace: string): void {
    this.gates.delete(workspace);
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
      gate:
        newGate?.(workspace) ??
        new QuotaGate(
          (month) => store.sum(workspace, usageCountName(month)),
          () => clock.now(),
        ),
      told: undefined,
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

  /** Quota.Q5. Costs nothing while usage cannot have come to the next alert. */
  private considerAlerts(whose: QuotaSubject, limit: number, watched: WatchedGate): void {
    if (!hasAlerts(whose.tier)) return;
    if (
      alertsDue(watched.told, { month: monthAt(this.parts.clock.now()), limit, used: watched.gate.most }).length === 0
    )
      return;
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
        const month = monthAt(clock.now());
        const usage: QuotaExceeded = { month, limit, used: await store.sum(workspace, usageCountName(month)) };
        const head = await store.head(deskOf(workspace));
        const noted = (head?.snapshot as WorkspaceSnapshot | undefined)?.alerts;
        const due = alertsDue(noted, usage);
        if (due.length > 0) await alert(workspace, usage);
        watched.told = withAlertsTold(noted, usage, due);
      }
    } finally {
      watched.reviewing = false;
    }
  }
}

/** Null where there is no such workspace. */
export const tierOf = (store: Pick<Store, 'head'>, workspace: string): MaybePromise<Tier | null> =>
  thenSync(store.head(deskOf(workspace)), (head) =>
    head ? (head.snapshot as unknown as WorkspaceSnapshot).tier : null,
  );

export const deskOf = (workspace: string): EntityRef => ({ workspace, kind: 'workspace', id: workspace });
