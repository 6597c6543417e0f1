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
 *  - A message is in at most one list.
 */
import type { Envelope, Reply } from './port.js';

/** The actor that a message counts against. */
export interface MessageOwner {
  opened(): void;
  closed(): void;
}

export class QueuedMessage implements Envelope<unknown>, Reply {
  previous: QueuedMessage | undefined = undefined;
  next: QueuedMessage | undefined = undefined;
  list: MessageQueue | undefined = undefined;
  answered = false;
  private counted = false;

  constructor(
    /** `ask`: a caller waits for the answer; `tell`: nobody does. */
    readonly kind: 'ask' | 'tell',
    public message: unknown,
    readonly owner: MessageOwner,
    private readonly yes?: (value: unknown) => void,
    private readonly no?: (error: Error) => void,
  ) {}

  get reply(): Reply {
    return this;
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

/**
 * A doubly linked queue of messages: the queue of an actor, or the asks that its activation has handled but not yet
 * answered.
 */
export class MessageQueue {
  size = 0;
  private head: QueuedMessage | undefined = undefined;
  private tail: QueuedMessage | undefined = undefined;

  constructor(readonly deferred: boolean) {}

  push(queued: QueuedMessage): void {
    queued.list = this;
    queued.previous = this.tail;
    if (this.tail) this.tail.next = queued;
    else this.head = queued;
    this.tail = queued;
    this.size++;
  }

  unshift(queued: QueuedMessage): void {
    queued.list = this;
    queued.next = this.head;
    if (this.head) this.head.previous = queued;
    else this.tail = queued;
    this.head = queued;
    this.size++;
  }

  shift(): QueuedMessage | undefined {
    const queued = this.head;
    if (queued) this.remove(queued);
    return queued;
  }

  /** Clears the links, so that a dead message in old space does not keep its neighbours from being collected early. */
  remove(queued: QueuedMessage): void {
    if (queued.previous) queued.previous.next = queued.next;
    else this.head = queued.next;
    if (queued.next) queued.next.previous = queued.previous;
    else this.tail = queued.previous;
    queued.previous = queued.next = queued.list = undefined;
    this.size--;
  }
}
