/**
 * One activation of an actor: its behaviour, its node in the supervision tree, its children, and the asks that it has
 * handled but not yet answered. It is also the context that the behaviour receives.
 *
 * Invariants
 *  - Once it has ended, nothing that its behaviour still does has an effect: no message, no child, no restart.
 *  - When it is dropped, `dropped` is called once, and then every ask that it left unanswered is answered
 *     UNAVAILABLE.
 *  - A child does not outlive it. Children of one address never handle messages at the same time: a successor starts
 *    when its predecessor's last handler has ended.
 *
 * On failure: an exception thrown by `dropped` is reported as a fault and is not propagated.
 */
import { unavailable } from '../../src/domain/errors.js';
import { MessageQueue, QueuedMessage, type MessageOwner } from './message-queue.js';
import {
  addressKey,
  type ActorContext,
  type Address,
  type Behavior,
  type ChildFailure,
  type ChildRef,
  type Envelope,
} from './port.js';
import type { SupervisionNode, SupervisionTree } from './supervision-tree.js';

/** The method of a behaviour that failed. */
export type FaultPhase = 'activate' | 'receive' | 'passivate' | 'dropped';

/** What an activation needs of the slot that it fills (actor-slot.ts). */
export interface ActivationSlot extends MessageOwner {
  readonly address: Address;
  readonly tree: SupervisionTree;
  push(message: QueuedMessage): void;
  wake(): void;
  /** Restarts now, or when the method in progress has ended. */
  reload(): void;
  /** This actor's node in the supervision tree. */
  place(behavior: Behavior<unknown>): SupervisionNode;
  reportFault(phase: FaultPhase, error: unknown): void;
  /** The number of loaded actors changes. */
  countActive(change: 1 | -1): void;
  /** A slot for a child; it starts once `predecessor` is gone. */
  newChild(address: Address, behavior: Behavior<unknown>, predecessor: ChildSlot | undefined): ChildSlot;
}

/** What a parent needs of a child's slot. */
export interface ChildSlot extends MessageOwner {
  readonly address: Address;
  /** It is halted or gone: another child of its address may be spawned. */
  readonly ending: boolean;
  push(message: QueuedMessage): void;
  halt(reason: Error): void;
}

export class Activation implements ActorContext<unknown> {
  /** Asks that were handled but not answered yet. */
  readonly deferred = new MessageQueue(true);
  /** Set by `restart`: the reason, and the messages that the next activation handles first. */
  stale: { reason: Error; unanswered: QueuedMessage[] } | undefined = undefined;
  private ended = false;
  private counted = false;
  private node: SupervisionNode | undefined = undefined;
  private failures: Set<ChildFailure> | undefined = undefined;
  private children: Map<string, ChildSlot> | undefined = undefined;

  constructor(
    private readonly slot: ActivationSlot,
    readonly behavior: Behavior<unknown>,
  ) {}

  get address(): Address {
    return this.slot.address;
  }

  /** It owes an answer or has children, and therefore must not passivate. */
  get bound(): boolean {
    return this.deferred.size > 0 || (this.children !== undefined && this.children.size > 0);
  }

  self(message: unknown): void {
    if (!this.ended) this.slot.push(new QueuedMessage('tell', message, this.slot));
  }

  spawn<C>(address: Address, behavior: Behavior<C>): ChildRef<C> {
    if (this.ended) return { tell: () => {}, stop: () => {} };
    this.place();
    this.children ??= new Map();
    const key = addressKey(address);
    const predecessor = this.children.get(key);
    if (predecessor && !predecessor.ending) throw new Error(`${key} is running already`);
    const child = this.slot.newChild(address, behavior, predecessor);
    this.children.set(key, child);
    return {
      tell: (message) => {
        if (!child.ending) child.push(new QueuedMessage('tell', message, child));
      },
      stop: () => {
        child.halt(new Error(`${key} was stopped by ${addressKey(this.address)}`));
      },
    };
  }

  restart(reason: Error, unanswered: readonly Envelope<unknown>[]): void {
    if (this.ended) return;
    const messages = unanswered.map(({ message, reply }) => {
      if (!(reply instanceof QueuedMessage) || reply.owner !== this.slot)
        throw new TypeError('restart: not a reply that this actor was given');
      reply.message = message;
      return reply;
    });
    this.stale ??= { reason, unanswered: [] };
    this.stale.unanswered.push(...messages);
    this.slot.reload();
  }

  /** Enters the supervision tree: once loaded, or when the first child is spawned. */
  place(): void {
    this.node ??= this.slot.place(this.behavior);
  }

  nodeOf(child: Address): SupervisionNode {
    this.place();
    return this.slot.tree.below(this.node as SupervisionNode, child.kind, child.id);
  }

  /** Counts the actor as loaded, until it passivates or is dropped. */
  enterMemory(): void {
    if (this.counted) return;
    this.counted = true;
    this.slot.countActive(1);
  }
  leaveMemory(): void {
    if (!this.counted) return;
    this.counted = false;
    this.slot.countActive(-1);
  }

  childFailed(child: ChildSlot, error: Error, stopped: boolean): void {
    if (this.ended || !this.behavior.childFailed) return;
    const failure: ChildFailure = { address: child.address, error, stopped };
    (this.failures ??= new Set()).add(failure);
    this.slot.push(new QueuedMessage('failure', failure, this.slot));
  }

  /** A failure addressed to an earlier activation does not concern this one. */
  tellFailure(failure: ChildFailure): void | Promise<void> {
    return this.failures?.delete(failure) ? this.behavior.childFailed?.(failure, this) : undefined;
  }

  childGone(child: ChildSlot): void {
    const key = addressKey(child.address);
    if (this.children?.get(key) === child) this.children.delete(key);
    this.slot.wake();
  }

  /** Stops the children, then leaves the supervision tree; `dropped` is called if a reason is given. */
  end(reason?: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.leaveMemory();
    for (const child of this.children?.values() ?? [])
      child.halt(reason ?? new Error(`${addressKey(this.address)} has stopped`));
    if (this.node) this.slot.tree.remove(this.node);
    if (!reason) return;
    try {
      this.behavior.dropped(reason);
    } catch (error) {
      this.slot.reportFault('dropped', error);
    }
    if (this.deferred.size === 0) return;
    const lost = unavailable(
      `${addressKey(this.address)} started anew before it answered; whether it took effect is not known`,
      { cause: reason },
    );
    for (let message = this.deferred.shift(); message; message = this.deferred.shift()) message.reject(lost);
  }
}
