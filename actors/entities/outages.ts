/**
 * An outage of something that an entity depends on (its store, the placement of shards, the desk of a quota) is not a
 * fault of the entity. Clients are asked to retry, nothing counts as a crash, and no run fails because of it.
 *
 * Invariants
 *  Outage.W1 A step waits for an outage to end, however long it lasts, until its run is stopped.
 *  Outage.W2 Time that a step spends waiting for an outage does not count against the runtime budget of its run.
 */
import type { Clock, MonotonicClock } from '../../src/domain/shared/clock.js';
import { HivekeepError, unavailable } from '../../src/domain/shared/errors.js';
import type { MaybePromise } from '../../src/maybe-promise.js';
import { StoreError } from '../../src/store/port.js';

/** Converts the error of an unavailable store into the error for clients. */
export const storeUnavailable = (error: StoreError): HivekeepError =>
  unavailable(error.forClients ?? error.message, { cause: error, retryAfter: 5 });

/**
 * The error for clients if the store will never accept the commit; null for any other error. This is not an outage:
 * sending the commit again would change nothing.
 */
export const refusalOf = (error: unknown): HivekeepError | null =>
  error instanceof StoreError && error.reason === 'refused'
    ? new HivekeepError('PAYLOAD_TOO_LARGE', error.forClients ?? error.message, { cause: error })
    : null;

/**
 * Reasons that end on their own or when somebody repairs the server. The other reasons mean that the data cannot be
 * used at all.
 */
const passing: ReadonlySet<StoreError['reason']> = new Set(['io', 'unknown', 'full', 'closed', 'in-use']);

/** The error for clients if this is an outage; null for any other error. */
export function outageOf(error: unknown): HivekeepError | null {
  if (error instanceof StoreError) return passing.has(error.reason) ? storeUnavailable(error) : null;
  return error instanceof HivekeepError && error.code === 'UNAVAILABLE' ? error : null;
}

/** Measures the total time that something has waited for outages to end. */
export class TimeAway {
  private before = 0;
  private waits = 0;
  private since = 0;

  constructor(private readonly clock: Pick<MonotonicClock, 'elapsed'>) {}

  /** The total in milliseconds, including the wait in progress. */
  get ms(): number {
    return this.before + (this.waits > 0 ? this.clock.elapsed() - this.since : 0);
  }

  begin(): void {
    if (this.waits++ === 0) this.since = this.clock.elapsed();
  }
  end(): void {
    if (this.waits === 1) this.before = this.ms;
    this.waits--;
  }
}

const firstPauseMs = 200;
const longestPauseMs = 5_000;

/**
 * Runs a read, and repeats it after a pause while an outage lasts (Outage.W1). Rejects with any error that is not an
 * outage, and when `signal` is aborted.
 */
export function outlastOutages<T>(parts: Outlasting, read: () => MaybePromise<T>): MaybePromise<T> {
  try {
    const known = read();
    return known instanceof Promise ? known.catch((error: unknown) => readAgain(parts, read, error)) : known;
  } catch (error) {
    return readAgain(parts, read, error);
  }
}

interface Outlasting {
  clock: Clock;
  away: TimeAway;
  signal: AbortSignal;
}

async function readAgain<T>(
  { clock, away, signal }: Outlasting,
  read: () => MaybePromise<T>,
  first: unknown,
): Promise<T> {
  away.begin();
  try {
    for (let pauseMs = firstPauseMs, error = first; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (outageOf(error) === null || signal.aborted) throw error;
      await pause(clock, pauseMs, signal);
      try {
        return await read();
      } catch (next) {
        error = next;
      }
    }
  } finally {
    away.end();
  }
}

/** Resolves after `ms`, or when the signal is aborted. */
export const pause = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
