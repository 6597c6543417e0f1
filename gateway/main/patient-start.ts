/**
 * A start waits for servers that are away: machines and containers of a cluster start in any order. What waiting cannot
 * mend, such as wrong credentials, ends the start at once.
 */
import { setTimeout } from 'node:timers/promises';
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { Failure } from '../cli/failure.js';
import { isAway } from '../../src/store/port.js';
import type { Logger } from '../../src/telemetry/pino-log.js';

/** A server does not answer, and may soon. */
export class ServerAway extends Failure {}

const pauseMs = 1000;

/** Runs parts of a start, which together may wait `waitMs` for servers that are away. */
export function patientStart(
  waitMs: number,
  {
    clock,
    log,
    pause = setTimeout,
  }: {
    clock: Pick<MonotonicClock, 'elapsed'>;
    log: Pick<Logger, 'warn' | 'info'>;
    pause?: (ms: number) => Promise<unknown>;
  },
): <T>(part: () => Promise<T>) => Promise<T> {
  const until = clock.elapsed() + waitMs;
  return async (part) => {
    for (let told = ''; ;) {
      try {
        const result = await part();
        if (told !== '') log.info({ event: 'start.continued' }, 'The server answers; the start goes on.');
        return result;
      } catch (error) {
        const leftMs = until - clock.elapsed();
        if (!(error instanceof ServerAway || isAway(error)) || leftMs <= 0) throw error;
        const { message } = error as Error;
        if (message !== told)
          log.warn({ event: 'start.waiting' }, `${message} The start tries again for ${Math.ceil(leftMs / 1000)} s.`);
        told = message;
        await pause(Math.min(pauseMs, leftMs));
      }
    }
  };
}
