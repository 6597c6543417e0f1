/** The real clock, ids and randomness, which everything else is given. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../domain/clock.js';
import { idSource, type IdSource } from '../domain/ids.js';

export interface System {
  clock: Clock;
  ids: IdSource;
  randomBytes: (n: number) => Uint8Array;
}

export const createSystem = (): System => ({
  clock: {
    now: () => Date.now(),
    after: (ms, fn) => {
      const timer = setTimeout(fn, ms).unref();
      return () => {
        clearTimeout(timer);
      };
    },
  },
  ids: idSource(randomBytes),
  randomBytes,
});
