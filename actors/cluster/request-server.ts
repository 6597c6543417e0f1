/**
 * Serves the requests that other processes send (router.ts): hands each to the actors of its shard, once at a time, and
 * sends the answer. A request that may be too old, or whose shard is not here, is sent back to be sent again.
 */
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { HivekeepError } from '../../src/domain/shared/errors.js';
import type { EntityRef, Shards } from '../../src/store/port.js';
import type { Logger } from '../../src/telemetry/logger-port.js';
import { idempotencyKeyOf } from '../../src/commands/idempotency.js';
import type { LocalActors } from '../entities/local-actors.js';
import { outageOf } from '../entities/outages.js';
import type { ClusterConnection } from './connection.js';
import { type AskMessage, errorWire, lateWire, notOwnerWire, okWire } from './wire-format.js';

/** Looks up the actors of this process by shard. */
export interface LocalShards {
  /** Returns the actors of a shard; null if the shard is not held or is being given up. */
  actorsOf(shard: number): LocalActors | null;
}

interface RequestServerDeps {
  connection: ClusterConnection;
  /** Null for a process that holds no shards. */
  local: LocalShards | null;
  shards: Pick<Shards, 'of'>;
  clock: MonotonicClock;
  log: Pick<Logger, 'error'>;
}

/** The number of other processes, over all time, whose first deliveries are recognised. */
const mostSenders = 10_000;

export class RequestServer {
  /** Requests that are being handled, as `from/id`. */
  private readonly serving = new Set<string>();
  /** The highest number of a request from each process. */
  private readonly highest = new Map<string, number>();
  private readonly counts = { repeatsDropped: 0, late: 0, lagMs: 0 };

  constructor(private readonly deps: RequestServerDeps) {}

  stats(): { repeatsDropped: number; late: number; lagMs: number; serving: number } {
    return { ...this.counts, serving: this.serving.size };
  }

  /** Router.R5. */
  serve(from: string, ask: AskMessage): void {
    const { id, address, sentAt, leftMs, receiverAt } = ask;
    const { local, shards, connection, clock } = this.deps;
    const isNew = this.isHighest(from, id) && ask.sentAfter !== undefined;
    const message = isNew ? sentAfter(ask.message, ask.sentAfter) : ask.message;
    const key = `${from}/${id}`;
    if (this.serving.has(key)) {
      this.counts.repeatsDropped++;
      return;
    }
    this.counts.lagMs += (Math.max(0, clock.now() - sentAt) - this.counts.lagMs) / 16;
    if (receiverAt !== undefined && clock.elapsed() >= receiverAt + leftMs) {
      this.counts.late++;
      connection.send(from, lateWire(id, clock.elapsed()));
      return;
    }
    const here = local?.actorsOf(shards.of(address as EntityRef));
    if (!here?.accepting) {
      connection.send(from, notOwnerWire(id));
      return;
    }
    this.serving.add(key);
    here
      .ask(address, message)
      .then(
        (value) => okWire(id, value, clock.elapsed()),
        (error: unknown) => {
          if (!(error instanceof HivekeepError) && outageOf(error) === null)
            this.deps.log.error(
              { event: 'command.failed', err: error, address },
              'a command from another process failed',
            );
          return isEnded(error, here) ? notOwnerWire(id) : errorWire(id, error);
        },
      )
      .then((wire) => {
        this.serving.delete(key);
        connection.send(from, wire);
      })
      .catch((error: unknown) => {
        this.deps.log.error(
          { event: 'command.answer_failed', err: error, address },
          'the answer to a command could not be sent',
        );
      });
  }

  /** Router.R6. A number is never forgotten, because what it was compared with may still be repeated. */
  private isHighest(from: string, id: number): boolean {
    const before = this.highest.get(from);
    if (before === undefined && this.highest.size >= mostSenders) return false;
    if (before !== undefined && id <= before) return false;
    this.highest.set(from, id);
    return true;
  }
}

function sentAfter(message: unknown, sentAfter: number | undefined): unknown {
  const idempotencyKey = idempotencyKeyOf(message);
  return idempotencyKey ? { ...(message as object), idempotencyKey: { ...idempotencyKey, sentAfter } } : message;
}

/**
 * Whether the request failed because the actors of its shard were stopped, handed over or lost. The shard's next owner
 * then carries it out, and can tell what was already done. Any other error is the actual answer, and stands.
 */
export const isEnded = (error: unknown, asked: LocalActors): boolean =>
  error instanceof HivekeepError && error.code === 'UNAVAILABLE' && !asked.accepting;
