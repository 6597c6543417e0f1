/**
 * Keeps requests from a model that does not answer, for all runs of a process together: one breaker for each model of
 * each server.
 *
 *  Breaker.B1 A model that is away is asked by nobody for as long as it asks for, or else for a time that doubles. Then
 *     one request goes out; what it comes to is so for all.
 *  Breaker.B2 Whoever comes meanwhile waits where that is short, and else is told at once for how long. A caller that
 *     has another model to ask is told at once in any case.
 *  - When the model answers again, those who wait are let through by and by: two, four, eight at a time.
 */
import { type Backoff, type Clock, backoffMs, waitedUnlessAborted } from '../../domain/shared/clock.js';
import { ReasonerError } from '../port.js';

/** Nobody waits here for longer: the run itself waits then (model-outage.ts). */
export const longestWaitMs = 10_000;
export const usualPause: Backoff = { firstMs: 500, longestMs: 60_000, jitter: 0.25 };
/** A model that has said nothing within its time is not asked again so soon: each time costs that again. */
const silent: Backoff = { firstMs: 30_000, longestMs: 300_000 };

export class Breaker {
  private failures = 0;
  private openUntil = -Infinity;
  private limit = Infinity;
  private going = 0;
  private last: ReasonerError | null = null;
  private readonly line = new Set<() => void>();
  private asleep = 0;
  /** How often it was answered. */
  answers = 0;

  constructor(
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  /** How many requests wait for it. */
  get waiting(): number {
    return this.line.size + this.asleep;
  }

  /** Resolves when a request may go out, which `leave` has to follow. Throws a ReasonerError, or the signal's reason. */
  async enter(signal: AbortSignal, patient: boolean): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const { openUntil } = this;
      const ms = openUntil - this.clock.now();
      if (ms > 0) {
        if (!patient || ms > longestWaitMs) throw this.away(ms);
        this.asleep++;
        try {
          await waitedUnlessAborted(this.clock, ms, signal);
        } finally {
          this.asleep--;
        }
        if (this.openUntil === openUntil) this.openUntil = -Infinity;
      } else if (this.going >= this.limit) {
        if (!patient) throw this.away(usualPause.firstMs);
        await this.turn(signal);
      } else {
        this.going++;
        return;
      }
    }
  }

  private away(ms: number): ReasonerError {
    const { code = 'unreachable', message = 'the model is away' } = this.last ?? {};
    const error = new ReasonerError(code, `${message}; it is not asked for another ${Math.ceil(ms / 1000)} s`);
    return Object.assign(error, { fault: 'away' as const, retryAfterMs: ms });
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.line.delete(begin);
        reject(signal.reason as Error);
      };
      this.line.add(begin);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** The request is over; `error` if the model is away. Null if it came to nothing that tells of the model. */
  leave(outcome: 'answered' | ReasonerError | null): void {
    this.going--;
    if (outcome === 'answered') {
      this.answers++;
      this.failures = 0;
      this.openUntil = -Infinity;
      this.last = null;
      if (this.limit !== Infinity) this.limit *= 2;
      if (this.limit > this.going + this.line.size) this.limit = Infinity;
    } else if (outcome) {
      const now = this.clock.now();
      // requests that were under way together fail together
      if (this.openUntil <= now || this.failures === 0) this.failures++;
      const backoff = outcome.code === 'timeout' ? silent : usualPause;
      const ms = Math.round(outcome.retryAfterMs ?? backoffMs(backoff, this.failures, this.random));
      this.openUntil = Math.max(this.openUntil, now + ms);
      this.limit = 1;
      this.last = outcome;
    }
    const free = this.limit - this.going;
    for (const begin of [...this.line].slice(0, Math.max(0, Math.min(free, this.line.size)))) {
      this.line.delete(begin);
      begin();
    }
  }
}
