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
