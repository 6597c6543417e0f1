/**
 * Requests that may be sent again. One that carries an idempotency key takes effect once, and a repeat of it is
 * answered with the result of the first.
 *
 * Invariants
 *  Idempotency.Y1 The record of a request is part of the commit that makes it take effect, so neither exists without
 *     the other.
 *  Idempotency.Y2 A request whose commit is in progress is not decided again: a repeat waits for the outcome of the
 *     first, for as long as its client does.
 *  Idempotency.Y3 The same key with a different body is refused and changes nothing.
 *  Idempotency.Y4 A record is not looked for where it cannot be: the request is delivered for the first time, and was
 *     sent after the entity was loaded. Whoever commits it elsewhere meanwhile makes this activation's commit a
 *     conflict (Store.P1), after which the entity is loaded, and the record looked for. Nor is it looked for where the
 *     request was the first to claim its key.
 *
 * A refused request leaves no record in the entity that refused it: when it is sent again, it is decided again. What
 * was reserved or claimed for it in the workspace's name stays, together with the hash of its
 * body. The store keeps the first claim of a key, so neither needs an actor, and no process that is away delays them.
 */
import { HivekeepError } from '../domain/shared/errors.js';

export const idempotencyMismatch = (): HivekeepError =>
  new HivekeepError(
    'IDEMPOTENCY_MISMATCH',
    'this Idempotency-Key was used with another body, or by a token with other scopes',
  );

/** Identifies a request to any entity. */
export interface IdempotencyKey {
  /** Made of who sends the request and the name that the client gave it. */
  id: string;
  /** The hash of the body. A different hash under the same id is a mistake of the client. */
  bodyHash: string;
  /** The id under which the request is claimed in the workspace's name, because its body names the entity. */
  claims?: string;
  /** How long the record is kept, in ms, if that is not `idempotencyRecordMs`. */
  keptMs?: number;
  /**
   * For the first delivery of a request that has never been sent before: a time by the `elapsed` of the process that
   * handles it, not after the sending (Idempotency.Y4).
   */
  sentAfter?: number;
}

/** How long an idempotency record is kept, in ms. A client may repeat a request for 24 h; the record is kept longer. */
export const idempotencyRecordMs = 25 * 3600 * 1000;

/**
 * How long the receiver keeps the record of an outbox message, in ms. Such a message is refused after 7 days; the
 * record is kept longer.
 */
export const deliveryRecordMs = 8 * 24 * 3600 * 1000;

/** The answer to a repeated request: the result of the first. */
export class ReplayedAnswer {
  constructor(readonly result: unknown) {}
}

export const idempotencyKeyOf = (request: unknown): IdempotencyKey | undefined =>
  (request as { idempotencyKey?: IdempotencyKey }).idempotencyKey;

/**
 * The key whose record says that something was deleted, so that what an agent still delivers of it comes too late:
 * in a hive the agent itself, whose shares are refused; in an agent a message of its mailbox, which is not taken again.
 */
export const goneKey = (id: string, keptMs = deliveryRecordMs): IdempotencyKey => ({
  id: `gone_${id}`,
  bodyHash: '',
  keptMs,
});

/**
 * How long a record is kept, in ms, of what only processes send again to each other: longer than they do so.
 */
export const resentRecordMs = 15 * 60_000;
