/**
 * The actor runtime: delivers messages to addresses, and keeps actors in memory while they are needed.
 *
 * `ask` and `tell` find or create the slot of an address and put a message into its queue. The scheduler runs the slots
 * that have work. The first message activates an actor, and an idle actor is passivated. nact keeps the supervision
 * tree, and nothing else, for the reasons that supervision-tree.ts gives.
 *
 * Invariants
 *  System.A1 An admitted ask is answered exactly once, with its own answer. A message is never lost, not even between
 *     two activations; a tell is dropped, with a log line, only if the system stops before its actor can run.
 *  - One method of an actor runs at a time, even across activations.
 *  - Messages from one sender to one address are handled in the order of sending; after a restart, the messages that
 *    the previous activation left unanswered come first.
 *  - A message that arrives while an actor activates, passivates or restarts is served by the activation that follows.
 *  - At most `queueLimit` admitted messages of an actor are unhandled or unanswered; any further message is refused at
 *    once.
 *  - A crash answers its asker with the error, keeps the queue, and causes a backoff; five crashes in a minute open
 *    the breaker. A failed activation answers every waiting ask. An outage of something that an actor depends on is
 *    not a crash: waiting askers get an error, and the next message loads the actor again.
 *  - Nothing that a behaviour throws, rejects or returns becomes an unhandled rejection or stops another actor.
 *  - An actor passivates only when it has no message, owes no answer, has no child and says that it is idle; after
 *    passivation nothing of it stays in memory.
 *  System.A9 `stop` refuses new messages, drains and passivates every actor, then ends; when the grace time is over,
 *     every ask that still waits is answered UNAVAILABLE.
 *
 * On failure: actors are a cache of the store, and nothing here is durable. If the process dies, the senders of
 * unacknowledged messages send them again.
 */
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { unavailable } from '../../src/domain/shared/errors.js';
import type { FaultPhase } from './activation.js';
import { ActorSlot, type SlotOwner } from './actor-slot.js';
import { crashPolicy, type CrashPolicy, type CrashRecord } from './crash-policy.js';
import { QueuedMessage } from './message-queue.js';
import { addressKey, type ActorKind, type Address, type Behavior } from './port.js';
import { type Lane, Scheduler } from './scheduler.js';
import { SupervisionTree } from './supervision-tree.js';
import { Sweeper } from './sweeper.js';

export interface Fault {
  readonly address: Address;
  /** The method of the behaviour that threw. */
  readonly phase: FaultPhase;
  readonly error: unknown;
  /**
   * The number of crashes within the last minute, including this one; 0 for an exception of `dropped` or of a child,
   * which does not count.
   */
  readonly crashes: number;
  /** Whether the breaker opened. */
  readonly broken: boolean;
}

export interface ActorSystemOptions {
  /** Names the system in nact's paths. */
  readonly name?: string;
  readonly clock: MonotonicClock;
  /** Creates the behaviour of an activation. Throwing counts as a failed activation. */
  readonly behaviorFor: (address: Address) => Behavior<unknown>;
  /** How long an actor stays in memory without a message, in ms. Default 60,000. */
  readonly idleMs?: number;
  readonly crashes?: CrashPolicy;
  readonly onFault?: (fault: Fault) => void;
  /**
   * Maps errors to the error for askers if they are outages of a dependency, which count neither as a crash nor for the
   * breaker. Default: none.
   */
  readonly outageOf?: (error: unknown) => Error | null;
  /** Called when an outage interrupted the actor: work that it does on its own must be woken later. */
  readonly onOutage?: (address: Address, error: unknown) => void;
  readonly log?: { warn(fields: Record<string, unknown>, message: string): void };
  /** The scheduler, if it is shared with other systems of the process. Default: a separate one. */
  readonly scheduler?: Scheduler;
  /** The maximum number of messages of one actor that are unhandled or unanswered. Default 1000. */
  readonly queueLimit?: number;
}

export interface ActorStats {
  /** The number of loaded actors, including children. */
  readonly active: number;
  /** The number of these that are children, that is, runs at work. */
  readonly children: number;
  /** The number of messages waiting in queues. */
  readonly queued: number;
  readonly processed: number;
  /** The number of activations that followed a crash or a restart. */
  readonly restarts: number;
  readonly faults: number;
}

/**
 * The actors of one workspace in memory. There is a map by id for each kind, so a message needs no key to be built, and
 * no two addresses share one.
 */
class WorkspaceSlots {
  size = 0;
  private readonly kinds: Record<ActorKind, Map<string, ActorSlot>> = {
    workspace: new Map(),
    hive: new Map(),
    agent: new Map(),
    run: new Map(),
  };

  constructor(readonly lane: Lane) {}

  of(kind: ActorKind): Map<string, ActorSlot> {
    return this.kinds[kind];
  }
}

export class ActorSystem implements SlotOwner {
  readonly clock: MonotonicClock;
  readonly scheduler: Scheduler;
  readonly tree: SupervisionTree;
  readonly crashes: CrashPolicy;
  readonly queueLimit: number;
  readonly counters = { processed: 0, queued: 0, active: 0, children: 0, restarts: 0 };
  draining = false;
  private faults = 0;
  private readonly workspaces = new Map<string, WorkspaceSlots>();
  /** All slots, in order of creation. */
  private readonly slots = new Set<ActorSlot>();
  private readonly sweeper: Sweeper;
  private stopped: Promise<boolean> | undefined = undefined;
  private onEmpty: (() => void) | undefined = undefined;

  constructor(private readonly options: ActorSystemOptions) {
    this.clock = options.clock;
    this.crashes = options.crashes ?? crashPolicy;
    this.queueLimit = options.queueLimit ?? 1000;
    this.scheduler = options.scheduler ?? new Scheduler();
    this.tree = new SupervisionTree(options.name ?? 'hivekeep');
    this.sweeper = new Sweeper(this.slots, options.clock, options.idleMs ?? 60_000);
  }

  /**
   * Resolves or rejects with the actor's answer. Rejects UNAVAILABLE (with retryAfter) at once if the actor's queue is
   * full, its breaker is open or the system is stopping.
   */
  readonly ask = (address: Address, message: unknown): Promise<unknown> => {
    if (this.draining) return Promise.reject(this.closing());
    const slot = this.slot(address);
    const refusal = slot.refusal();
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      slot.push(new QueuedMessage('ask', message, slot, resolve, reject));
    });
  };

  /**
   * Sends without an answer. Throws UNAVAILABLE where `ask` would be refused, so that no message is dropped silently.
   */
  tell(address: Address, message: unknown): void {
    if (this.draining) throw this.closing();
    const slot = this.slot(address);
    const refusal = slot.refusal();
    if (refusal) throw refusal;
    slot.push(new QueuedMessage('tell', message, slot));
  }

  stats(): ActorStats {
    return { ...this.counters, faults: this.faults };
  }

  /**
   * Drains all actors and ends. A second call waits for the first. Resolves with true if everything drained within
   * `graceMs`.
   */
  stop({ graceMs }: { graceMs: number }): Promise<boolean> {
    this.stopped ??= this.drain(graceMs);
    return this.stopped;
  }

  /** Whether messages are admitted, which is true until `stop`. */
  get accepting(): boolean {
    return !this.draining;
  }

  private async drain(graceMs: number): Promise<boolean> {
    this.draining = true;
    this.sweeper.stop();
    for (const slot of [...this.slots]) slot.hurry();
    const drained =
      this.slots.size === 0 ||
      (await new Promise<boolean>((resolve) => {
        const cancel = this.clock.after(graceMs, () => {
          resolve(false);
        });
        this.onEmpty = () => {
          cancel();
          resolve(true);
        };
      }));
    if (!drained) this.abandon(graceMs);
    this.tree.stop();
    return drained;
  }

  private abandon(graceMs: number): void {
    // One that is given no time was asked for by what is in the log already, such as the loss of 128 shards.
    if (graceMs > 0)
      this.options.log?.warn(
        { event: 'actors.stop_timeout', actors: this.slots.size, queued: this.counters.queued, graceMs },
        'actors were still busy when the grace time ended',
      );
    for (const slot of [...this.slots]) slot.abandon(this.closing());
  }

  private closing(): Error {
    return unavailable('this process is shutting down', { details: { reason: 'Stopping' } });
  }

  private slot(address: Address): ActorSlot {
    let workspace = this.workspaces.get(address.workspace);
    if (!workspace)
      this.workspaces.set(address.workspace, (workspace = new WorkspaceSlots(this.scheduler.enter(address.workspace))));
    const slots = workspace.of(address.kind);
    let slot = slots.get(address.id);
    if (!slot) {
      slot = new ActorSlot(address, workspace.lane, this, () => this.options.behaviorFor(address));
      slots.set(address.id, slot);
      workspace.size++;
    }
    return slot;
  }

  // What slots need (SlotOwner)

  slotAdded(slot: ActorSlot): void {
    this.slots.add(slot);
    if (!this.draining) this.sweeper.start();
  }

  slotRemoved(slot: ActorSlot): void {
    this.slots.delete(slot);
    this.forget(slot);
    if (this.slots.size === 0) this.onEmpty?.();
  }

  private forget({ address }: ActorSlot): void {
    const workspace = this.workspaces.get(address.workspace);
    if (!workspace?.of(address.kind).delete(address.id)) return;
    workspace.size--;
    if (workspace.size > 0) return;
    this.workspaces.delete(address.workspace);
    this.scheduler.leave(address.workspace);
  }

  outageOf(error: unknown): Error | null {
    return this.options.outageOf?.(error) ?? null;
  }

  interrupted(address: Address, error: unknown): void {
    this.options.onOutage?.(address, error);
  }

  fault(address: Address, phase: FaultPhase, error: unknown, crashes?: CrashRecord): void {
    this.faults++;
    try {
      this.options.onFault?.({
        address,
        phase,
        error,
        crashes: crashes?.count ?? 0,
        broken: crashes?.open ?? false,
      });
    } catch (second) {
      this.options.log?.warn(
        { event: 'actor.fault_listener_failed', actor: addressKey(address), err: second },
        'the listener for actor faults failed',
      );
    }
  }
}
