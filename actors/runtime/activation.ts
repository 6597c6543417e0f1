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
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { unavailable } from '../../src/domain/shared/errors.js';
import { ChildAtWork, type ChildParent } from './child.js';
import type { CrashPolicy, CrashRecord } from './crash-policy.js';
import { MessageQueue, QueuedMessage, type MessageOwner } from './message-queue.js';
import {
  addressKey,
  type ActorContext,
  type Address,
  type Behavior,
  type Child,
  type Asked,
  type Work,
} from './port.js';
import type { Lane, Scheduler } from './scheduler.js';
import type { SupervisionNode, SupervisionTree } from './supervision-tree.js';

/** The method of a behaviour that failed; `child`: the work of a child. */
export type FaultPhase = 'activate' | 'receive' | 'passivate' | 'dropped' | 'child';

/** What slots, and what is in them, need of their system. */
export interface SlotHost {
  readonly clock: MonotonicClock;
  readonly scheduler: Scheduler;
  readonly tree: SupervisionTree;
  readonly crashes: CrashPolicy;
  readonly queueLimit: number;
  /** Set when the system stops: actors then passivate as soon as they have no message, whether or not they are idle. */
  readonly draining: boolean;
  /** `active`: the loaded actors, of which `children` are children. */
  readonly counters: { processed: number; queued: number; active: number; children: number; restarts: number };
  fault(address: Address, phase: FaultPhase, error: unknown, crashes?: CrashRecord): void;
  /** The error for askers if it is an outage of a dependency; null if it is a crash. */
  outageOf(error: unknown): Error | null;
  /** Called when an outage interrupted the actor: work that it does on its own must be woken later. */
  interrupted(address: Address, error: unknown): void;
}

/** What an activation needs of the slot that it fills (actor-slot.ts). */
export interface ActivationSlot extends MessageOwner {
  readonly address: Address;
  readonly lane: Lane;
  readonly host: SlotHost;
  push(message: QueuedMessage): void;
  wake(): void;
  /** Restarts now, or when the method in progress has ended. */
  reload(): void;
}

export class Activation implements ActorContext<unknown>, ChildParent {
  /** Asks that were handled but not answered yet. */
  readonly deferred = new MessageQueue(true);
  /** Set by `restart`: the reason, and the messages that the next activation handles first. */
  stale: { reason: Error; unanswered: QueuedMessage[] } | undefined = undefined;
  private ended = false;
  private counted = false;
  private node: SupervisionNode | undefined = undefined;
  /** The children by their addresses, each with its node in the tree. */
  private children: Map<string, { child: ChildAtWork; node: SupervisionNode }> | undefined = undefined;

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

  spawn(address: Address, work: Work): Child {
    const child = new ChildAtWork(address, this.slot.lane, work, this);
    if (this.ended) return child;
    this.place();
    this.children ??= new Map();
    const key = addressKey(address);
    if (this.children.has(key)) throw new Error(`${key} is at work already`);
    const { tree, counters, scheduler } = this.slot.host;
    this.children.set(key, { child, node: tree.below(this.node as SupervisionNode, address.kind, address.id) });
    counters.children++;
    counters.active++;
    scheduler.schedule(child);
    return child;
  }

  restart(reason: Error, unanswered: readonly Asked<unknown>[]): void {
    if (this.ended) return;
    const messages = unanswered.map((asked) => {
      if (!(asked instanceof QueuedMessage) || asked.owner !== this.slot)
        throw new TypeError('restart: not a message that this actor was given');
      return asked;
    });
    this.stale ??= { reason, unanswered: [] };
    this.stale.unanswered.push(...messages);
    this.slot.reload();
  }

  /** Enters the supervision tree: once loaded, or when the first child is spawned. */
  place(): void {
    const { workspace, kind, id } = this.address;
    this.node ??= this.slot.host.tree.place(workspace, this.behavior.hives ?? [], kind, id);
  }

  /** Counts the actor as loaded, until it passivates or is dropped. */
  enterMemory(): void {
    if (this.counted) return;
    this.counted = true;
    this.slot.host.counters.active++;
  }
  leaveMemory(): void {
    if (!this.counted) return;
    this.counted = false;
    this.slot.host.counters.active--;
  }

  childFailed(child: ChildAtWork, error: unknown): void {
    this.slot.host.fault(child.address, 'child', error);
  }

  childGone(child: ChildAtWork): void {
    const key = addressKey(child.address);
    const known = this.children?.get(key);
    if (known?.child !== child) return;
    this.children?.delete(key);
    const { tree, counters } = this.slot.host;
    tree.remove(known.node);
    counters.children--;
    counters.active--;
    this.slot.wake();
  }

  /** Stops the children, then leaves the supervision tree; `dropped` is called if a reason is given. */
  end(reason?: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.leaveMemory();
    for (const { child } of [...(this.children?.values() ?? [])])
      child.stop(reason?.message ?? 'its parent has stopped');
    if (this.node) this.slot.host.tree.remove(this.node);
    if (!reason) return;
    try {
      this.behavior.dropped(reason);
    } catch (error) {
      this.slot.host.fault(this.address, 'dropped', error);
    }
    if (this.deferred.size === 0) return;
    const lost = unavailable(
      `${addressKey(this.address)} started anew before it answered; whether it took effect is not known`,
      { cause: reason },
    );
    for (let message = this.deferred.shift(); message; message = this.deferred.shift()) message.reject(lost);
  }
}
