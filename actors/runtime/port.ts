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
   * Starts a child under this actor in the supervision tree: work that begins in a turn of its own, and goes on beside
   * the messages of this actor. It is stopped when this activation ends, and until it is over the actor does not
   * passivate. Throws if a child of that address is at work.
   */
  spawn(address: Address, work: Work): Child;
  /**
   * Declares the actor's state untrustworthy: when the handler in progress has ended, the actor is dropped and loaded
   * again, and `unanswered` messages are handled first, in this order, each as `receive` got it. Not a crash, and
   * without backoff.
   */
  restart(reason: Error, unanswered: readonly Asked<M>[]): void;
}

/** The work of a child. */
export interface Work {
  /** Called once. A rejection is a fault, and ends the child as a resolution does. */
  begin(): Promise<void>;
  /** Called at most once, and never when the work is over: whatever it still does is nobody's business any more. */
  stop(reason: string): void;
}

export interface Child {
  /** Has no effect when the work is over. */
  stop(reason: string): void;
}

/** A message as its actor receives it, with the answer to its asker, if it has one. */
export interface Asked<M> extends Reply {
  readonly message: M;
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
   * Throwing is a crash: the asker gets the error and the activation is dropped. To refuse a message, reject it.
   */
  receive(asked: Asked<M>): void | Promise<void>;
  /**
   * The hives whose supervisors are between the workspace's supervisor and this actor, outermost first. Asked once it
   * is loaded, or when it spawns its first child. Default: none.
   */
  readonly hives?: readonly string[];
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
