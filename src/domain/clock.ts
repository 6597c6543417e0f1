/** Where time comes from. Everything that needs time takes one of these, so that no unit test sleeps. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `fn` once after `ms`; the returned function cancels. A timer never keeps the process alive. */
  after(ms: number, fn: () => void): () => void;
}

/** An entity's clock never stands still and never goes back (design, section 4), so pages by time never skip. */
export const tick = (now: number, last: number): number => Math.max(now, last + 1);

/** ISO 8601 with milliseconds, UTC. */
export const iso = (ms: number): string => new Date(ms).toISOString();
