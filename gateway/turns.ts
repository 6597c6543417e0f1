/**
 * How much is begun in one turn of the event loop. Each request and each event is short, but nothing else is served
 * until the last of those that begin in the same turn is done.
 *
 *  - `hasTime` is false in a turn in which `turnMs` have passed since it was first asked.
 *  - `whenTime` calls back once: in this turn, when what was begun before has done all that it does at once, or in the
 *    next if this one's time is used up.
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

  constructor(options: TurnsOptions) {
    this.options = { nextTurn: setImmediate, settled: whenSettled, ...options };
  }

  hasTime(): boolean {
    const { monotonic, turnMs, nextTurn } = this.options;
    const now = monotonic();
    if (this.startedAt !== null) return now - this.startedAt < turnMs;
    this.startedAt = now;
    nextTurn(() => {
      this.startedAt = null;
    });
    return true;
  }

  whenTime(then: () => void): void {
    const { nextTurn, settled } = this.options;
    (this.hasTime() ? settled : nextTurn)(then);
  }
}

/** The queue of ticks is looked at again when that of microtasks is empty. */
function whenSettled(then: () => void): void {
  queueMicrotask(() => {
    process.nextTick(then);
  });
}
