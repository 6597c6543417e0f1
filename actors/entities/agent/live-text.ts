/**
 * Tells the followers of a run the text that its model is writing (bus/port.ts, TextPiece).
 *
 * Invariants
 *  - At most one piece is published in `everyMs`, with all that was heard since the last. While nobody listens, it is
 *    one in `restMs`. That a text has become void is told at once.
 *  - Once in `restMs`, and when somebody may have begun to listen, the piece is the whole text so far, so that
 *    whoever comes late or missed one can go on. A text of more than `wholeBound` characters is not told as a whole.
 *  - Nothing is published after `end`.
 * Nothing depends on it: the step's commit has the answer.
 */
import { bound as wholeBound } from '../../../src/bus/run-updates.js';
import type { Bus, RunTopic } from '../../../src/bus/port.js';
import type { MonotonicClock } from '../../../src/domain/shared/clock.js';
import type { TextListener } from '../../../src/reasoner/port.js';

export const everyMs = 50;
export const restMs = 1000;

export class LiveText implements TextListener {
  private text = '';
  private round = 0;
  /** How much of the text has been published. */
  private sent = 0;
  private listening = true;
  /** When a piece was published last, and when the whole text was. */
  private lastMs = -Infinity;
  private wholeMs = -Infinity;
  private cancel: (() => void) | null = null;
  private due = 0;
  private ended = false;

  constructor(
    private readonly bus: Pick<Bus, 'publishText'>,
    private readonly clock: MonotonicClock,
    private readonly topic: RunTopic,
    private readonly at: { step: number; attempt: number },
  ) {}

  /** What was heard of the present text. */
  get soFar(): string {
    return this.text;
  }

  heard(text: string): void {
    // a text without content has not begun
    const more = this.text === '' ? text.trimStart() : text;
    this.text += more.replaceAll('\0', '');
    if (this.text === '') return;
    this.arm(this.listening ? everyMs : Math.max(everyMs, this.lastMs + restMs - this.clock.elapsed()));
  }

  /** Begins a new text. That what was published is void is told at once, because the step may end now. */
  restart(): void {
    const published = this.sent > 0;
    this.round++;
    this.text = '';
    this.sent = 0;
    this.wholeMs = -Infinity;
    this.disarm();
    if (published && !this.ended) this.publish();
  }

  end(): void {
    this.ended = true;
    this.disarm();
  }

  private disarm(): void {
    this.cancel?.();
    this.cancel = null;
  }

  /** Publishes after `ms`, unless that is due earlier already. */
  private arm(ms: number): void {
    const due = this.clock.elapsed() + ms;
    if (this.ended || (this.cancel && this.due <= due)) return;
    this.disarm();
    this.due = due;
    this.cancel = this.clock.after(ms, () => {
      this.cancel = null;
      this.publish();
    });
  }

  private publish(): void {
    const now = this.clock.elapsed();
    const whole = (!this.listening || now - this.wholeMs >= restMs) && this.text.length <= wholeBound;
    if (!whole && !this.listening) return;
    const from = whole ? 0 : this.sent;
    const end = this.text.length - (isHighSurrogate(this.text.charCodeAt(this.text.length - 1)) ? 1 : 0);
    if (from >= end && end > 0) return;
    // timers of the process count whole milliseconds, and may be early by a part of one
    if (!whole && end <= wholeBound) this.arm(Math.ceil(this.wholeMs + restMs - now) + 1);
    this.sent = end;
    this.lastMs = now;
    if (whole) this.wholeMs = now;
    const text = this.text.slice(from, end).toWellFormed();
    const heard = this.bus.publishText(this.topic, { ...this.at, round: this.round, from, text });
    if (typeof heard === 'boolean') this.listening = heard;
    else
      void heard.then((listening) => {
        this.listening = listening;
      });
  }
}

/** The first half of a character, whose second half may not have come yet. */
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
