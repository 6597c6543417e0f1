/**
 * A message under way to an actor, and the queues that hold it.
 *
 * A letter is message, reply and list node in one object, because at some 100,000 a second each further object shows.
 * The asker's resolver travels in it, so an answer can reach nobody else (nact's `query` finds the asker by a random id).
 *
 * Invariants
 *  L1 A letter is answered once: the first resolve or reject counts.
 *  L2 A letter is counted by its actor from admission until it is closed: an ask when answered, another when handled.
 *  L3 A letter is in one list at most.
 */
import type { Envelope, Reply } from './port.js';

/** ask: somebody waits; tell: nobody does; failure: the runtime's word to a parent about its child. */
export type LetterKind = 'ask' | 'tell' | 'failure';

/** Who counts a letter: its actor. */
export interface LetterOwner {
  opened(): void;
  closed(): void;
}

export class Letter implements Envelope<unknown>, Reply {
  previous: Letter | undefined = undefined;
  next: Letter | undefined = undefined;
  list: Letters | undefined = undefined;
  answered = false;
  private counted = false;

  constructor(
    readonly kind: LetterKind,
    public message: unknown,
    readonly owner: LetterOwner,
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

  /** An answered ask leaves the list of deferred ones; in an inbox it stays and is skipped, so that queue lengths stay right. */
  private afterAnswer(): void {
    if (this.kind !== 'ask') return;
    if (this.list?.deferred) this.list.remove(this);
    this.close();
  }
}

/** A doubly linked queue of letters: an actor's inbox, or the asks that its incarnation has handled and not yet answered. */
export class Letters {
  size = 0;
  private head: Letter | undefined = undefined;
  private tail: Letter | undefined = undefined;

  constructor(readonly deferred: boolean) {}

  push(letter: Letter): void {
    letter.list = this;
    letter.previous = this.tail;
    if (this.tail) this.tail.next = letter;
    else this.head = letter;
    this.tail = letter;
    this.size++;
  }

  unshift(letter: Letter): void {
    letter.list = this;
    letter.next = this.head;
    if (this.head) this.head.previous = letter;
    else this.tail = letter;
    this.head = letter;
    this.size++;
  }

  shift(): Letter | undefined {
    const letter = this.head;
    if (letter) this.remove(letter);
    return letter;
  }

  /** Links are cleared, so that a dead letter in old space does not keep its living neighbours from being collected early. */
  remove(letter: Letter): void {
    if (letter.previous) letter.previous.next = letter.next;
    else this.head = letter.next;
    if (letter.next) letter.next.previous = letter.previous;
    else this.tail = letter.previous;
    letter.previous = letter.next = letter.list = undefined;
    this.size--;
  }
}
