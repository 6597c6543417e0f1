/**
 * A message on its way to an actor, and the queues that hold it.
 *
 * Message, reply and list node are one object, because at about 100,000 messages a second each additional object is
 * noticeable. The asker's resolver is part of it, so an answer can reach nobody else (nact's `query` finds the asker by
 * a random id).
 *
 * Invariants
 *  - A message is answered once: the first resolve or reject counts.
 *  - A message counts against its actor from admission until it is closed: an ask when answered, another when
 *     handled.
 */
import { Linked, LinkedList } from '../../src/base/linked-list.js';
import type { Asked } from './port.js';

/** The actor that a message counts against. */
export interface MessageOwner {
  opened(): void;
  closed(): void;
}

export class QueuedMessage extends Linked<QueuedMessage> implements Asked<unknown> {
  declare list: MessageQueue | undefined;
  answered = false;
  private counted = false;

  constructor(
    /** `ask`: a caller waits for the answer; `tell`: nobody does. */
    readonly kind: 'ask' | 'tell',
    readonly message: unknown,
    readonly owner: MessageOwner,
    private readonly yes?: (value: unknown) => void,
    private readonly no?: (error: Error) => void,
  ) {
    super();
  }

  /** Whether somebody still waits for an answer. */
  get awaited(): boolean {
    return this.kind === 'ask' && !this.answered;
  }

  resolve(value: unknown): void {
    if (this.answered) return;
    this.answered = true;
    this.yes?.(value);
    this.afterAnswer();
  }

  reject(error: Error): void {
    if (this.answered) return;
    this.answered = true;
    this.no?.(error);
    this.afterAnswer();
  }

  open(): void {
    if (this.counted) return;
    this.counted = true;
    this.owner.opened();
  }

  close(): void {
    if (!this.counted) return;
    this.counted = false;
    this.owner.closed();
  }

  /**
   * An answered ask leaves the list of deferred ones; in a queue it stays and is skipped, so that queue lengths stay
   * right.
   */
  private afterAnswer(): void {
    if (this.kind !== 'ask') return;
    if (this.list?.deferred) this.list.remove(this);
    this.close();
  }
}

/** The queue of an actor, or the asks that its activation has handled but not yet answered. */
export class MessageQueue extends LinkedList<QueuedMessage> {
  constructor(readonly deferred: boolean) {
    super();
  }
}
