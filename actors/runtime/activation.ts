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
import { Cell, type CellHost } from './actor-slot.js';
import { Letter, Letters } from './message-queue.js';
import {
  addressKey,
  type ActorContext,
  type Address,
  type Behavior,
  type ChildFailure,
  type ChildRef,
  type Envelope,
} from './port.js';
import type { Node } from './supervision-tree.js';

export class Incarnation implements ActorContext<unknown> {
  readonly deferred = new Letters(true);
  /** Set by `restart`: why, and what the next incarnation handles first. */
  stale: { reason: Error; unanswered: Letter[] } | undefined = undefined;
  private over = false;
  private node: Node | undefined = undefined;
  private failures: Set<ChildFailure> | undefined = undefined;
  private kids: Map<string, Cell> | undefined = undefined;

  constructor(
    private readonly cell: Cell,
    readonly behavior: Behavior<unknown>,
    private readonly host: CellHost,
  ) {}

  get address(): Address {
    return this.cell.address;
  }

  /** It owes somebody an answer, or has children: then it does not passivate. */
  get bound(): boolean {
    return this.deferred.size > 0 || (this.kids !== undefined && this.kids.size > 0);
  }

  self(message: unknown): void {
    if (!this.over) this.cell.push(new Letter('tell', message, this.cell));
  }

  spawn<C>(address: Address, behavior: Behavior<C>): ChildRef<C> {
    if (this.over) return { tell: () => {}, stop: () => {} };
    this.place();
    this.kids ??= new Map();
    const key = addressKey(address);
    const before = this.kids.get(key);
    if (before && !before.stopping) throw new Error(`${key} lives already`);
    const child = new Cell(address, this.cell.lane, this.host, () => behavior, this);
    this.kids.set(key, child);
    if (before) {
      before.successor = child;
      child.held = true;
    } else child.wake();
    return {
      tell: (message) => {
        if (!child.stopping) child.push(new Letter('tell', message, child));
      },
      stop: () => {
        child.halt(new Error(`${key} was stopped by ${addressKey(this.address)}`));
      },
    };
  }

  restart(reason: Error, unanswered: readonly Envelope<unknown>[]): void {
    if (this.over) return;
    const letters = unanswered.map(({ message, reply }) => {
      if (!(reply instanceof Letter) || reply.owner !== this.cell)
        throw new TypeError('restart: not a reply that this actor was given');
      reply.message = message;
      return reply;
    });
    this.stale ??= { reason, unanswered: [] };
    this.stale.unanswered.push(...letters);
    this.cell.reloadSoon();
  }

  /** Takes the place in the supervision tree: when loaded, or when the first child is spawned. */
  place(): void {
    this.node ??= this.host.place(this.cell, this.behavior);
  }

  nodeOf(child: Address): Node {
    this.place();
    return this.host.tree.below(this.node as Node, child.kind, child.id);
  }

  childFailed(child: Cell, error: Error, stopped: boolean): void {
    if (this.over || !this.behavior.childFailed) return;
    const failure: ChildFailure = { address: child.address, error, stopped };
    (this.failures ??= new Set()).add(failure);
    this.cell.push(new Letter('failure', failure, this.cell));
  }

  /** A failure that an earlier incarnation was to hear of is none of this one's. */
  tellFailure(failure: ChildFailure): void | Promise<void> {
    return this.failures?.delete(failure) ? this.behavior.childFailed?.(failure, this) : undefined;
  }

  childGone(child: Cell): void {
    const key = addressKey(child.address);
    if (this.kids?.get(key) === child) this.kids.delete(key);
    this.cell.wake();
  }

  /** Children stop, then the node; `dropped` where a reason is given. */
  end(reason?: Error): void {
    if (this.over) return;
    this.over = true;
    for (const child of this.kids?.values() ?? [])
      child.halt(reason ?? new Error(`${addressKey(this.address)} has stopped`));
    if (this.node) this.host.tree.remove(this.node);
    if (!reason) return;
    try {
      this.behavior.dropped(reason);
    } catch (error) {
      this.host.fault(this.cell, 'dropped', error);
    }
    if (this.deferred.size === 0) return;
    const lost = unavailable(
      `${addressKey(this.address)} started anew before it answered; whether it took effect is not known`,
      { cause: reason },
    );
    for (let letter = this.deferred.shift(); letter; letter = this.deferred.shift()) letter.reject(lost);
  }
}
