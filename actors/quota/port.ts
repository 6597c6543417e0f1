/** The monthly memory quota as the actors use it, and what processes tell each other of it. */
import type { Tier } from '../../src/domain/vocabulary.js';
import type { QuotaExceeded } from '../../src/domain/usage.js';
import type { GateRecord, WorkspaceSnapshot } from '../../src/domain/workspace.js';
import type { EntityRef, Store } from '../../src/store/port.js';
import { finish, type MaybePromise, wait, type Waiting } from '../../src/maybe-promise.js';
import type { QuotaReservation } from './reservation.js';

export interface QuotaSubject {
  workspace: string;
  tier: Tier;
}

/** The quota as the actors use it. LocalQuota implements it for one process, ClusterQuota for a cluster. */
export abstract class Quota {
  constructor(private readonly store: Pick<Store, 'head'>) {}

  /**
   * Reserves room for up to `n` memories, for a caller whose tier is known; null if the tier is unlimited. Rejects with
   * UNAVAILABLE if it cannot be determined in time whether there is room.
   */
  abstract take(whose: QuotaSubject, n: number): MaybePromise<QuotaReservation> | null;
  /** Like `take`, but looks the tier up first; resolves to null also if the workspace does not exist. */
  takeFor(workspace: string, n: number): MaybePromise<QuotaReservation | null> {
    return finish(this.takeLookedUp(workspace, n));
  }

  private *takeLookedUp(workspace: string, n: number): Waiting<QuotaReservation | null> {
    const tier = yield* tierOf(this.store, workspace);
    return tier && (yield* wait(this.take({ workspace, tier }, n)));
  }

  /** Call this at the workspace's desk when its alert settings have changed. */
  abstract alertsChanged(workspace: string): void;
  /** Serves other processes' reservations at the actor of a workspace's desk; null if there is only one process. */
  abstract readonly desk: QuotaDesk | null;
}

/** Sent to a workspace's desk to request a reservation, and to end reservations. The sender chooses the ids. */
export type ReservationRequest = { type: 'reserveMemories'; id: string; tier: Tier; n: number };
export type ReservationsEnded = { type: 'reservationsEnded'; ids: readonly string[] };
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
  newGateId(): string;
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

/** The tier of a workspace; null if the workspace does not exist. */
export function* tierOf(store: Pick<Store, 'head'>, workspace: string): Waiting<Tier | null> {
  const head = yield* wait(store.head(deskOf(workspace)));
  return head && (head.snapshot as unknown as WorkspaceSnapshot).tier;
}

export const deskOf = (workspace: string): EntityRef & { kind: 'workspace' } => ({
  workspace,
  kind: 'workspace',
  id: workspace,
});
