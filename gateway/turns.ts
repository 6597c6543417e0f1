/**
 * How much is begun in one turn of the event loop. Each request and each event is short, but nothing else is served
 * until the last of those that begin in the same turn is done.
 *
 *  - `hasTime` is false in a turn in which `turnMs` have passed since it was first asked.
 *  - `enter` calls back once, when there is time: in this turn, when what was begun before has done all that it does at
 *    once, or in a later one. Those who wait are called one by one, in their order.
 */
export interface TurnsOptions {
  monotonic: () => number;
  turnMs: number;
  /** Calls back in the next turn; tests may replace it. */
  nextTurn?: (then: () => void) => void;
  /** Calls back in this turn when all promises have settled that can; tests may replace it. */
  settled?: (then: () => void) => void;
}

export class Turns {
  private readonly options: Required<TurnsOptions>;
  private startedAt: number | null = null;
  private readonly waiting: (() => void)[] = [];
  private called = false;

  constructor(options: TurnsOptions) {
    this.options = { nextTurn: setImmediate, settled: whenSettled, ...options };
  }

  private hasTime(): boolean {
    const { monotonic, turnMs, nextTurn } = this.options;
    const now = monotonic();
    if (this.startedAt !== null) return now - this.startedAt < turnMs;
    this.startedAt = now;
    nextTurn(() => {
      this.startedAt = null;
    });
    return true;
  }

  /** Whether what comes now has to wait: behind others, or for the next turn. */
  isOver(): boolean {
    return this.waiting.length > 0 || !this.hasTime();
  }

  enter(then: () => void): void {
    this.waiting.push(then);
    this.callNext();
  }

  private callNext(): void {
    if (this.called || this.waiting.length === 0) return;
    this.called = true;
    const { nextTurn, settled } = this.options;
    (this.hasTime() ? settled : nextTurn)(() => {
      this.called = false;
      this.waiting.shift()?.();
      this.callNext();
    });
  }
}

/** The queue of ticks is looked at again when that of microtasks is empty. */
function whenSettled(then: () => void): void {
  queueMicrotask(() => {
    process.nextTick(then);
  });
}
