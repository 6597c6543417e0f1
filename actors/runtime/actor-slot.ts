/**
 * The slot of an actor: its queue, and its successive activations.
 *
 * | state       | meaning                                               | leads to |
 * |-------------|-------------------------------------------------------|----------|
 * | down        | nothing is loaded; messages may wait                  | activating, backoff, gone |
 * | backoff     | after a crash or an outage, until it may start again  | down, gone |
 * | activating  | `activate` is in progress                             | ready, down, gone |
 * | ready       | loaded, between two messages                          | handling, retiring, passivating, down, gone |
 * | retiring    | idle: passivates in its next turn if no message comes | handling, passivating, down, gone |
 * | handling    | a handler is in progress                              | ready, down, gone |
 * | passivating | `idle` is called, or `passivate` is in progress       | ready, down, gone |
 * | gone        | removed from the system                               | |
 *
 * Invariants (system.ts states what they add up to)
 *  - One method of the behaviour runs at a time: in `activating`, `handling` and `passivating` no other is called,
 *    whether the method is on the stack or its promise is awaited.
 *  - The queue outlives activations: waiting messages are served by the next one. Only an opening breaker, a
 *     failed activation and a forced stop answer them otherwise, and never silently.
 *  - A handler ends in exactly one way: its message is closed, deferred, or put back by a restart.
 *
 * On failure: whatever a behaviour throws or rejects with becomes a crash (crash-policy.ts) and reaches only the asker
 * of the message in progress. An actor that crashes too often answers UNAVAILABLE for a while. An outage of a
 * dependency is not a crash: askers get an error, and the actor is loaded again after a pause.
 */
import { backoffMs } from '../../src/domain/shared/clock.js';
import { inspect } from 'node:util';
import { unavailable, type HivekeepError } from '../../src/domain/shared/errors.js';
import { Activation, type ActivationSlot, type FaultPhase, type SlotHost } from './activation.js';
import { CrashRecord } from './crash-policy.js';
import { MessageQueue, type QueuedMessage } from './message-queue.js';
import { addressKey, type Address, type Behavior } from './port.js';
import { type Lane, Runnable } from './scheduler.js';

type SlotState = 'down' | 'backoff' | 'activating' | 'ready' | 'retiring' | 'handling' | 'passivating' | 'gone';

/** What a slot tells its system. */
export interface SlotOwner extends SlotHost {
  slotAdded(slot: ActorSlot): void;
  /** Called when the slot is empty: the system removes it. */
  slotRemoved(slot: ActorSlot): void;
}

/** `inspect`, because an object without a prototype has no `toString`. */
const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(`thrown: ${inspect(thrown)}`, { cause: thrown });

/** The pause before an actor is loaded again after an outage, which is at most as long as the outage asks for. */
const pauseAfter = (outages: number, { retryAfter = 1 }: Partial<HivekeepError>): number =>
  backoffMs({ firstMs: 250, longestMs: retryAfter * 1000 }, outages);

export class ActorSlot extends Runnable implements ActivationSlot {
  /** When the actor last handled a message, in ms. */
  usedAt: number;
  private state: SlotState = 'down';
  /** Set in every state from `activating` to `passivating`. */
  private activation: Activation | undefined = undefined;
  /** The actor was asked to passivate and was not idle; only another message can change that. */
  private stays = false;
  /** Set in `handling`, while the handler's promise is awaited. */
  private inProgress: QueuedMessage | undefined = undefined;
  /** Set in `backoff`. */
  private cancelBackoff: (() => void) | undefined = undefined;
  private readonly queue = new MessageQueue(false);
  private unanswered = 0;
  private crashes: CrashRecord | undefined = undefined;
  /** How often an outage has interrupted the actor since it was last loaded. */
  private outages = 0;

  constructor(
    readonly address: Address,
    readonly lane: Lane,
    readonly host: SlotOwner,
    private readonly make: () => Behavior<unknown>,
  ) {
    super();
    this.usedAt = host.clock.elapsed();
    host.slotAdded(this);
  }

  private is(state: SlotState): boolean {
    return this.state === state;
  }

  /** Loaded, and between two messages. */
  private get atRest(): boolean {
    return this.state === 'ready' || this.state === 'retiring';
  }

  // Admission

  /** The reason for refusing a message from outside, if any. */
  refusal(): HivekeepError | undefined {
    if (this.unanswered >= this.host.queueLimit)
      return unavailable(`the mailbox of ${addressKey(this.address)} is full`, { details: { reason: 'MailboxFull' } });
    if (!this.crashes?.open) return undefined;
    const left = this.crashes.retryAt - this.host.clock.elapsed();
    return left > 0 ? this.crashLoop(left) : undefined;
  }

  push(message: QueuedMessage): void {
    message.open();
    this.host.counters.queued++;
    this.queue.push(message);
    if (!this.list) this.wake();
  }

  opened(): void {
    this.unanswered++;
  }
  closed(): void {
    this.unanswered--;
    if (this.unanswered === 0 && this.host.draining) this.wake();
  }

  wake(): void {
    if (!this.list && this.ready) this.host.scheduler.schedule(this);
  }

  get ready(): boolean {
    switch (this.state) {
      case 'down':
        return this.queue.size > 0 || this.host.draining;
      case 'ready':
        return this.queue.size > 0 || (this.host.draining && !this.stays && !this.activation?.bound);
      case 'retiring':
        return true;
      case 'backoff':
      case 'activating':
      case 'handling':
      case 'passivating':
      case 'gone':
        return false;
      default:
        return this.state satisfies never;
    }
  }

  // Its turn

  run(limit: number): number {
    if (!this.ready) return 0;
    if (this.queue.size > 0) this.usedAt = this.host.clock.elapsed();
    if (this.is('down')) this.start();
    let handled = 0;
    while (handled < limit && this.atRest) {
      if (handled > 0 && this.queue.size > 0 && this.host.scheduler.overdue()) break;
      const message = this.nextMessage();
      if (!message) {
        if (this.is('retiring') || this.host.draining) this.passivate();
        break;
      }
      this.handle(message);
      handled++;
    }
    return handled;
  }

  /** The next message to handle, skipping asks that were answered meanwhile. */
  private nextMessage(): QueuedMessage | undefined {
    for (;;) {
      const message = this.queue.shift();
      if (!message) return undefined;
      this.host.counters.queued--;
      if (message.kind !== 'ask' || message.awaited) return message;
    }
  }

  /** Called when the sweeper found the actor idle. */
  retire(): void {
    if (this.is('ready')) {
      this.state = 'retiring';
      this.wake();
    } else if (this.is('down')) this.vanish();
  }

  // Activation

  private start(): void {
    const { crashes, host } = this;
    if (this.queue.size === 0) {
      if (host.draining) this.vanish();
      return;
    }
    if (crashes) {
      const now = host.clock.elapsed();
      if (crashes.over(now)) this.crashes = undefined;
      else if (now < crashes.retryAt) {
        this.waitUntilRetry(crashes, now);
        return;
      }
      host.counters.restarts++;
    }
    this.state = 'activating';
    this.perform(
      'activate',
      () => {
        this.activation = new Activation(this, this.make());
        return this.activation.behavior.activate(this.activation);
      },
      () => {
        this.activated();
      },
    );
  }

  private waitUntilRetry(crashes: CrashRecord, now: number): void {
    if (crashes.open && this.host.draining) {
      this.abandon(this.crashLoop(crashes.retryAt - now));
      return;
    }
    this.backOff(crashes.retryAt - now);
  }

  private backOff(ms: number): void {
    this.state = 'backoff';
    this.cancelBackoff = this.host.clock.after(ms, () => {
      this.leaveBackoff();
    });
  }

  private leaveBackoff(): void {
    if (!this.is('backoff')) return;
    this.cancelBackoff?.();
    this.cancelBackoff = undefined;
    this.state = 'down';
    this.wake();
  }

  private activated(): void {
    this.outages = 0;
    const activation = this.activation as Activation;
    try {
      activation.place();
    } catch (error) {
      this.crash('activate', error);
      return;
    }
    this.state = 'ready';
    activation.enterMemory();
    if (activation.stale) this.restart();
  }

  // Messages

  private handle(message: QueuedMessage): void {
    const activation = this.activation as Activation;
    this.state = 'handling';
    this.stays = false;
    this.host.counters.processed++;
    let result: void | Promise<void>;
    try {
      result = activation.behavior.receive(message);
    } catch (error) {
      this.crash('receive', error, message);
      return;
    }
    if (result === undefined) this.handled(message, activation);
    else {
      this.inProgress = message;
      this.await(
        result,
        () => {
          this.handled(message, activation);
        },
        (error) => {
          this.crash('receive', error, message);
        },
      );
    }
  }

  private handled(message: QueuedMessage, activation: Activation): void {
    if (message.awaited && !message.list) activation.deferred.push(message);
    else if (!message.awaited) message.close();
    if (!this.is('handling')) return;
    this.state = 'ready';
    if (activation.stale) this.restart();
  }

  // Methods of the behaviour

  private perform(phase: FaultPhase, method: () => void | Promise<void>, done: () => void): void {
    let result: void | Promise<void>;
    try {
      result = method();
    } catch (error) {
      this.crash(phase, error);
      return;
    }
    if (result !== undefined)
      this.await(result, done, (error) => {
        this.crash(phase, error);
      });
    else done();
  }

  /** The single point at which the slot waits for a behaviour. */
  private await(result: Promise<void>, done: () => void, failed: (error: unknown) => void): void {
    const settled = (then: () => void): void => {
      if (this.is('gone')) return;
      this.inProgress = undefined;
      then();
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

  // How an activation ends

  private passivate(): void {
    const activation = this.activation as Activation;
    this.state = 'passivating';
    const leaves = !activation.bound && this.mayLeave(activation);
    if (!this.is('passivating')) return;
    if (!leaves) {
      this.state = 'ready';
      return;
    }
    activation.leaveMemory();
    this.perform(
      'passivate',
      () => activation.behavior.passivate(),
      () => {
        if (activation.stale) this.putBack(activation);
        this.activation = undefined;
        this.state = 'down';
        activation.end();
        if (this.queue.size === 0) this.vanish();
      },
    );
  }

  /** While the system drains, it leaves whether or not it is idle. */
  private mayLeave(activation: Activation): boolean {
    if (this.host.draining) return true;
    try {
      this.stays = !activation.behavior.idle();
      return !this.stays;
    } catch (error) {
      this.crash('passivate', error);
      return false;
    }
  }

  reload(): void {
    if (this.atRest) this.restart();
  }

  /**
   * The behaviour no longer trusts its state: the next activation begins with the messages that this one left
   * unanswered.
   */
  private restart(): void {
    const activation = this.activation as Activation;
    this.putBack(activation);
    this.host.counters.restarts++;
    this.drop(activation.stale?.reason ?? new Error('restart'));
    this.wake();
  }

  /** Puts the messages that a restart left unanswered at the front of the queue, in order. */
  private putBack(activation: Activation): void {
    for (const message of activation.stale?.unanswered.reverse() ?? []) {
      if (message.answered || (message.list && !message.list.deferred)) continue;
      message.list?.remove(message);
      message.open();
      this.queue.unshift(message);
      this.host.counters.queued++;
    }
  }

  private crash(phase: FaultPhase, thrown: unknown, message?: QueuedMessage): void {
    const outage = this.host.outageOf(thrown);
    if (outage) {
      this.interrupt(phase, outage, message);
      return;
    }
    const error = asError(thrown);
    if (message?.awaited) message.reject(error);
    else message?.close();
    if (this.activation?.stale) this.putBack(this.activation);
    this.crashes ??= new CrashRecord(this.host.crashes);
    this.crashes.add(this.host.clock.elapsed());
    const { crashes } = this;
    this.host.fault(this.address, phase, error, crashes);
    this.drop(error);
    if (phase === 'activate') this.answerAll(error);
    else if (crashes.open) this.answerAll(this.crashLoop(crashes.retryAt - this.host.clock.elapsed(), error));
    this.wake();
  }

  /** Answers waiting askers with the outage; messages without an asker are handled when it is over. */
  private interrupt(phase: FaultPhase, outage: Error, message?: QueuedMessage): void {
    if (message?.awaited) message.reject(outage);
    else message?.close();
    if (this.activation?.stale) this.putBack(this.activation);
    this.drop(outage);
    if (phase === 'activate') this.answerAll(outage);
    this.host.interrupted(this.address, outage);
    if (this.is('down')) this.backOff(pauseAfter(++this.outages, outage));
  }

  private drop(reason: Error): void {
    const { activation } = this;
    this.activation = undefined;
    this.state = 'down';
    activation?.end(reason);
  }

  /** Answers every waiting ask; messages without an asker stay. */
  private answerAll(error: Error): void {
    for (let n = this.queue.size; n > 0; n--) {
      const message = this.queue.shift() as QueuedMessage;
      if (message.kind === 'ask') {
        this.host.counters.queued--;
        message.reject(error);
      } else this.queue.push(message);
    }
  }

  private crashLoop(leftMs: number, cause?: Error): HivekeepError {
    return unavailable(`${addressKey(this.address)} crashed ${this.host.crashes.limit} times in a minute`, {
      cause,
      retryAfter: Math.max(1, Math.ceil(leftMs / 1000)),
      details: { reason: 'CrashLoop' },
    });
  }

  // The end of the slot

  /**
   * Drops the activation and answers all askers, even if a method is in progress: the end of a stop past its grace
   * time.
   */
  abandon(reason: Error): void {
    if (this.is('gone')) return;
    const { activation, inProgress } = this;
    this.activation = this.inProgress = undefined;
    this.cancelBackoff?.();
    this.cancelBackoff = undefined;
    this.state = 'gone';
    if (inProgress?.awaited) inProgress.reject(reason);
    else inProgress?.close();
    activation?.end(reason);
    this.answerAll(reason);
    for (let message = this.queue.shift(); message; message = this.queue.shift()) {
      this.host.counters.queued--;
      message.close();
    }
    this.host.slotRemoved(this);
  }

  /** Removes the slot unless its crashes still count, in which case the sweeper tries again. */
  private vanish(): void {
    if (!this.is('down') || this.queue.size > 0) return;
    if (this.crashes && !this.host.draining && !this.crashes.over(this.host.clock.elapsed())) return;
    this.state = 'gone';
    this.host.slotRemoved(this);
  }

  /** Called when the system stops: a pending backoff ends now, and an actor that stayed for its own work leaves. */
  hurry(): void {
    this.stays = false;
    this.leaveBackoff();
    this.wake();
  }
}
