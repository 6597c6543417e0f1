/** Where time comes from. Everything that needs time takes one of these, so that no unit test sleeps. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `fn` once after `ms`; the returned function cancels. A timer never keeps the process alive. */
  after(ms: number, fn: () => void): () => void;
}

/** An entity's clock never stands still and never goes back (design, section 4), so pages by time never skip. */
export const tick = (now: number, last: number): number => Math.max(now, last + 1);

let second = NaN;
let prefix = '';

/** ISO 8601 with milliseconds, UTC. Years 0 to 9999. The part up to the second is kept: it is asked for thousands of times in one. */
export function iso(ms: number): string {
  const whole = Math.floor(ms / 1000);
  if (whole !== second) {
    prefix = new Date(whole * 1000).toISOString().slice(0, 20);
    second = whole;
  }
  const rest = ms - whole * 1000;
  return `${prefix}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`;
}
