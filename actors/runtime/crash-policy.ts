import { backoffMs } from '../../src/domain/shared/clock.js';
/**
 * Backoff and circuit breaker for crashes. The n-th crash within a minute delays the next activation by `firstMs *
 * 2^(n-1)`. The fifth opens the breaker until a minute after the first crash has passed; then all crashes are
 * forgotten.
 */
export interface CrashPolicy {
  readonly windowMs: number;
  readonly limit: number;
  readonly firstMs: number;
}

export const crashPolicy: CrashPolicy = { windowMs: 60_000, limit: 5, firstMs: 50 };

/** The crashes of one actor; created at the first one. */
export class CrashRecord {
  private times: number[] = [];
  private retry = 0;

  constructor(private readonly policy: CrashPolicy) {}

  add(now: number): void {
    this.times = this.times.filter((t) => t + this.policy.windowMs > now);
    this.times.push(now);
    const [first = now] = this.times;
    this.retry = this.open
      ? first + this.policy.windowMs
      : now + backoffMs({ firstMs: this.policy.firstMs, longestMs: this.policy.windowMs }, this.times.length);
  }

  /** Whether the breaker is open; it closes at `retryAt`. */
  get open(): boolean {
    return this.times.length >= this.policy.limit;
  }

  get count(): number {
    return this.times.length;
  }

  /** The time from which the actor may be activated again, ms. */
  get retryAt(): number {
    return this.retry;
  }

  /** Whether the record no longer has any effect. */
  over(now: number): boolean {
    return now >= (this.open ? this.retry : (this.times.at(-1) ?? now) + this.policy.windowMs);
  }
}
