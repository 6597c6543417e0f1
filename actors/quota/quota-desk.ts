/**
 * The monthly quota of a workspace in a cluster, counted at its desk: one gate (quota-gate.ts) counts the open
 * reservations of all processes. The process that holds the desk's shard opens the gate with a commit that records the
 * gate's id at the desk. Whenever a gate reads the sum it also reads that id, and a gate whose id has been replaced
 * grants nothing.
 *
 *  QuotaDesk.K1 At most one gate grants reservations: each grant is based on a read (`since`) at which its gate's id
 *     was the one in the store. Every reservation of an earlier gate is therefore based on a read from before the next
 *     gate's commit, whatever leases, clocks or pauses there were in between.
 *  QuotaDesk.K2 No decision relies on a reservation later than `reservationMs` after its `since`: the holder measures
 *     that from when it sent the request, which was earlier (cluster-quota.ts), and the actor that decides from a
 *     reading of its own clock that the holder had before (Router.R5). After another `commitGraceMs` the
 *     decision either has been stored or never will be, and the reservation ends by itself if its holder has not ended
 *     it.
 *  QuotaDesk.K3 A newly opened gate allows for what earlier gates may still have reserved, up to `maxReserved` for each
 *     of them, for `reservationMs + commitGraceMs`; by then every memory that counts is in the sum. Meanwhile a caller
 *     near the limit is not refused but asked to retry. A gate that has been open for that long says so at the desk,
 *     and the next one allows for this gate alone.
 *  QuotaDesk.K4 Two requests with the same id count as one.
 *
 * Every duration is measured by the monotonic clock of one process, so the wall clocks may differ by any amount: they
 * only say which month it is. All this holds as long as a commit that was already decided takes no longer than
 * `commitGraceMs`. If a process is paused for longer than that between its decision and its commit, and the commit
 * still succeeds, the month may exceed its limit by one: this is the one case that is not caught. On failure: gates,
 * and what they know, are rebuilt; only callers near the limit notice.
 */
import { randomUUID } from 'node:crypto';
import { type HivekeepError, unavailable } from '../../src/domain/errors.js';
import { StoreError } from '../../src/store/port.js';
import { usageCountName } from '../../src/domain/usage.js';
import type { GateRecord, WorkspaceSnapshot } from '../../src/domain/workspace.js';
import {
  deskOf,
  type ReservationsEnded,
  type ReservationGrant,
  type ReservationRequest,
  type QuotaDesk,
} from './port.js';
import { LocalQuota, type QuotaDeps } from './local-quota.js';
import type { QuotaReservation } from './reservation.js';
import { QuotaGate } from './quota-gate.js';
import { storeUnavailable } from '../entities/outages.js';

/** How long decisions may rely on a reservation, and how long such a decision may then take to be stored, ms. */
export const reservationMs = 10_000;
export const commitGraceMs = 30_000;
/** How long a request waits for an exact count, ms. */
const patienceMs = 5_000;
/** The maximum number of requests that wait at a time: the desk has other work, and its message queue is bounded. */
const maxWaiting = 500;

/** How much one gate may have reserved at a time. The next gate has to allow for all of it, so it is kept small. */
export const maxReserved = (limit: number): number => Math.min(100, Math.max(25, Math.floor(limit / 10)));

export interface QuotaDeskDeps extends QuotaDeps {
  /** Has the workspace's desk note that nothing of the gates before this one can be in flight any more. */
  alone: (workspace: string, gate: string) => Promise<unknown>;
  /** Returns a unique id for a gate. Default: a random UUID. */
  uniqueId?: () => string;
}

interface GrantInProgress {
  readonly answer: Promise<ReservationGrant>;
  end(): void;
}

export const gateMoved = (): HivekeepError =>
  unavailable("the workspace's quota is counted by another process now", { details: { reason: 'GateMoved' } });

export class DeskGates extends LocalQuota implements QuotaDesk {
  private readonly grants = new Map<string, GrantInProgress>();
  private waiting = 0;

  constructor(protected override readonly deps: QuotaDeskDeps) {
    super(deps);
  }

  hasGate(workspace: string): boolean {
    return this.gates.has(workspace);
  }

  newGateId(): string {
    return this.deps.uniqueId?.() ?? randomUUID();
  }

  opened(workspace: string, { id, behind }: GateRecord): void {
    if (this.gates.get(workspace)?.id === id) return;
    this.open(workspace, this.gateWith(workspace, id, behind), id);
    if (behind > 0)
      this.deps.clock.after(reservationMs + commitGraceMs, () => {
        this.noteAlone(workspace, id);
      });
  }

  /** QuotaDesk.K3: without this note the next gate allows for more than it has to, near the limit and for a while. */
  private noteAlone(workspace: string, gate: string): void {
    const { alone, log } = this.deps;
    alone(workspace, gate).catch((error: unknown) => {
      log.warn(
        { event: 'quota.gate_not_noted', err: error, workspace },
        'the desk could not note that its gate is alone',
      );
    });
  }

  /** Gates are opened by a commit of the desk, and by nothing else. */
  protected override newGate(): never {
    throw gateMoved();
  }

  private gateWith(workspace: string, id: string, behind: number): QuotaGate {
    const { clock } = this.deps;
    const allowUntil = behind > 0 ? clock.elapsed() + reservationMs + commitGraceMs : -Infinity;
    return new QuotaGate((month) => this.read(workspace, id, usageCountName(month)), clock, {
      maxReserved,
      patienceMs,
      after: (ms, fn) => clock.after(ms, fn),
      confirm: () => this.confirm(workspace, id),
      earlierGates: (limit) => {
        // QuotaDesk.K3
        const forMs = Math.max(0, allowUntil - clock.elapsed());
        return { count: forMs > 0 ? behind * maxReserved(limit) : 0, forMs };
      },
    });
  }

  /** Reads the sum, and rejects if this gate has been replaced (QuotaDesk.K1). */
  private async read(workspace: string, gate: string, name: string): Promise<number> {
    const [sum] = await Promise.all([this.deps.store.exactSum(workspace, name), this.confirm(workspace, gate)]);
    return sum;
  }

  private async confirm(workspace: string, gate: string): Promise<void> {
    const head = await this.deps.store.head(deskOf(workspace));
    if ((head?.snapshot as WorkspaceSnapshot | undefined)?.gate?.id === gate) return;
    if (this.gates.get(workspace)?.id === gate) this.gates.delete(workspace);
    throw gateMoved();
  }

  serve(
    workspace: string,
    request: ReservationRequest,
    reply: { resolve(value: ReservationGrant): void; reject(error: Error): void },
  ): void {
    let served = this.grants.get(request.id);
    if (!served) {
      if (this.waiting >= maxWaiting) {
        reply.reject(unavailable("too many memories wait for the workspace's quota"));
        return;
      }
      this.grants.set(request.id, (served = this.grant(workspace, request)));
    }
    served.answer.then(
      (granted) => {
        reply.resolve(granted);
      },
      (error: unknown) => {
        reply.reject(error instanceof StoreError ? storeUnavailable(error) : (error as Error));
      },
    );
  }

  ended({ ids }: ReservationsEnded): void {
    for (const id of ids) this.grants.get(id)?.end();
  }

  private grant(workspace: string, { id, tier, n }: ReservationRequest): GrantInProgress {
    const { clock } = this.deps;
    const arrived = clock.elapsed();
    let reservation: QuotaReservation | null = null;
    let over = false;
    let cancel = (): void => undefined;
    const end = (): void => {
      over = true;
      cancel();
      if (this.grants.get(id) === served) this.grants.delete(id);
      reservation?.release();
    };
    const taken = async (): Promise<ReservationGrant> => {
      reservation = await this.take({ workspace, tier }, n);
      if (reservation === null) return { granted: n, full: null, fromMs: 0 };
      if (over || reservation.granted === 0) end();
      else cancel = clock.after(Math.max(0, reservation.since + reservationMs + commitGraceMs - clock.elapsed()), end); // QuotaDesk.K2
      return { granted: reservation.granted, full: reservation.full, fromMs: reservation.since - arrived };
    };
    this.waiting++;
    const served: GrantInProgress = {
      end,
      answer: taken().finally(() => {
        this.waiting--;
      }),
    };
    served.answer.catch(end);
    return served;
  }
}
