/** What the actor runtime offers (system.ts) and what it asks of an actor. */

export type ActorKind = 'workspace' | 'hive' | 'agent' | 'run';
export interface Address {
  readonly workspace: string;
  readonly kind: ActorKind;
  readonly id: string;
}

/** One string for an address, different for different addresses whatever the ids hold: kinds have no slash, the id comes last, so only the workspace is escaped. */
export const addressKey = (a: Address): string =>
  `${/[/%]/.test(a.workspace) ? a.workspace.replaceAll('%', '%25').replaceAll('/', '%2F') : a.workspace}/${a.kind}/${a.id}`;

/**
 * Answers the asker of one message: exactly once, later calls are ignored. An actor may keep it and answer after its
 * commit; until then the actor does not passivate, and the message counts against the actor's bound. What an
 * activation has not answered when it is dropped is answered UNAVAILABLE right after `dropped`.
 */
export interface Reply {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Belongs to one activation: when that is over, every method is without effect. */
export interface ActorContext<M> {
  readonly address: Address;
  /** Sends to this actor itself, past the queue bound: what an actor owes itself (a step's result, a timer) is never refused. */
  self(message: M): void;
  /**
   * Starts a child actor under this one in the supervision tree; it stops when its parent stops, and while it lives its
   * parent does not passivate. After a crash the same behaviour is activated again, so `activate` must start afresh.
   * Throws where a child of that address lives.
   */
  spawn<C>(address: Address, behavior: Behavior<C>): ChildRef<C>;
  /**
   * Tells the runtime that the actor's state is no longer to be trusted: when the handler in flight has ended it is
   * dropped and loaded again, `unanswered` messages are then handled first, in this order. Each must carry the reply
   * that `receive` was given with it. No crash, no backoff.
   */
  restart(reason: Error, unanswered: readonly Envelope<M>[]): void;
}

export interface ChildRef<C> {
  /** Never refused: what a parent owes its child is bounded by the parent. */
  tell(message: C): void;
  /** At once, once the handler in flight has ended: what waits in its queue is dropped, then the behaviour's `dropped` is called. */
  stop(): void;
}

export interface Envelope<M> {
  readonly message: M;
  readonly reply: Reply;
}

/** A child has crashed: it starts again after a backoff, or, when it crashed too often, is stopped for good. */
export interface ChildFailure {
  readonly address: Address;
  readonly error: Error;
  readonly stopped: boolean;
}

/**
 * One activation of an actor, from activation to passivation, crash or stop. The runtime calls one method at a time,
 * and waits for a returned promise before it handles anything else for this actor.
 */
export interface Behavior<M> {
  /** Loads what is needed; a rejection answers every waiting message with that error, and the next message tries again after the backoff. */
  activate(context: ActorContext<M>): void | Promise<void>;
  /** Throwing is a crash: the asker is answered with the error, the activation dropped, see supervision. To refuse a message, answer its reply with an error. */
  receive(message: M, reply: Reply, context: ActorContext<M>): void | Promise<void>;
  /** Told in turn with the messages, for each crash of a child of this activation. */
  childFailed?(failure: ChildFailure, context: ActorContext<M>): void | Promise<void>;
  /** May this actor be dropped when idle? False while it has work of its own (a run in progress, a commit in flight). */
  idle(): boolean;
  /** The last call of a passivation or a drained stop: finish what is decided. Messages that arrive meanwhile are served by the next activation. */
  passivate(): void | Promise<void>;
  /** The activation is dropped without passivation (crash, restart, stop past its grace time): abort what runs beside it. Must not throw. */
  dropped(reason: Error): void;
}
