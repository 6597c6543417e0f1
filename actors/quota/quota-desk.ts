/**
 * The monthly quota of a workspace in a cluster, at its desk: one gate (quota-gate.ts) counts what all processes have
 * under way. Who holds the desk's shard opens it with a commit of the desk that names it; each look of a gate reads
 * that name beside the sum, and a gate whose name is not there any more grants nothing.
 *
 *  QuotaDesk.K1 At most one gate grants: what was granted rests on a look (`since`) at which its gate's name stood in
 *     the store. So every place of an earlier gate dates from before the next one's commit, whatever leases, clocks or
 *     pauses there were in between.
 *  QuotaDesk.K2 Nothing is decided on a place later than `placeMs` after its `since`: its holder counts from when it
 *     asked, which was before (cluster-quota.ts). What is decided is stored, or never will be, `landMs` later: then the
 *     place ends by itself, if its holder has not ended it.
 *  QuotaDesk.K3 An opened gate reckons with what those before it may have under way, `atOnce` places each, for `placeMs
 *     + landMs`: by then all that counts is in the sum. Nobody near the limit is refused meanwhile, but told to come
 *     again.
 *  QuotaDesk.K4 Asking twice under one id is asking once.
 *
 * Holds as long as clocks are no further apart, and decided commits no longer on their way, than `landMs` in all. A
 * process that is stopped between its decision and its commit for longer than that, and whose commit is taken
 * nevertheless, may bring the month one over its limit: the one case that is not caught. When it fails: gates, and what
 * they know, are made anew; only who is near the limit notices.
 */
import { randomUUID } from 'node:crypto';
import { type HivekeepError, unavailable } from '../../src/domain/errors.js';
import { StoreError } from '../../src/store/port.js';
import { usageCountName } from '../../src/domain/usage.js';
import type { GateRecord, WorkspaceSnapshot } from '../../src/domain/workspace.js';
import {
  deskOf,
  LocalQuota,
  type QuotaReservation,
  type ReservationsEnded,
  type ReservationGrant,
  type ReservationRequest,
  type QuotaDesk,
  type QuotaDependencies,
} from './local-quota.js';
import { QuotaGate } from './quota-gate.js';
import { storeUnavailable } from '../entities/outages.js';

/** For so long something may be decided on a place, and so long what was decided may take to be stored, ms. */
export const reservationMs = 10_000;
export const commitGraceMs = 30_000;
/** Clocks of processes may be so far apart where only the wall clock tells who was first, ms. */
const skewMs = 120_000;
/** So long a request waits for an exact count, ms. */
const patienceMs = 5_000;
/** So many requests wait at a time: the desk has other things to do, and a bounded inbox. */
const maxWaiting = 500;
const spareGates = 10_000;

/** Places of one gate that may be under way: what a gate after it has to reckon with, so no more than is of use. */
export const maxReserved = (limit: number): number => Math.min(100, Math.max(25, Math.floor(limit / 10)));

export interface QuotaDeskDependencies extends Omit<QuotaDependencies, 'newGate'> {
  /** Milliseconds that never go back. */
  elapsed: () => number;
  /** Names a gate. Default: random. */
  uniqueId?: () => string;
}

interface OpenGate {
  readonly record: GateRecord;
  readonly at: number;
}
interface GrantInProgress {
  readonly answer: Promise<ReservationGrant>;
  end(): void;
}

export const gateMoved = (): HivekeepError =>
  unavailable("the workspace's quota is counted by another process now", { details: { reason: 'GateMoved' } });

export class DeskGates implements QuotaDesk {
  private readonly gates = new Map<string, OpenGate>();
  private readonly grants = new Map<string, GrantInProgress>();
  private readonly local: LocalQuota;
  private waiting = 0;

  constructor(private readonly parts: QuotaDeskDependencies) {
    this.local = new LocalQuota({ ...parts, newGate: (workspace) => this.gateOf(workspace) });
  }

  hasGate(workspace: string): boolean {
    return this.gates.has(workspace);
  }

  newGate(): { id: string; recentMs: number } {
    return { id: this.parts.uniqueId?.() ?? randomUUID(), recentMs: reservationMs + commitGraceMs + skewMs };
  }

  opened(workspace: string, record: GateRecord): void {
    if (this.gates.get(workspace)?.record.id === record.id) return;
    if (this.gates.size >= spareGates)
      for (const oldest of this.gates.keys()) {
        this.close(oldest);
        break;
      }
    this.close(workspace);
    this.gates.set(workspace, { record, at: this.parts.elapsed() });
  }

  private close(workspace: string): void {
    this.gates.delete(workspace);
    this.local.forget(workspace);
  }

  private gateOf(workspace: string): QuotaGate {
    const { clock, elapsed } = this.parts;
    const opened = this.gates.get(workspace);
    return new QuotaGate(
      (month) => this.read(workspace, opened, usageCountName(month)),
      () => clock.now(),
      {
        elapsed,
        maxReserved,
        patienceMs,
        after: (ms, fn) => clock.after(ms, fn),
        earlierGates: (limit) => {
          // QuotaDesk.K3
          const left = opened ? opened.at + reservationMs + commitGraceMs - elapsed() : 0;
          return left > 0
            ? { count: (opened?.record.behind ?? 0) * maxReserved(limit), forMs: opened?.record.behind ? left : 0 }
            : { count: 0, forMs: 0 };
        },
      },
    );
  }

  /** QuotaDesk.K1. */
  private async read(workspace: string, opened: OpenGate | undefined, name: string): Promise<number> {
    const { store } = this.parts;
    const [head, sum] = await Promise.all([store.head(deskOf(workspace)), store.sum(workspace, name)]);
    if (opened && (head?.snapshot as WorkspaceSnapshot | undefined)?.gate?.id === opened.record.id) return sum;
    if (this.gates.get(workspace) === opened) this.close(workspace);
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
    const { clock, elapsed } = this.parts;
    const arrived = elapsed();
    let place: QuotaReservation | null = null;
    let over = false;
    let cancel = (): void => undefined;
    const end = (): void => {
      over = true;
      cancel();
      if (this.grants.get(id) === served) this.grants.delete(id);
      place?.release();
    };
    const taken = async (): Promise<ReservationGrant> => {
      place = await this.local.take({ workspace, tier }, n);
      if (place === null) return { granted: n, full: null, fromMs: 0 };
      if (over || place.granted === 0) end();
      else cancel = clock.after(Math.max(0, place.since + reservationMs + commitGraceMs - elapsed()), end); // QuotaDesk.K2
      return { granted: place.granted, full: place.full, fromMs: place.since - arrived };
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
