/** The port of the actor runtime: what it offers (system.ts), and what it requires of an actor. */

export type ActorKind = 'workspace' | 'hive' | 'agent' | 'run';
export interface Address {
  readonly workspace: string;
  readonly kind: ActorKind;
  readonly id: string;
}

/**
 * Returns a string that is different for different addresses, whatever their ids contain. Kinds contain no slash and
 * the id comes last, so only the workspace is escaped.
 */
export const addressKey = (a: Address): string =>
  `${/[/%]/.test(a.workspace) ? a.workspace.replaceAll('%', '%25').replaceAll('/', '%2F') : a.workspace}/${a.kind}/${a.id}`;

/**
 * Answers the asker of one message exactly once; later calls are ignored. An actor may keep the reply and answer after
 * its commit. Until then the actor does not passivate, and the message counts against the actor's queue bound. Asks
 * that an activation has not answered when it is dropped are answered UNAVAILABLE right after `dropped`.
 */
export interface Reply {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The context of one activation. Once the activation has ended, its methods have no effect. */
export interface ActorContext<M> {
  readonly address: Address;
  /**
   * Sends a message to this actor itself, exempt from the queue bound, so that results of its own work (a step, a
   * timer) are never refused.
   */
  self(message: M): void;
  /**
   * Starts a child actor under this one in the supervision tree. The child stops when its parent stops, and the parent
   * does not passivate while the child lives. After a crash the same behaviour is activated again, so `activate` must
   * reset it. Throws if a child of that address is alive.
   */
  spawn<C>(address: Address, behavior: Behavior<C>): ChildRef<C>;
  /**
   * Declares the actor's state untrustworthy: when the handler in progress has ended, the actor is dropped and loaded
   * again, and `unanswered` messages are handled first, in this order. Each must carry the reply that `receive` got
   * with it. Not a crash, and without backoff.
   */
  restart(reason: Error, unanswered: readonly Envelope<M>[]): void;
}

export interface ChildRef<C> {
  /** Sends a message to the child. It is never refused, because the parent limits what it sends. */
  tell(message: C): void;
  /**
   * Stops the child once its handler in progress has ended: queued messages are dropped, then the behaviour's `dropped`
   * is called.
   */
  stop(): void;
}

export interface Envelope<M> {
  readonly message: M;
  readonly reply: Reply;
}

/** A child has crashed: it restarts after a backoff or, if it crashed too often, is stopped for good. */
export interface ChildFailure {
  readonly address: Address;
  readonly error: Error;
  readonly stopped: boolean;
}

/**
 * The behaviour of one activation, from activation to passivation, crash or stop. The runtime calls one method at a
 * time, and awaits a returned promise before it handles anything else for this actor.
 */
export interface Behavior<M> {
  /**
   * Loads what is needed. A rejection answers every waiting message with that error, and the next message tries again
   * after the backoff.
   */
  activate(context: ActorContext<M>): void | Promise<void>;
  /**
   * Throwing is a crash: the asker gets the error and the activation is dropped. To refuse a message, answer its reply
   * with an error.
   */
  receive(message: M, reply: Reply, context: ActorContext<M>): void | Promise<void>;
  /** Called in order with the messages, for each crash of a child of this activation. */
  childFailed?(failure: ChildFailure, context: ActorContext<M>): void | Promise<void>;
  /**
   * Whether this actor may be unloaded when idle. False while it has work of its own (a run in progress, a commit in
   * flight).
   */
  idle(): boolean;
  /**
   * The last call of a passivation or a drained stop: commit pending decisions. Messages that arrive meanwhile are
   * served by the next activation.
   */
  passivate(): void | Promise<void>;
  /**
   * The activation is dropped without passivation (crash, restart, stop past its grace time): abort work that runs
   * beside it. Must not throw.
   */
  dropped(reason: Error): void;
}
