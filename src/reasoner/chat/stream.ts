/**
 * A reply that arrives in pieces.
 *
 *  - The reply is what the server would have answered at once: a stream that ends before its model has finished is a
 *    broken connection, never a short answer.
 *  - A listener hears the text of the answer, plain or as the content of an `answer` call. Of thoughts and of other
 *    calls it hears nothing, and what was said before a call is void, because then it was no answer.
 *  - What a reply says is at most `maxBytes`, however little arrives at a time.
 */
import type { TextListener } from '../port.js';
import { AnswerContent } from './answer-content.js';
import { AnswerTooLong } from './bounded-fetch.js';
import { Spoken } from './spoken.js';

/** What a request in progress tells. */
export interface Progress {
  /** A piece has arrived. */
  alive(): void;
  listener?: TextListener | undefined;
}

/** Puts the pieces of one API together. */
export interface Assembler {
  add(piece: unknown): void;
  /** The reply, or null while it is not complete. */
  whole(): unknown;
}

/**
 * Asks for streams, unless they are not wanted or the server has refused one and then answered without: some servers do
 * not stream, or not with tools, or do not know an option of it.
 */
export function preferringStreams<A extends unknown[]>(
  wanted: boolean,
  ask: (stream: boolean, ...about: A) => Promise<unknown>,
): (...about: A) => Promise<unknown> {
  let streams = wanted;
  return async (...about) => {
    if (streams)
      try {
        return await ask(true, ...about);
      } catch (error) {
        if (!refusesStreams(error)) throw error;
      }
    const reply = await ask(false, ...about);
    streams = false;
    return reply;
  };
}

/** Servers refuse a stream by an error that speaks of it. */
function refusesStreams(error: unknown): boolean {
  const { status, error: body, message } = error as { status?: unknown; error?: unknown; message?: unknown };
  if (![400, 405, 415, 422, 500, 501].includes(status as number)) return false;
  return /\bstream/i.test(`${String(message)} ${JSON.stringify(body ?? '')}`);
}

/** The reply of a server that was asked for a stream. One that knows no streams answers at once. */
export async function assembled(
  request: { withResponse(): Promise<{ data: AsyncIterable<unknown>; response: Response }> },
  assembler: Assembler,
  signal: AbortSignal,
  progress: Progress,
): Promise<unknown> {
  const { data, response } = await request.withResponse();
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) return /[/+]json\b/.test(type) ? response.json() : response.text();
  for await (const piece of data) {
    progress.alive();
    assembler.add(piece);
  }
  signal.throwIfAborted(); // the SDKs end an aborted stream without an error
  const reply = assembler.whole();
  if (reply === null) throw new Error('the stream ended before the reply did');
  return reply;
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
    if (!this.calls) this.tell(this.spoken.add(piece));
  }

  /** A call begins. */
  call(name: string): void {
    this.count(`${name}{}`);
    this.calls = true;
    if (this.answer) return;
    if (this.told) this.listener?.restart();
    this.told = false;
    if (name === 'answer') this.answer = new AnswerContent();
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
