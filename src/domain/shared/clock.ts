/** The source of time. Everything that needs the time is given one of these, so that no unit test sleeps. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `fn` once after `ms`; the returned function cancels the call. A timer never keeps the process alive. */
  after(ms: number, fn: () => void): () => void;
}

/** A clock that also measures durations. */
export interface MonotonicClock extends Clock {
  /** Milliseconds since an arbitrary start. The value never goes back, whatever happens to the wall clock. */
  elapsed(): number;
}

/** Resolves after `ms`. */
export const waited = (clock: Pick<Clock, 'after'>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, resolve);
  });

/** The same; rejects with the signal's reason as soon as that is aborted. */
export function waitedUnlessAborted(clock: Pick<Clock, 'after'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** Advances a clock so that it never stands still and never goes back. */
export const tick = (now: number, last: number): number => Math.max(now, last + 1);

/**
 * An entity's time, in ms. Its ids never go back, so that paging by id never skips anything. Its timestamps never stand
 * still, and follow a clock that was ahead and has been corrected: they run at most `maxSkewMs` ahead of that clock.
 */
export interface EntityTime {
  /** The timestamp of the last change. */
  lastMs: number;
  /** The time in the latest ids, if a clock that was ahead has left it beyond `lastMs`. */
  idMs?: number | undefined;
}

/**
 * The tolerated difference between the clocks of processes that take turns at an entity; a larger one means that a
 * clock is wrong.
 */
export const maxSkewMs = 120_000;

export const idTime = ({ lastMs, idMs }: EntityTime): number => idMs ?? lastMs;

/** The time of an entity's next change. */
export function advance(last: EntityTime, now: number): EntityTime {
  const idMs = tick(now, idTime(last));
  const lastMs = last.lastMs - now > maxSkewMs ? now : tick(now, last.lastMs);
  return idMs === lastMs ? { lastMs } : { lastMs, idMs };
}

/** A copy of an entity's snapshot with the time of its next change. */
export function withTime<T extends EntityTime>(snapshot: T, { lastMs, idMs }: EntityTime): T {
  const changed: T = { ...snapshot, lastMs };
  if (idMs !== undefined) changed.idMs = idMs;
  else if (changed.idMs !== undefined) delete changed.idMs;
  return changed;
}

let second = NaN;
let prefix = '';

/**
 * ISO 8601 in UTC with milliseconds, for years 0 to 9999. The part up to the second is cached, because it is needed
 * thousands of times within one second.
 */
export function iso(ms: number): string {
  const whole = Math.floor(ms / 1000);
  if (whole !== second) {
    prefix = new Date(whole * 1000).toISOString().slice(0, 20);
    second = whole;
  }
  const rest = ms - whole * 1000;
  return `${prefix}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`;
}

/** How long to wait before work that has failed is tried again. */
export interface Backoff {
  firstMs: number;
  longestMs: number;
  /** The share of a wait that chance may take off, from 0 to 1, so that many do not come back at once. */
  jitter?: number;
}

/** The wait after `failures` in a row, from 1 on: it doubles from failure to failure. `random` is from 0 to 1. */
export const backoffMs = (
  { firstMs, longestMs, jitter = 0 }: Backoff,
  failures: number,
  random: () => number = () => 0,
): number => Math.min(firstMs * 2 ** (failures - 1), longestMs) * (1 - jitter * random());
