/**
 * Measures the age of something by the larger of the monotonic and the wall clock: the monotonic clock stands still
 * while a machine is suspended, and the wall clock jumps when it is set.
 */
export interface Clocks {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds from an arbitrary starting point; never goes back. */
  monotonic: () => number;
}

/** Starts running when it is constructed. */
export class Stopwatch {
  private readonly wall: number;
  private readonly steady: number;

  constructor(private readonly clocks: Clocks) {
    this.wall = clocks.now();
    this.steady = clocks.monotonic();
  }

  /** Elapsed time in milliseconds. */
  get ms(): number {
    return Math.max(this.clocks.now() - this.wall, this.clocks.monotonic() - this.steady);
  }
}

/**
 * An apply has no effect later than this, in milliseconds, after its head was read or sent. The limit must stay below
 * the lifetime of tombstones, which prevent a late put from bringing back a deleted document and expire after a day.
 */
export const applyAgeMs = 60_000;
