/**
 * How far a long command has come: a line on the terminal, at most one in two seconds; nothing in a log or a pipe. What
 * it waits for is told everywhere.
 */
import type { MonotonicClock } from '../../src/domain/shared/clock.js';
import { outlasting, type Outlast } from '../../src/transfer/outages.js';
import type { Io } from './io.js';

const everyMs = 2000;

/** Returns a function that is called often, with a function that words the state. */
export function progress(io: Io, now: () => number = Date.now): (state: () => string) => void {
  let last = now();
  return (state) => {
    if (!io.terminal || now() - last < everyMs) return;
    last = now();
    io.note(state());
  };
}

/** Has a long command wait for the end of every outage, until somebody stops it, and tells of it. */
export const outlastingFor = (io: Io, what: string, clock: MonotonicClock): Outlast =>
  outlasting({
    clock,
    waitMs: Infinity,
    told: (problem) => {
      io.note(
        problem === null
          ? `It answers again: ${what} goes on.`
          : `${problem} Until then ${what} waits, and goes on by itself. It may be stopped; the same command goes on later.`,
      );
    },
  });

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
