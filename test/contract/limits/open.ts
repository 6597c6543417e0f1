import type { Limits } from '../../../src/limits/port.js';

export interface OpenedLimits {
  limits: Limits;
  close(): Promise<void>;
}

/** Limits that know of nothing yet, and whose slots last `holdMs`. */
export type OpenLimits = (holdMs: number) => Promise<OpenedLimits>;

export const start = 1_800_000_000_000;
export const holdMs = 30_000;

/** With limits of its own, closed at the end whatever happens. */
export async function using(open: OpenLimits, test: (limits: Limits) => Promise<void>): Promise<void> {
  const { limits, close } = await open(holdMs);
  try {
    await test(limits);
  } finally {
    await close();
  }
}
