/**
 * How old something is, by the larger of the monotonic and the wall clock: the first stands still while a machine is
 * suspended, the second jumps when it is set.
 */
export interface Clocks {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds from any beginning, never going back. */
  monotonic: () => number;
}

/** Began when it was made. */
export class Stopwatch {
  private readonly wall: number;
  private readonly steady: number;

  constructor(private readonly clocks: Clocks) {
    this.wall = clocks.now();
    this.steady = clocks.monotonic();
  }

  /** Milliseconds. */
  get ms(): number {
    return Math.max(this.clocks.now() - this.wall, this.clocks.monotonic() - this.steady);
  }
}

/**
 * An apply has no effect later than this after its head was read or sent: tombstones, which keep a
 * late put from bringing back what was deleted, go after a day.
 */
export const applyAgeMs = 60_000;
