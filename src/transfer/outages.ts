/**
 * Outages in the middle of an export, an import or a migration, which may take hours: what was being done is done again
 * when the server answers.
 *
 *  - Only what passes by itself is waited for: a server that does not answer, or a commit whose outcome it did not
 *    tell. Everything else ends the transfer at once.
 *  - The patience is for one outage, and begins anew after something has worked.
 */
import { setTimeout } from 'node:timers/promises';
import { type Backoff, type MonotonicClock, backoffMs } from '../domain/shared/clock.js';
import { HivekeepError } from '../domain/shared/errors.js';
import { isAway, StoreError } from '../store/port.js';

/** Does the work, and does it again after an outage: it must be safe to repeat after it failed anywhere. */
export type Outlast = <T>(work: () => Promise<T>) => Promise<T>;

export interface Patience {
  clock: Pick<MonotonicClock, 'elapsed'>;
  /** How long to wait for the end of one outage; Infinity: until somebody stops the transfer. */
  waitMs: number;
  /** Told when an outage begins, and with null when it is over. */
  told?: (problem: string | null) => void;
  pause?: (ms: number) => Promise<unknown>;
}

const retry: Backoff = { firstMs: 200, longestMs: 5_000 };

const isOutage = (error: unknown): error is Error =>
  isAway(error) ||
  (error instanceof StoreError && error.reason === 'unknown') ||
  (error instanceof HivekeepError && error.code === 'UNAVAILABLE');

export function outlasting({ clock, waitMs, told, pause = setTimeout }: Patience): Outlast {
  return async (work) => {
    const began = clock.elapsed();
    let wasTold = false;
    for (let tries = 1; ; tries++) {
      try {
        const result = await work();
        if (wasTold) told?.(null);
        return result;
      } catch (error) {
        const left = began + waitMs - clock.elapsed();
        if (!isOutage(error) || left <= 0) throw error;
        if (!wasTold) told?.(error.message);
        wasTold = true;
        await pause(Math.min(backoffMs(retry, tries), left));
      }
    }
  };
}

/** Every outage ends the transfer. */
export const impatient: Outlast = (work) => work();

/**
 * The items of a source that ends with each outage and is opened again after the item that came last; that is not
 * repeated.
 */
export async function* outlastingItems<T>(
  outlast: Outlast,
  open: (after: T | undefined) => AsyncIterable<T>,
): AsyncGenerator<T> {
  let last: T | undefined;
  let source = open(last)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await outlast(() =>
        source.next().catch((error: unknown) => {
          source = open(last)[Symbol.asyncIterator]();
          throw error;
        }),
      );
      if (next.done) return;
      yield (last = next.value);
    }
  } finally {
    await source.return?.();
  }
}
