/**
 * The monthly quota in a process of a cluster. Reservations are requested from the workspace's desk, wherever it lives,
 * whose process counts them (quota-desk.ts: QuotaDesk.K1-K4), and are ended there when their work is done.
 *
 *  ClusterQuota.H1 The lifetime of a reservation starts at the sum that it is based on, measured from when it was
 *     requested, which is never later than when it was granted: a holder that was paused meanwhile knows that its time
 *     is over (ReservationLifetime.leftMs), and its requests carry the deadline to whoever decides.
 *  ClusterQuota.H2 Reservations whose outcome is known are ended soon; others expire, at a time when they can no longer
 *     have an effect.
 * An unlimited tier needs no reservations. On failure: if the desk does not answer in time, the request rejects with
 * UNAVAILABLE and nothing was changed.
 */
import { HivekeepError } from '../../src/domain/errors.js';
import { monthlyLimit } from '../../src/domain/usage.js';
import { type MaybePromise, thenSync } from '../../src/maybe-promise.js';
import {
  deskOf,
  QuotaReservation,
  type ReservationsEnded,
  type ReservationGrant,
  type ReservationRequest,
  type Quota,
  tierOf,
  type QuotaSubject,
} from './local-quota.js';
import { DeskGates, commitGraceMs, reservationMs, type QuotaDeskDependencies } from './quota-desk.js';
import type { EntityDependencies } from '../entities/dependencies.js';

export interface ClusterQuotaDependencies extends Omit<QuotaDeskDependencies, 'elapsed'> {
  /** This process, by a name that no other ever has. */
  self: string;
  ask: EntityDependencies['ask'];
  /** Milliseconds that never go back. Default: of the process. */
  elapsed?: () => number;
}

/** So long a desk is asked, wherever it moves meanwhile, ms. */
const askMs = 20_000;
/** So often, when the gate has moved or the answer came too late to be of use. */
const maxTries = 4;
/** Ended places are told together, so often, and again where that fails, ms. */
const tellMs = 1;
const tellAgainMs = 1_000;

export class ClusterQuota implements Quota {
  readonly desk: DeskGates;
  private readonly elapsed: () => number;
  private readonly over = new Map<string, string[]>();
  private last = 0;

  constructor(private readonly parts: ClusterQuotaDependencies) {
    this.elapsed = parts.elapsed ?? (() => performance.now());
    this.desk = new DeskGates({
      store: parts.store,
      clock: parts.clock,
      log: parts.log,
      alert: parts.alert,
      elapsed: this.elapsed,
      ...(parts.uniqueId && { uniqueId: parts.uniqueId }),
    });
  }

  take(whose: QuotaSubject, n: number): Promise<QuotaReservation> | null {
    return monthlyLimit(whose.tier) === null ? null : this.reserve(whose, n);
  }

  takeFor(workspace: string, n: number): MaybePromise<QuotaReservation | null> {
    return thenSync(tierOf(this.parts.store, workspace), (tier) => (tier ? this.take({ workspace, tier }, n) : null));
  }

  private async reserve(whose: QuotaSubject, n: number): Promise<QuotaReservation> {
    for (let tries = 1; ; tries++) {
      const place = await this.askDesk(whose, n, tries < maxTries);
      if (place) return place;
    }
  }

  /** Null where asking again helps. */
  private async askDesk(
    { workspace, tier }: QuotaSubject,
    n: number,
    again: boolean,
  ): Promise<QuotaReservation | null> {
    const { clock, ask, self } = this.parts;
    const id = `${self}/${++this.last}`;
    const sent = this.elapsed();
    const request: ReservationRequest = { type: 'places', id, tier, n };
    let granted: ReservationGrant;
    try {
      granted = (await ask(deskOf(workspace), request, { deadline: clock.now() + askMs })) as ReservationGrant;
    } catch (error) {
      this.end(workspace, id); // it may have been granted
      if (again && error instanceof HivekeepError && error.details['reason'] === 'GateMoved') return null;
      throw error;
    }
    const { fromMs, full } = granted;
    const leftMs = (): number => sent + fromMs + reservationMs - this.elapsed(); // ClusterQuota.H1
    // the desk was long in coming: its answer has hardly any time left
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
      { leftMs },
    );
  }

  private end(workspace: string, id: string): void {
    const waiting = this.over.get(workspace);
    if (waiting) {
      waiting.push(id);
      return;
    }
    this.over.set(workspace, [id]);
    this.parts.clock.after(tellMs, () => {
      const ids = this.over.get(workspace) ?? [];
      this.over.delete(workspace);
      this.tell(workspace, ids, this.elapsed() + reservationMs + commitGraceMs);
    });
  }

  /** Until it is heard, or would say nothing new (QuotaDesk.K2). */
  private tell(workspace: string, ids: readonly string[], until: number): void {
    const { ask, clock } = this.parts;
    const request: ReservationsEnded = { type: 'placesEnded', ids };
    ask(deskOf(workspace), request, { deadline: clock.now() + askMs }).catch(() => {
      if (this.elapsed() < until)
        clock.after(tellAgainMs, () => {
          this.tell(workspace, ids, until);
        });
    });
  }
}
