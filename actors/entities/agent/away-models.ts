/**
 * A model that is away (port.ts, `fault`) delays a step and does not fail it at once. What was waited counts as an
 * outage and not as runtime (Outage.W2).
 *
 *  AwayModels.A1 The step asks again after the delay that the server asked for, or else after 5 s, 10 s and so on, up to
 *     a minute, until a model answers, the run is stopped, or the models have been away for `mostMs`.
 *  AwayModels.A2 Then it fails with the last reason, which says for how long and how often it was tried.
 */
import type { MonotonicClock } from '../../../src/domain/clock.js';
import { ReasonerError } from '../../../src/reasoner/port.js';
import { pause, type TimeAway } from '../outages.js';

export const usualModelOutageMs = 600_000;
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

interface Parts {
  clock: MonotonicClock;
  away: TimeAway;
  signal: AbortSignal;
  mostMs: number;
}

export async function outlastAwayModels<T>(parts: Parts, first: Promise<T>, ask: () => T | Promise<T>): Promise<T> {
  try {
    return await first;
  } catch (error) {
    if (!isAway(error)) throw error;
    parts.away.begin();
    try {
      return await again(parts, error, ask);
    } finally {
      parts.away.end();
    }
  }
}

const isAway = (error: unknown): error is ReasonerError => error instanceof ReasonerError && error.fault === 'away';

async function again<T>({ clock, signal, mostMs }: Parts, error: ReasonerError, ask: () => T | Promise<T>): Promise<T> {
  const since = clock.elapsed();
  for (let tries = 1, last = error; ; tries++) {
    const waited = clock.elapsed() - since;
    if (waited >= mostMs) {
      last.message += `; no model has answered for ${Math.round(waited / 1000)} s, though asked ${tries} times`;
      throw last;
    }
    const usual = Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs);
    await pause(clock, Math.min(last.retryAfterMs ?? usual, mostMs - waited), signal);
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (next) {
      if (!isAway(next)) throw next;
      last = next;
    }
  }
}
