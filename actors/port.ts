/** What the actor runtime offers (system.ts) and what it asks of an actor. */

export type ActorKind = 'workspace' | 'hive' | 'agent' | 'run';
export interface Address { readonly workspace: string; readonly kind: ActorKind; readonly id: string }
export const addressKey = (a: Address): string => `${a.workspace}/${a.kind}/${a.id}`;

/**
 * Answers the asker of one message: exactly once, later calls are ignored. An actor may keep it and answer after its
 * commit; until then the actor does not passivate.
 */
export interface Reply {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface ActorContext<M> {
  readonly address: Address;
  /** Sends to this actor itself, past the inbox bound: what an actor owes itself (a step's result, a timer) is never refused. */
  self(message: M): void;
  /** Starts a child actor under this one in the supervision tree; it stops when its parent stops. */
  spawn<C>(address: Address, behavior: Behavior<C>): ChildRef<C>;
  /** Tells the runtime that the actor's state is no longer to be trusted: it is dropped and loaded again, `unanswered` messages are then handled first. */
  restart(reason: Error, unanswered: readonly Envelope<M>[]): void;
}

export interface ChildRef<C> {
  /** Never refused: what a parent owes its child is bounded by the parent. */
  tell(message: C): void;
  stop(): void;
}

export interface Envelope<M> { readonly message: M; readonly reply: Reply }

/**
 * One incarnation of an actor, from activation to passivation, crash or stop. The runtime calls one method at a time,
 * and waits for a returned promise before it handles anything else for this actor.
 */
export interface Behavior<M> {
  /** Loads what is needed; a rejection answers every waiting message with that error, and the next message tries again after the backoff. */
  activate(context: ActorContext<M>): void | Promise<void>;
  /** Throwing is a crash: the asker is answered with the error, the incarnation dropped, see supervision. To refuse a message, answer its reply with an error. */
  receive(message: M, reply: Reply, context: ActorContext<M>): void | Promise<void>;
  /** May this actor be dropped when idle? False while it has work of its own (a run in progress, a commit in flight). */
  idle(): boolean;
  /** The last call of a passivation or a drained stop: finish what is decided. Messages that arrive meanwhile are served by the next incarnation. */
  passivate(): void | Promise<void>;
  /** The incarnation is dropped without passivation (crash, restart): abort what runs beside it. Must not throw. */
  dropped(reason: Error): void;
}
