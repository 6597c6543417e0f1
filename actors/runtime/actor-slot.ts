/**
 * An actor's place in memory: its queue, and the activation that serves it, one after the other.
 *
 *   down -> loading -> active -> passivating -> down        crash, restart: from any of them to down
 *
 * Invariants (system.ts states what they give together)
 *  C1 One method of the behaviour at a time: while a promise is awaited (`working`) nothing else is called.
 *  C2 The queue outlives activations: what waits is served by the next one. Only a breaker that opens, an activation
 *     that fails and a forced stop answer it otherwise, and never in silence.
 *  C3 A handler ends in one way: its message is closed, deferred, or put back by a restart.
 *
 * When it fails: whatever a behaviour throws or rejects with becomes a crash (crash-policy.ts) and reaches no caller but the
 * asker of the message in hand. A child that crashes too often is halted, any other actor answers UNAVAILABLE for a while.
 */
import { inspect } from 'node:util';
import type { Clock } from '../../src/domain/clock.js';
import { unavailable, type HivekeepError } from '../../src/domain/errors.js';
import { CrashRecord, type CrashPolicy } from './crash-policy.js';
import { MessageQueue, type QueuedMessage, type MessageOwner } from './message-queue.js';
import { Activation } from './activation.js';
import { addressKey, type Address, type Behavior, type ChildFailure } from './port.js';
import type { Lane, Scheduler, Runnable } from './scheduler.js';
import type { SupervisionNode, SupervisionTree } from './supervision-tree.js';

export type FaultPhase = 'activate' | 'receive' | 'passivate' | 'dropped';

/** What a slot needs of its system. */
export interface SlotHost {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly tree: SupervisionTree;
  readonly crashes: CrashPolicy;
  readonly queueLimit: number;
  /** Set when the system stops: then whatever is drained passivates, idle or not. */
  readonly draining: boolean;
  readonly counters: { processed: number; queued: number; active: number; restarts: number };
  place(slot: ActorSlot, behavior: Behavior<unknown>): SupervisionNode;
  fault(slot: ActorSlot, phase: FaultPhase, error: unknown, crashes?: CrashRecord): void;
  slotAdded(slot: ActorSlot): void;
  /** Nothing is left of it: it is forgotten. */
  slotRemoved(slot: ActorSlot): void;
}

/** `inspect`, because an object without a prototype has no `toString`. */
const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(`thrown: ${inspect(thrown)}`, { cause: thrown });

export class ActorSlot implements Runnable, MessageOwner {
  nextRunnable: Runnable | undefined = undefined;
  queued = false;
  /** For a child: it is halted or gone. */
  stopping = false;
  /** A child of the same address that starts when this one is gone. */
  successor: ActorSlot | undefined = undefined;
  /** For a successor: it does not start yet. */
  held = false;
  /** When it last handled something, ms. */
  usedAt: number;
  private state: 'down' | 'loading' | 'active' | 'passivating' = 'down';
  private working = false;
  /** It was found idle and passivates in its next turn, unless a message comes first. */
  private leaving = false;
  /** A method of the behaviour is on the stack. */
  private calling = false;
  private life: Activation | undefined = undefined;
  private readonly queue = new MessageQueue(false);
  private unanswered = 0;
  private crashes: CrashRecord | undefined = undefined;
  private cancelWait: (() => void) | undefined = undefined;
  /** The message whose handler's promise is awaited. */
  private inHand: QueuedMessage | undefined = undefined;
  private haltReason: Error | undefined = undefined;

  constructor(
    readonly address: Address,
    readonly lane: Lane,
    private readonly host: SlotHost,
    private readonly make: () => Behavior<unknown>,
    readonly parent?: Activation,
  ) {
    this.usedAt = host.clock.now();
    host.slotAdded(this);
  }

  // Admission

  /** Why a message from outside is not admitted now. */
  refusal(): HivekeepError | undefined {
    if (this.unanswered >= this.host.queueLimit)
      return unavailable(`the mailbox of ${addressKey(this.address)} is full`, { details: { reason: 'MailboxFull' } });
    if (!this.crashes?.open) return undefined;
    const left = this.crashes.retryAt - this.host.clock.now();
    return left > 0 ? this.brokenDown(left) : undefined;
  }

  push(queued: QueuedMessage): void {
    queued.open();
    this.host.counters.queued++;
    this.queue.push(queued);
    if (!this.queued) this.wake();
  }

  opened(): void {
    this.unanswered++;
  }
  closed(): void {
    this.unanswered--;
    if (this.unanswered === 0 && this.host.draining) this.wake();
  }

  wake(): void {
    if (!this.queued && this.ready) this.host.scheduler.schedule(this);
  }

  get ready(): boolean {
    if (this.working || this.cancelWait || this.calling || this.stopping || this.held) return false;
    if (this.queue.size > 0) return true;
    if (this.state === 'active') return this.leaving || (this.host.draining && !this.life?.bound);
    return this.parent !== undefined || this.host.draining;
  }

  // The turn

  run(limit: number): number {
    if (!this.ready) return 0;
    if (this.queue.size > 0) this.usedAt = this.host.clock.now();
    if (this.state === 'down') this.begin();
    let handled = 0;
    while (handled < limit && this.state === 'active' && !this.working && !this.stopping) {
      if (handled > 0 && this.queue.size > 0 && this.host.scheduler.overdue()) break;
      const queued = this.next();
      if (!queued) {
        if (this.leaving || this.host.draining) this.passivate();
        break;
      }
      this.handle(queued);
      handled++;
    }
    if (this.haltReason && !this.working) this.finishHalt(this.haltReason);
    return handled;
  }

  /** The next message that still has to be handled; who has been answered meanwhile needs nothing. */
  private next(): QueuedMessage | undefined {
    for (;;) {
      const queued = this.queue.shift();
      if (!queued) return undefined;
      this.host.counters.queued--;
      if (queued.kind !== 'ask' || queued.awaited) return queued;
    }
  }

  /** Found idle by the sweeper. */
  retire(): void {
    if (this.state === 'active') {
      this.leaving = true;
      this.wake();
    } else if (!this.working && !this.cancelWait) this.vanish();
  }

  // Activation

  private begin(): void {
    const { crashes, host } = this;
    if (this.queue.size === 0 && (!this.parent || host.draining)) {
      if (host.draining) this.vanish();
      return;
    }
    if (crashes) {
      const now = host.clock.now();
      if (crashes.over(now)) this.crashes = undefined;
      else if (now < crashes.retryAt) {
        this.waitUntil(crashes, now);
        return;
      }
      host.counters.restarts++;
    }
    this.state = 'loading';
    this.perform(
      'activate',
      () => {
        this.life = new Activation(this, this.make(), host);
        return this.life.behavior.activate(this.life);
      },
      () => {
        this.activated();
      },
    );
  }

  private waitUntil(crashes: CrashRecord, now: number): void {
    if (crashes.open && this.host.draining) {
      this.abandon(this.brokenDown(crashes.retryAt - now));
      return;
    }
    this.cancelWait = this.host.clock.after(crashes.retryAt - now, () => {
      this.cancelWait = undefined;
      this.wake();
    });
  }

  private activated(): void {
    if (this.stopping) return;
    try {
      this.life?.place();
    } catch (error) {
      this.crash('activate', error);
      return;
    }
    this.state = 'active';
    this.host.counters.active++;
    if (this.life?.stale) this.reload();
  }

  // Messages

  private handle(queued: QueuedMessage): void {
    const life = this.life as Activation;
    const { behavior } = life;
    this.leaving = false;
    this.calling = true;
    this.host.counters.processed++;
    let result: void | Promise<void>;
    try {
      result =
        queued.kind === 'failure'
          ? life.tellFailure(queued.message as ChildFailure)
          : behavior.receive(queued.message, queued, life);
    } catch (error) {
      this.calling = false;
      this.crash('receive', error, queued);
      return;
    }
    this.calling = false;
    if (result === undefined) this.handled(queued, life);
    else {
      this.inHand = queued;
      this.await(
        result,
        () => {
          this.handled(queued, life);
        },
        (error) => {
          this.crash('receive', error, queued);
        },
      );
    }
  }

  private handled(queued: QueuedMessage, life: Activation): void {
    if (queued.awaited && !queued.list) life.deferred.push(queued);
    else if (!queued.awaited) queued.close();
    if (life.stale) this.reload();
  }

  // Promises of the behaviour

  private perform(phase: FaultPhase, step: () => void | Promise<void>, done: () => void): void {
    let result: void | Promise<void>;
    this.calling = true;
    try {
      result = step();
    } catch (error) {
      this.calling = false;
      this.crash(phase, error);
      return;
    }
    this.calling = false;
    if (result === undefined) done();
    else
      this.await(result, done, (error) => {
        this.crash(phase, error);
      });
  }

  private await(result: Promise<void>, done: () => void, failed: (error: unknown) => void): void {
    this.working = true;
    const settled = (then: () => void): void => {
      this.working = false;
      this.inHand = undefined;
      if (this.haltReason) this.finishHalt(this.haltReason);
      else if (!this.stopping) then();
      this.wake();
    };
    Promise.resolve(result).then(
      () => {
        settled(done);
      },
      (error: unknown) => {
        settled(() => {
          failed(error);
        });
      },
    );
  }

  // Ends of an activation

  private passivate(): void {
    const life = this.life as Activation;
    this.leaving = false;
    // when the system stops, only a child is asked: what it does beside its mailbox may take until the grace time ends
    if (life.bound || ((!this.host.draining || this.parent) && !this.mayLeave(life))) return;
    this.down('passivating');
    this.perform(
      'passivate',
      () => life.behavior.passivate(),
      () => {
        if (life.stale) this.putBack(life);
        this.life = undefined;
        this.state = 'down';
        life.end();
        if (this.queue.size === 0) this.vanish();
      },
    );
  }

  private mayLeave(life: Activation): boolean {
    this.calling = true;
    try {
      return life.behavior.idle();
    } catch (error) {
      this.calling = false;
      this.crash('passivate', error);
      return false;
    } finally {
      this.calling = false;
    }
  }

  /** The behaviour asked for a restart: at once, or when the method in hand has ended. */
  reloadSoon(): void {
    if (!this.working && !this.calling && this.state === 'active') this.reload();
  }

  private reload(): void {
    const life = this.life as Activation;
    this.putBack(life);
    this.host.counters.restarts++;
    this.drop(life.stale?.reason ?? new Error('restart'));
    this.wake();
  }

  /** Puts what a restart left unanswered before everything else, in its order. */
  private putBack(life: Activation): void {
    for (const queued of life.stale?.unanswered.reverse() ?? []) {
      if (queued.answered || (queued.list && !queued.list.deferred)) continue;
      queued.list?.remove(queued);
      queued.open();
      this.queue.unshift(queued);
      this.host.counters.queued++;
    }
  }

  private crash(phase: FaultPhase, thrown: unknown, queued?: QueuedMessage): void {
    const error = asError(thrown);
    if (queued?.awaited) queued.reject(error);
    else queued?.close();
    if (this.life?.stale) this.putBack(this.life);
    this.crashes ??= new CrashRecord(this.host.crashes);
    this.crashes.add(this.host.clock.now());
    const { crashes } = this;
    this.host.fault(this, phase, error, crashes);
    this.drop(error);
    if (this.parent) {
      this.parent.childFailed(this, error, crashes.open);
      if (crashes.open) {
        this.halt(error);
        return;
      }
    }
    if (phase === 'activate') this.answerAll(error);
    else if (crashes.open) this.answerAll(this.brokenDown(crashes.retryAt - this.host.clock.now(), error));
    this.wake();
  }

  private drop(reason: Error): void {
    const { life } = this;
    this.down('down');
    this.life = undefined;
    life?.end(reason);
  }

  private down(state: 'down' | 'passivating'): void {
    if (this.state === 'active') this.host.counters.active--;
    this.state = state;
  }

  /** Answers every ask that waits; what nobody waits for stays. */
  private answerAll(error: Error): void {
    for (let n = this.queue.size; n > 0; n--) {
      const queued = this.queue.shift() as QueuedMessage;
      if (queued.kind === 'ask') {
        this.host.counters.queued--;
        queued.reject(error);
      } else this.queue.push(queued);
    }
  }

  private brokenDown(leftMs: number, cause?: Error): HivekeepError {
    return unavailable(`${addressKey(this.address)} crashed ${this.host.crashes.limit} times in a minute`, {
      cause,
      retryAfter: Math.max(1, Math.ceil(leftMs / 1000)),
      details: { reason: 'CrashLoop' },
    });
  }

  /** Ends a child for good, once its handler in flight has ended. */
  halt(reason: Error): void {
    if (this.stopping) return;
    this.stopping = true;
    if (this.working || this.calling || this.held) this.haltReason = reason;
    else this.finishHalt(reason);
  }

  /** The predecessor of the same address is gone. */
  release(): void {
    this.held = false;
    if (this.haltReason) this.finishHalt(this.haltReason);
    else this.wake();
  }

  private finishHalt(reason: Error): void {
    this.haltReason = undefined;
    this.abandon(reason);
  }

  /** Drops what there is and answers whoever waits, a handler in flight or not: the end of a halt, and of a stop past its grace time. */
  abandon(reason: Error): void {
    this.stopping = true;
    if (this.inHand?.awaited) this.inHand.reject(reason);
    else this.inHand?.close();
    this.drop(reason);
    this.answerAll(reason);
    for (let queued = this.queue.shift(); queued; queued = this.queue.shift()) {
      this.host.counters.queued--;
      queued.close();
    }
    this.vanish();
  }

  /** Forgotten, unless its crashes still count. The sweeper asks again. */
  vanish(): void {
    if (this.state !== 'down' || this.queue.size > 0) return;
    if (this.crashes && !this.stopping && !this.host.draining && !this.crashes.over(this.host.clock.now())) return;
    this.cancelWait?.();
    this.cancelWait = undefined;
    this.stopping = true;
    this.host.slotRemoved(this);
    this.parent?.childGone(this);
    this.successor?.release();
  }

  /** The system stops: what waits for a later time goes on now, or not at all. */
  hurry(): void {
    this.cancelWait?.();
    this.cancelWait = undefined;
    this.wake();
  }
}
