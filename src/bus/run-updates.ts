/**
 * The events of a run, with the text that its model is writing in between. Events come as they would alone
 * (run-events.ts); text is told while it is of use.
 *
 * Invariants
 *  - What the deltas of a text add up to, those that replace what was before included, is a beginning of that text: a
 *    piece that does not follow what is there is held back until one comes that begins at 0.
 *  - No text of a step is told behind what the step came to: its thoughts, the answer, or a status that ends or pauses
 *    the run.
 *  - If the run ends or pauses without an answer, text that was told is taken back before that status.
 *  - For a reader that does not read, at most `bound` characters are kept, as one delta.
 */
import type { RunDelta, RunEvent, RunUpdate } from '../domain/model/model.js';
import type { TextPiece } from './port.js';

export const bound = 64 * 1024;

export interface RunUpdatesSource {
  events: AsyncIterable<RunEvent>;
  /** Called at the first read; returns what ends the subscription. */
  subscribe(tell: (pieces: readonly TextPiece[]) => void): () => void;
  now(): number;
}

const done = { done: true, value: undefined } as const;

export function withText(source: RunUpdatesSource): AsyncIterable<RunUpdate> {
  return { [Symbol.asyncIterator]: () => new Updates(source) };
}

type Step = { value: IteratorResult<RunEvent, undefined> } | { error: unknown };

class Updates implements AsyncIterator<RunUpdate> {
  private readonly events: AsyncIterator<RunEvent>;
  private readonly text = new Text();
  private unsubscribe: (() => void) | null = null;
  private asked = false;
  /** What the source has answered and nobody has been told yet. */
  private step: Step | null = null;
  private over = false;
  private wake: () => void = () => undefined;

  constructor(private readonly source: RunUpdatesSource) {
    this.events = source.events[Symbol.asyncIterator]();
  }

  async next(): Promise<IteratorResult<RunUpdate, undefined>> {
    if (this.over) return done;
    this.unsubscribe ??= this.source.subscribe((pieces) => {
      for (const piece of pieces) this.text.add(piece);
      if (this.text.waiting) this.wake();
    });
    this.ask();
    for (;;) {
      // An event that is there already goes first.
      if (!this.step && this.text.waiting)
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      const step = this.step;
      if (step) return this.told(step);
      if (this.over) return done;
      const delta = this.text.take();
      if (delta) return this.delta(delta);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<RunUpdate, undefined>> {
    this.end();
    await this.events.return?.();
    return done;
  }

  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    const answer = (step: Step): void => {
      this.step = step;
      this.wake();
    };
    this.events.next().then(
      (value) => answer({ value: value.done ? done : value }),
      (error: unknown) => answer({ error }),
    );
  }

  private told(step: Step): IteratorResult<RunUpdate, undefined> {
    if ('error' in step || step.value.done) {
      this.end();
      if ('error' in step) throw step.error;
      return done;
    }
    const before = this.text.event(step.value.value);
    if (before) return this.delta(before);
    this.step = null;
    this.asked = false;
    return step.value;
  }

  private delta(delta: Omit<RunDelta, 'type' | 'at'>): IteratorResult<RunUpdate, undefined> {
    return { done: false, value: { type: 'delta', at: new Date(this.source.now()).toISOString(), ...delta } };
  }

  private end(): void {
    this.over = true;
    this.unsubscribe?.();
    this.unsubscribe = () => undefined;
    this.wake();
  }
}

type Told = Omit<RunDelta, 'type' | 'at'>;

/** What of the text the reader has, and what it is to be told next. */
class Text {
  private newest = { attempt: -Infinity, round: 0, step: 0 };
  /** How much of the newest text the reader has or is about to be told; null after a gap. */
  private length: number | null = null;
  private pending = '';
  /** Whether what is pending goes on from what was told. */
  private append = false;
  /** Whether the reader has been told text that still stands. */
  private shown = false;
  /** The steps up to this one have come to their end. */
  private closed = 0;
  private resting = false;

  get waiting(): boolean {
    return this.pending !== '' || (this.shown && !this.append);
  }

  add({ step, attempt, round, from, text }: TextPiece): void {
    if (this.resting || step <= this.closed) return;
    const order = attempt - this.newest.attempt || round - this.newest.round;
    if (order < 0) return;
    if (order > 0) this.newest = { attempt, round, step };
    if (order > 0 || (this.length === null && from === 0)) this.begin();
    if (this.length === null) return;
    if (from > this.length) {
      this.lose();
      return;
    }
    const more = text.slice(this.length - from);
    this.pending += more;
    this.length += more.length;
    if (this.pending.length > bound) this.lose();
  }

  private begin(): void {
    this.length = 0;
    this.pending = '';
    this.append = false;
  }

  private lose(): void {
    this.length = null;
    this.pending = '';
    this.append = true;
  }

  take(): Told | null {
    if (!this.waiting) return null;
    const told = { step: this.newest.step, append: this.append, text: this.pending };
    this.shown = this.append || told.text !== '';
    this.append = true;
    this.pending = '';
    return told;
  }

  /** Takes note of an event that comes next; returns what has to be told before it. */
  event(event: RunEvent): Told | null {
    if (event.type === 'thought') {
      this.closed = Math.max(this.closed, event.thought.step);
      if (this.newest.step <= this.closed) this.lose();
      return null;
    }
    this.resting = event.type === 'answer' || event.status !== 'running';
    if (!this.resting) return null;
    const takesBack = event.type === 'status' && this.shown;
    this.lose();
    this.shown = false;
    return takesBack ? { step: this.newest.step, append: false, text: '' } : null;
  }
}
