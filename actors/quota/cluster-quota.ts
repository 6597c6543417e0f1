/**
 * The monthly quota as seen by one process of a cluster. Reservations are requested from the workspace's desk, wherever
 * it lives; its process counts them (quota-desk.ts: QuotaDesk.K1-K4), and this process ends them there when their work
 * is done.
 *
 *  ClusterQuota.H1 The lifetime of a reservation starts with the read of the sum that it is based on. Its holder
 *     measures that lifetime from when it sent the request, which is never later than the grant, so a holder that was
 *     paused in between knows that the reservation has expired (`left` in reservation.ts). Its requests carry the
 *     deadline to the actor that decides, which judges it by its own monotonic clock (Router.R5).
 *  - A reservation whose outcome is known is ended soon afterwards. Any other expires, at a time when it can no longer
 *    have an effect.
 * An unlimited tier needs no reservations. On failure: if the desk does not answer in time, the request rejects with
 * UNAVAILABLE and nothing was changed.
 */
import { HivekeepError } from '../../src/domain/errors.js';
import { monthlyLimit } from '../../src/domain/usage.js';
import {
  deskOf,
  type ReservationsEnded,
  type ReservationGrant,
  type ReservationRequest,
  Quota,
  type QuotaSubject,
} from './port.js';
import { QuotaReservation } from './reservation.js';
import { DeskGates, commitGraceMs, reservationMs, type QuotaDeskDeps } from './quota-desk.js';
import type { EntityDeps } from '../entities/deps.js';

export interface ClusterQuotaDeps extends Omit<QuotaDeskDeps, 'alone'> {
  /** The name of this process, which no other process ever has. */
  self: string;
  ask: EntityDeps['ask'];
}

/** The deadline of a request to the desk, ms, including any moves of the desk to another process. */
const askMs = 20_000;
/** The maximum number of attempts when the gate has moved, or when a grant arrives too late to be useful. */
const maxTries = 4;
/** How long ended reservations are collected before they are reported together, and the delay before a retry, ms. */
const tellMs = 1;
const tellAgainMs = 1_000;

export class ClusterQuota extends Quota {
  readonly desk: DeskGates;
  private readonly over = new Map<string, string[]>();
  private last = 0;

  constructor(private readonly deps: ClusterQuotaDeps) {
    super(deps.store);
    this.desk = new DeskGates({
      ...deps,
      alone: (workspace, gate) => deps.ask(deskOf(workspace), { type: 'gateAlone', gate }),
    });
  }

  take(whose: QuotaSubject, n: number): Promise<QuotaReservation> | null {
    return monthlyLimit(whose.tier) === null ? null : this.reserve(whose, n);
  }

  alertsChanged(workspace: string): void {
    this.desk.alertsChanged(workspace);
  }

  private async reserve(whose: QuotaSubject, n: number): Promise<QuotaReservation> {
    for (let tries = 1; ; tries++) {
      const reservation = await this.askDesk(whose, n, tries < maxTries);
      if (reservation) return reservation;
    }
  }

  /** Resolves to null if the request should be repeated. */
  private async askDesk(
    { workspace, tier }: QuotaSubject,
    n: number,
    again: boolean,
  ): Promise<QuotaReservation | null> {
    const { clock, ask, self } = this.deps;
    const id = `${self}/${++this.last}`;
    const sent = clock.elapsed();
    const request: ReservationRequest = { type: 'reserveMemories', id, tier, n };
    let granted: ReservationGrant;
    try {
      granted = await ask(deskOf(workspace), request, { deadline: clock.elapsed() + askMs });
    } catch (error) {
      this.end(workspace, id); // the desk may have granted it nevertheless
      if (again && error instanceof HivekeepError && error.details['reason'] === 'GateMoved') return null;
      throw error;
    }
    const { fromMs, full } = granted;
    const leftMs = (): number => sent + fromMs + reservationMs - clock.elapsed(); // ClusterQuota.H1
    // The desk took so long to answer that the reservation is about to expire.
    if (again && granted.granted > 0 && leftMs() < reservationMs / 4) {
      this.end(workspace, id);
      return null;
    }
    if (granted.granted === 0) return new QuotaReservation(0, full, clock, () => undefined);
    return new QuotaReservation(
      granted.granted,
      full,
      clock,
      () => {
        this.end(workspace, id);
      },
      0,
      leftMs,
    );
  }

  private end(workspace: string, id: string): void {
    const waiting = this.over.get(workspace);
    if (waiting) {
      waiting.push(id);
      return;
    }
    this.over.set(workspace, [id]);
    this.deps.clock.after(tellMs, () => {
      const ids = this.over.get(workspace) ?? [];
      this.over.delete(workspace);
      this.tell(workspace, ids, this.deps.clock.elapsed() + reservationMs + commitGraceMs);
    });
  }

  /** Retries until the desk confirms, or until the reservations have expired there by themselves (QuotaDesk.K2). */
  private tell(workspace: string, ids: readonly string[], until: number): void {
    const { ask, clock } = this.deps;
    const request: ReservationsEnded = { type: 'reservationsEnded', ids };
    ask(deskOf(workspace), request, { deadline: clock.elapsed() + askMs }).catch(() => {
      if (clock.elapsed() < until)
        clock.after(tellAgainMs, () => {
          this.tell(workspace, ids, until);
        });
    });
  }
}
