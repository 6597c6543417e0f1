/**
 * An outage of what an entity stands on (its store, the placement of shards, the desk of a quota) is no fault of the
 * entity: clients are told to come back, nothing counts as a crash, and no run fails of it.
 *
 *  Outage.W1 A step waits for an outage to end, as long as it lasts, until its run is stopped.
 *  Outage.W2 The time that a step waits so is not counted in its run's runtime budget.
 */
import type { Clock, MonotonicClock } from '../../src/domain/clock.js';
import { HivekeepError, unavailable } from '../../src/domain/errors.js';
import type { MaybePromise } from '../../src/maybe-promise.js';
import { StoreError } from '../../src/store/port.js';

/** What the store says when it cannot be used, as clients are told it. */
export const storeUnavailable = (error: StoreError): HivekeepError =>
  unavailable(error.forClients ?? error.message, { cause: error, retryAfter: 5 });

/** A commit that the store will never take, as clients are told it; null where the error is anything else. No outage: sending it again changes nothing. */
export const refusalOf = (error: unknown): HivekeepError | null =>
  error instanceof StoreError && error.reason === 'refused'
    ? new HivekeepError('PAYLOAD_TOO_LARGE', error.forClients ?? error.message, { cause: error })
    : null;

/** Reasons that pass by themselves or when somebody mends the server; the others say that the data cannot be used at all. */
const passing: ReadonlySet<StoreError['reason']> = new Set(['io', 'unknown', 'full', 'closed', 'in-use']);

/** The error as clients are told it where it is an outage; null where it is anything else. */
export function outageOf(error: unknown): HivekeepError | null {
  if (error instanceof StoreError) return passing.has(error.reason) ? storeUnavailable(error) : null;
  return error instanceof HivekeepError && error.code === 'UNAVAILABLE' ? error : null;
}

/** Adds up how long something has waited for outages to end. */
export class TimeAway {
  private before = 0;
  private waits = 0;
  private since = 0;

  constructor(private readonly clock: Pick<MonotonicClock, 'elapsed'>) {}

  /** Milliseconds, the wait in progress included. */
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

/** Reads, and reads again after a pause while an outage lasts (Outage.W1). Rejects with what is no outage, and when `signal` is aborted. */
export function outlastOutages<T>(
  { clock, away, signal }: { clock: Clock; away: TimeAway; signal: AbortSignal },
  read: () => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const result = read();
    return result instanceof Promise ? result.catch(again) : result;
  } catch (error) {
    return again(error);
  }

  async function again(first: unknown): Promise<T> {
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
}

/** Ends with the signal too. */
const pause = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end);
  });
