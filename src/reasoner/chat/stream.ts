/**
 * A reply that arrives in pieces.
 *
 *  - The reply is what the server would have answered at once: a stream that ends before its model has finished is a
 *    broken connection, never a short answer.
 *  - A listener hears the text of the answer, plain or as the content of an `answer` call. Of thoughts and of other
 *    calls it hears nothing, and what was said before a call is void, because then it was no answer; unless the call
 *    only keeps something in memory (reply.ts).
 *  - What a reply says is at most `maxBytes`, however little arrives at a time.
 */
import type { TextListener } from '../port.js';
import { AnswerContent } from './answer-content.js';
import { AnswerTooLong } from './bounded-fetch.js';
import { Spoken } from './spoken.js';
import { onlyKeeps } from './tools.js';

/** What a request in progress tells. */
export interface Progress {
  /** A piece has arrived. */
  alive(): void;
  listener?: TextListener | undefined;
}

/** Puts the pieces of one API together. */
export interface Assembler {
  add(piece: unknown): void;
  /** The server says that nothing more comes. */
  end?(): void;
  /** The reply, or null while it is not complete. */
  whole(): unknown;
}

/** Tells a listener of a reply while it arrives, and counts what it says. */
export class Writing {
  private bytes = 0;
  private told = false;
  private calls = false;
  private answer: AnswerContent | null = null;
  private readonly spoken = new Spoken();

  constructor(
    private readonly maxBytes: number,
    private readonly listener: TextListener | undefined,
  ) {}

  text(piece: string): void {
    this.count(piece);
    if (this.calls) return;
    const said = this.spoken.add(piece);
    if (this.spoken.voided) this.void();
    this.tell(said);
  }

  /** A call begins. */
  call(name: string): void {
    this.count(`${name}{}`);
    if (onlyKeeps(name)) return;
    this.calls = true;
    if (this.answer) return;
    this.void();
    if (name === 'answer') this.answer = new AnswerContent();
  }

  private void(): void {
    if (this.told) this.listener?.restart();
    this.told = false;
  }

  /** Arguments of a call; `answer` says whether it is the answer's. */
  arguments(piece: string, answer: boolean): void {
    this.count(piece);
    const text = answer ? this.answer?.add(piece) : undefined;
    if (text !== undefined) this.tell(text);
  }

  count(piece: string): void {
    this.bytes += Buffer.byteLength(piece);
    if (this.bytes > this.maxBytes) throw new AnswerTooLong(this.maxBytes);
  }

  private tell(text: string): void {
    if (text === '') return;
    this.told = true;
    this.listener?.heard(text);
  }
}
