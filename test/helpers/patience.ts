/** How long tests wait: a test fails for what it sees, and never because the machine is busy. */
const factor = 10;
const longestMs = 300_000;

/**
 * What `ms` on a quiet machine may take on one that has ten times as much to do: at most five minutes, unless `ms` is
 * longer.
 */
export const patient = (ms: number): number => Math.max(ms, Math.min(ms * factor, longestMs));
