/** How far a long command has come: a line on the terminal, at most one in two seconds; nothing in a log or a pipe. */
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

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
