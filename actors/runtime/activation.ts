/**
 * One life of an actor: its behaviour, its node in the supervision tree, its children and the asks that it has handled
 * and not yet answered. It is also the context that the behaviour is given.
 *
 * Invariants
 *  N1 When it is over, nothing that its behaviour still does has an effect: no message, no child, no restart.
 *  N2 When it is dropped, `dropped` is called once, and then every ask that it left unanswered is answered UNAVAILABLE.
 *  N3 A child does not outlive it. Children of one address never handle at the same time: a successor starts when its
 *     predecessor's last handler has ended.
 *
 * When it fails: a throw of `dropped` is reported and goes no further.
 */
import { unavailable } from '../../src/domain/errors.js';
import { ActorSlot, type SlotHost } from './actor-slot.js';
import { QueuedMessage, MessageQueue } from './message-queue.js';
import {
  addressKey,
  type ActorContext,
  type Address,
  type Behavior,
  type ChildFailure,
  type ChildRef,
  type Envelope,
} from './port.js';
import type { SupervisionNode } from './supervision-tree.js';

export class Activation implements ActorContext<unknown> {
  readonly deferred = new MessageQueue(true);
  /** Set by `restart`: why, and what the next activation handles first. */
  stale: { reason: Error; unanswered: QueuedMessage[] } | undefined = undefined;
  private over = false;
  private node: SupervisionNode | undefined = undefined;
  private failures: Set<ChildFailure> | undefined = undefined;
  private children: Map<string, ActorSlot> | undefined = undefined;

  constructor(
    private readonly slot: ActorSlot,
    readonly behavior: Behavior<unknown>,
    private readonly host: SlotHost,
  ) {}

  get address(): Address {
    return this.slot.address;
  }

  /** It owes somebody an answer, or has children: then it does not passivate. */
  get bound(): boolean {
    return this.deferred.size > 0 || (this.children !== undefined && this.children.size > 0);
  }

  self(message: unknown): void {
    if (!this.over) this.slot.push(new QueuedMessage('tell', message, this.slot));
  }

  spawn<C>(address: Address, behavior: Behavior<C>): ChildRef<C> {
    if (this.over) return { tell: () => {}, stop: () => {} };
    this.place();
    this.children ??= new Map();
    const key = addressKey(address);
    const before = this.children.get(key);
    if (before && !before.stopping) throw new Error(`${key} lives already`);
    const child = new ActorSlot(address, this.slot.lane, this.host, () => behavior, this);
    this.children.set(key, child);
    if (before) {
      before.successor = child;
      child.held = true;
    } else child.wake();
    return {
      tell: (message) => {
        if (!child.stopping) child.push(new QueuedMessage('tell', message, child));
      },
      stop: () => {
        child.halt(new Error(`${key} was stopped by ${addressKey(this.address)}`));
      },
    };
  }

  restart(reason: Error, unanswered: readonly Envelope<unknown>[]): void {
    if (this.over) return;
    const messages = unanswered.map(({ message, reply }) => {
      if (!(reply instanceof QueuedMessage) || reply.owner !== this.slot)
        throw new TypeError('restart: not a reply that this actor was given');
      reply.message = message;
      return reply;
    });
    this.stale ??= { reason, unanswered: [] };
    this.stale.unanswered.push(...messages);
    this.slot.reloadSoon();
  }

  /** Takes the place in the supervision tree: when loaded, or when the first child is spawned. */
  place(): void {
    this.node ??= this.host.place(this.slot, this.behavior);
  }

  nodeOf(child: Address): SupervisionNode {
    this.place();
    return this.host.tree.below(this.node as SupervisionNode, child.kind, child.id);
  }

  childFailed(child: ActorSlot, error: Error, stopped: boolean): void {
    if (this.over || !this.behavior.childFailed) return;
    const failure: ChildFailure = { address: child.address, error, stopped };
    (this.failures ??= new Set()).add(failure);
    this.slot.push(new QueuedMessage('failure', failure, this.slot));
  }

  /** A failure that an earlier activation was to hear of is none of this one's. */
  tellFailure(failure: ChildFailure): void | Promise<void> {
    return this.failures?.delete(failure) ? this.behavior.childFailed?.(failure, this) : undefined;
  }

  childGone(child: ActorSlot): void {
    const key = addressKey(child.address);
    if (this.children?.get(key) === child) this.children.delete(key);
    this.slot.wake();
  }

  /** Children stop, then the node; `dropped` where a reason is given. */
  end(reason?: Error): void {
    if (this.over) return;
    this.over = true;
    for (const child of this.children?.values() ?? [])
      child.halt(reason ?? new Error(`${addressKey(this.address)} has stopped`));
    if (this.node) this.host.tree.remove(this.node);
    if (!reason) return;
    try {
      this.behavior.dropped(reason);
    } catch (error) {
      this.host.fault(this.slot, 'dropped', error);
    }
    if (this.deferred.size === 0) return;
    const lost = unavailable(
      `${addressKey(this.address)} started anew before it answered; whether it took effect is not known`,
      { cause: reason },
    );
    for (let queued = this.deferred.shift(); queued; queued = this.deferred.shift()) queued.reject(lost);
  }
}
