/**
 * Sends requests to an entity's actor wherever it lives in the cluster: in this process, or over the transport in the
 * process that holds its shard. The sender keeps every request until it is answered. The receiver's part of the rules
 * is in request-server.ts.
 *
 *  - Every ask is answered once: by the actor, or with UNAVAILABLE when its time is over. No admitted request is
 *    dropped.
 *  - A request is resent under the same id when its shard moves, when its target is gone or reports that it does not
 *    hold the shard, and after a timeout. A transport that loses messages therefore costs only time.
 *  Router.R3 A request with side effects gets an idempotency key before it leaves the process (idempotency.ts): however
 *     often it arrives, and at whichever owner, it takes effect once, and repeats get the same result. What nobody else
 *     repeats is recorded for minutes only.
 *  - At most `maxUnanswered` requests and `maxBytes` of them wait for one owner, wherever they are; further ones are
 *    refused at once (test/model: admit 'unanswered').
 *  Router.R5 A receiver never handles the same request twice concurrently, nor one that its sender has given up. It
 *     judges by its own monotonic clock, never by another's: a request says how long its sender will wait, and what
 *     this clock showed in the latest answer that the sender had. It was sent after that answer, so before the sum of
 *     the two its sender has not given it up. After the sum it may have: it is told what the clock shows, and sends the
 *     request again if it still waits. Where the sender has had no answer yet, a request may be handled after its
 *     sender gave up, and takes effect once (Router.R3).
 *  Router.R6 A request is marked as sent for the first time (IdempotencyKey.sentAfter) only where it is: by its sender,
 *     and by the receiver only if it has a higher number than all requests that it has got from this sender, so that
 *     neither a repeat by the transport nor what was overtaken by one passes for a first delivery.
 * On failure: requests that a lost process had not answered are sent to the shard's next owner; requests of a sender
 * that died are retried by its clients.
 */
import { type Backoff, type MonotonicClock, backoffMs } from '../../src/domain/shared/clock.js';
import type { Placement } from '../../src/cluster/placement.js';
import type { EntityRef, Shards } from '../../src/store/port.js';
import { unavailable } from '../../src/domain/shared/errors.js';
import { isRepeatable, patienceMs } from '../entities/ask.js';
import {
  type IdempotencyKey,
  idempotencyKeyOf,
  ReplayedAnswer,
  resentRecordMs,
} from '../../src/commands/idempotency.js';
import type { Address } from '../runtime/port.js';
import { sizeOf } from '../../src/domain/workspace/usage.js';
import { type ClusterConnection, type ConnectionUser, shuttingDown } from './connection.js';
import { isEnded, type LocalShards, RequestServer } from './request-server.js';
import { type Answer, askWire, type WireMessage, wireForm } from './wire-format.js';
import type { Logger } from '../../src/telemetry/logger-port.js';

/** Statistics of the requests between processes since the start. */
export interface RouterStats {
  sent: number;
  resent: number;
  notOwner: number;
  repeatsDropped: number;
  late: number;
  unanswered: number;
  serving: number;
  lagMs: number;
}

export interface RouterDeps {
  placement: Placement;
  connection: ClusterConnection;
  /** Null for a process that holds no shards. */
  local: LocalShards | null;
  shards: Pick<Shards, 'of'>;
  clock: MonotonicClock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Returns a new idempotency key. */
  newIdempotencyKey(): string;
  /** For tests. */
  tuning?: Partial<RouterTuning>;
}

/** Limits on the requests that wait for one owner. */
export interface RouterTuning {
  maxUnanswered: number;
  maxBytes: number;
}

const usualTuning: RouterTuning = { maxUnanswered: 10_000, maxBytes: 64 * 1024 * 1024 };

/** How long to wait for requests that have no patience of their own, ms. */
const usualMs = 60_000;
/**
 * The time without an answer after which a request is first resent, ms. It doubles each time, up to the second value.
 */
const resend: Backoff = { firstMs: 2_000, longestMs: 10_000 };
/** The interval at which pending requests are checked, ms. */
const lookMs = 100;

interface PendingRequest {
  readonly id: number;
  readonly shard: number;
  readonly address: Address;
  readonly message: unknown;
  /** The router added the idempotency key, so the caller expects a plain result and not a ReplayedAnswer. */
  readonly named: boolean;
  readonly deadline: number;
  readonly bytes: number;
  /** The load that this request counts towards: that of the owner at admission, or of no owner. */
  load: Load;
  /** The owner that the request was sent to, and the epoch of that owner; null while the request waits for an owner. */
  to: string | null;
  epoch: number;
  /** When the request is resent next. */
  nextAt: number;
  /** How often it was sent since it last had an answer. */
  tries: number;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface Load {
  count: number;
  bytes: number;
}

export class Router implements ConnectionUser {
  private readonly pending = new Map<number, PendingRequest>();
  private readonly server: RequestServer;
  private readonly loads = new Map<string, Load>();
  /** The latest reading that each process has sent of its monotonic clock. */
  private readonly readings = new Map<string, number>();
  private readonly counts = { sent: 0, resent: 0, notOwner: 0 };
  private readonly tuning: RouterTuning;
  private readonly stopListening: () => void;
  private cancelLook: (() => void) | null = null;
  private closed = false;

  constructor(private readonly deps: RouterDeps) {
    this.tuning = { ...usualTuning, ...deps.tuning };
    this.server = new RequestServer(deps);
    this.stopListening = deps.placement.onChange(() => {
      this.onPlacementChange();
    });
    deps.connection.attach(this);
  }

  stats(): RouterStats {
    return { ...this.counts, ...this.server.stats(), unanswered: this.pending.size };
  }

  ask(address: Address, message: unknown): Promise<unknown> {
    if (this.closed) return Promise.reject(shuttingDown());
    const shard = this.deps.shards.of(address as EntityRef);
    const here = this.deps.local?.actorsOf(shard);
    if (!here?.accepting) return this.remote(shard, address, message);
    const asked = here.ask(address, message);
    if (idempotencyKeyOf(message) === undefined && !isRepeatable(address, message)) return asked;
    return asked.catch((error: unknown) => {
      if (!isEnded(error, here)) throw error;
      return this.remote(shard, address, message);
    });
  }

  private remote(shard: number, address: Address, message: unknown): Promise<unknown> {
    const owner = this.deps.placement.ownerOf(shard);
    const load = this.loadOf(owner?.instance ?? '');
    const bytes = 500 + sizeOf(wireForm(message));
    const { clock } = this.deps;
    const now = clock.elapsed();
    if (load.count >= this.tuning.maxUnanswered || load.bytes + bytes > this.tuning.maxBytes)
      return Promise.reject(
        unavailable(
          owner
            ? 'too many requests wait for the process that serves this'
            : 'too many requests wait for a process that serves this',
          { details: { reason: 'TooManyWaiting' } },
        ),
      );
    const idempotencyKey = idempotencyKeyOf(message);
    const named = idempotencyKey === undefined && !isRepeatable(address, message);
    const sent = named
      ? {
          ...(message as object),
          idempotencyKey: {
            id: this.deps.newIdempotencyKey(),
            bodyHash: '',
            keptMs: resentRecordMs,
          } satisfies IdempotencyKey,
        }
      : message;
    return new Promise((resolve, reject) => {
      const one: PendingRequest = {
        id: this.deps.connection.nextId(),
        shard,
        address,
        message: sent,
        named,
        deadline: now + (patienceMs(message) ?? usualMs),
        bytes,
        load,
        to: null,
        epoch: -1,
        nextAt: 0,
        tries: 0,
        resolve,
        reject,
      };
      load.count++;
      load.bytes += bytes;
      this.pending.set(one.id, one);
      this.dispatch(one);
      this.scheduleCheck();
    });
  }

  private loadOf(instance: string): Load {
    let load = this.loads.get(instance);
    if (!load) {
      for (const [other, { count }] of this.loads) if (count === 0) this.loads.delete(other);
      this.loads.set(instance, (load = { count: 0, bytes: 0 }));
    }
    return load;
  }

  /** Sends the request to the current owner of its shard; it waits if there is none. */
  private dispatch(one: PendingRequest): void {
    const { placement, connection, clock } = this.deps;
    const owner = placement.ownerOf(one.shard);
    const now = clock.elapsed();
    if (owner === null) {
      one.to = null;
      placement.refresh();
      return;
    }
    if (owner.instance === connection.self) {
      this.deliverLocally(one);
      return;
    }
    const isFirst = one.to === null && one.nextAt === 0;
    if (isFirst) this.counts.sent++;
    else this.counts.resent++;
    const reading = this.readings.get(owner.instance);
    one.to = owner.instance;
    one.epoch = owner.epoch;
    one.nextAt = now + backoffMs(resend, ++one.tries);
    connection.send(
      owner.instance,
      askWire({
        id: one.id,
        address: one.address,
        message: one.message,
        sentAt: clock.now(),
        leftMs: Math.floor(one.deadline - now),
        receiverAt: reading,
        sentAfter: isFirst && one.named ? reading : undefined,
      }),
    );
  }

  /**
   * Delivers a request whose shard has moved to this process while it waited. The request carries an id, so any effect
   * that it already had under an earlier owner is found.
   */
  private deliverLocally(one: PendingRequest): void {
    const here = this.deps.local?.actorsOf(one.shard);
    if (!here?.accepting) {
      one.to = null;
      this.deps.placement.refresh();
      return;
    }
    one.to = this.deps.connection.self;
    one.nextAt = Infinity;
    here.ask(one.address, one.message).then(
      (value) => {
        this.settle(one.id, value);
      },
      (error: unknown) => {
        if (isEnded(error, here)) {
          one.to = null;
          one.nextAt = 0;
        } else this.fail(one.id, error as Error);
      },
    );
  }

  private settle(id: number, value: unknown): void {
    const one = this.take(id);
    if (one) one.resolve(one.named && value instanceof ReplayedAnswer ? value.result : value);
  }

  private fail(id: number, error: Error): void {
    this.take(id)?.reject(error);
  }

  private take(id: number): PendingRequest | undefined {
    const one = this.pending.get(id);
    if (!one) return undefined;
    this.pending.delete(id);
    one.load.count--;
    one.load.bytes -= one.bytes;
    return one;
  }

  /** Dispatches every request that waits for an owner, or that was sent to a process that no longer is the owner. */
  private onPlacementChange(): void {
    const { placement, connection } = this.deps;
    for (const one of this.pending.values()) {
      const owner = placement.ownerOf(one.shard);
      if (owner && one.to !== connection.self && (owner.instance !== one.to || owner.epoch !== one.epoch))
        this.dispatch(one);
    }
  }

  private scheduleCheck(): void {
    this.cancelLook ??= this.deps.clock.after(lookMs, () => {
      this.cancelLook = null;
      const now = this.deps.clock.elapsed();
      for (const one of [...this.pending.values()]) {
        if (now >= one.deadline)
          this.fail(
            one.id,
            unavailable('there was no answer in time; the command may have taken effect', {
              details: { reason: 'OutcomeUnknown' },
            }),
          );
        else if (now >= one.nextAt) this.dispatch(one);
      }
      if (this.pending.size > 0) this.scheduleCheck();
    });
  }

  received(from: string, message: WireMessage): boolean {
    switch (message.kind) {
      case 'ask':
        this.server.serve(from, message);
        return true;
      case 'search':
        return false;
      default:
        return this.answered(from, message);
    }
  }

  private answered(from: string, answer: Answer): boolean {
    if (!this.pending.has(answer.id)) return false;
    switch (answer.kind) {
      case 'ok':
        if (answer.answeredAt !== undefined) this.noteReading(from, answer.answeredAt);
        this.settle(answer.id, answer.value);
        break;
      case 'error':
        this.fail(answer.id, answer.error);
        break;
      case 'elsewhere':
        this.onNotOwner(answer.id);
        break;
      case 'late':
        this.noteReading(from, answer.answeredAt);
        this.onLate(answer.id);
        break;
      default:
        answer satisfies never;
    }
    return true;
  }

  private noteReading(from: string, answeredAt: number): void {
    this.readings.set(from, Math.max(answeredAt, this.readings.get(from) ?? -Infinity));
  }

  /** Sends the request again with the reading that came with this answer, unless its time is over (Router.R5). */
  private onLate(id: number): void {
    const one = this.pending.get(id);
    if (one && one.to !== this.deps.connection.self && this.deps.clock.elapsed() < one.deadline) this.dispatch(one);
  }

  /** The target does not hold the shard: the request waits until the placement changes, or for `lookMs`. */
  private onNotOwner(id: number): void {
    const one = this.pending.get(id);
    if (!one) return;
    this.counts.notOwner++;
    one.nextAt = this.deps.clock.elapsed() + lookMs;
    one.tries = 0;
    one.to = null;
    one.epoch = -1;
    this.deps.placement.refresh();
  }

  gone(instance: string): void {
    this.readings.delete(instance);
    for (const one of this.pending.values()) if (one.to === instance) this.onNotOwner(one.id);
  }

  /** Refuses new requests and rejects the pending ones. */
  close(): void {
    this.closed = true;
    this.stopListening();
    this.cancelLook?.();
    for (const { id } of [...this.pending.values()]) this.fail(id, shuttingDown());
  }
}
