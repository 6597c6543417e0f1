/** The system's clock, ids and randomness, which other code gets injected, and the version of this package. */
import { randomBytes } from 'node:crypto';
import type { MonotonicClock } from '../domain/shared/clock.js';
import { idSource, type IdSource } from '../domain/shared/ids.js';
import { existsSync, readFileSync } from 'node:fs';

export interface System {
  clock: MonotonicClock;
  ids: IdSource;
  randomBytes: (n: number) => Uint8Array;
}

/** The longest delay of a timer, ms: a longer one would fire at once. A caller that has to wait longer checks again. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: MonotonicClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, Math.min(ms, longestTimerMs)).unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

export const createSystem = (): System => ({
  clock: systemClock,
  ids: idSource(randomBytes),
  randomBytes,
});

/** From the package.json above this file, in sources and in the build. */
export function packageVersion(): string {
  for (const up of ['../../package.json', '../../../package.json']) {
    const file = new URL(up, import.meta.url);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  return 'unknown';
}
