/** Where time comes from. Everything that needs time takes one of these, so that no unit test sleeps. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `fn` once after `ms`; the returned function cancels. A timer never keeps the process alive. */
  after(ms: number, fn: () => void): () => void;
}

/** A clock that also measures durations. */
export interface MonotonicClock extends Clock {
  /** Milliseconds from any beginning that never go back, whatever is done to the wall clock. */
  elapsed(): number;
}

/** A clock that never stands still and never goes back. */
export const tick = (now: number, last: number): number => Math.max(now, last + 1);

/**
 * Where an entity's time stands, in ms. Its ids never go back, so that pages by id never skip anything. Its timestamps
 * never stand still, and follow a clock that was ahead and has been put right: they run at most `maxSkewMs` ahead of it.
 */
export interface EntityTime {
  /** The time of the last change, as its timestamps say it. */
  lastMs: number;
  /** The time in the last ids, where a clock that was ahead has left it beyond `lastMs`. */
  idMs?: number | undefined;
}

/** Clocks of processes that take turns at an entity may differ this much; a larger difference is an error of a clock. */
export const maxSkewMs = 120_000;

export const idTime = ({ lastMs, idMs }: EntityTime): number => idMs ?? lastMs;

/** The time of an entity's next change. */
export function advance(last: EntityTime, now: number): EntityTime {
  const idMs = tick(now, idTime(last));
  const lastMs = last.lastMs - now > maxSkewMs ? now : tick(now, last.lastMs);
  return idMs === lastMs ? { lastMs } : { lastMs, idMs };
}

let second = NaN;
let prefix = '';

/** ISO 8601 with milliseconds, UTC. Years 0 to 9999. The part up to the second is kept: it is asked for thousands of times in one. */
export function iso(ms: number): string {
  const whole = Math.floor(ms / 1000);
  if (whole !== second) {
    prefix = new Date(whole * 1000).toISOString().slice(0, 20);
    second = whole;
  }
  const rest = ms - whole * 1000;
  return `${prefix}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`;
}
