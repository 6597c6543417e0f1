/**
 * A run whose models are all away asks again later. When, and how long it has waited, is part of the run, so that a
 * process that takes it over goes on with the same wait.
 *
 *  ModelOutage.M1 It asks again after the delay that the server asked for, or else after 5 s, 10 s and so on, up to a
 *     minute, until a model answers or the attempts and waits of its step have taken `modelOutageMs` in all. Then it
 *     fails with the last reason, which says for how long and how often it was tried; at once where the server asks
 *     for more than is left.
 *  - Neither the attempts nor the waits count as runtime. Time in which no process runs counts as nothing.
 */
import { backoffMs, type Backoff } from '../shared/clock.js';
import type { RunRecord } from './records.js';

export const usualModelOutageMs = 600_000;
const wait: Backoff = { firstMs: 5_000, longestMs: 60_000 };

type ModelOutage = NonNullable<RunRecord['modelOutage']>;

/** What those who follow the run are told. */
export const modelsAreAway = 'no model answers at present; it is asked again';

/** The wait after an attempt that took `usedMs`; null if it has lasted for long enough. */
export function nextWait(
  before: ModelOutage | undefined,
  { usedMs, askedMs }: { usedMs: number; askedMs: number | null },
  mostMs: number,
): { outage: Omit<ModelOutage, 'retryAt'>; waitMs: number } | null {
  const tries = (before?.tries ?? 0) + 1;
  const spentMs = (before?.spentMs ?? 0) + usedMs;
  if (spentMs >= mostMs || (askedMs !== null && spentMs + askedMs > mostMs)) return null;
  const waitMs = askedMs ?? Math.min(backoffMs(wait, tries), mostMs - spentMs);
  return { outage: { tries, spentMs: spentMs + waitMs }, waitMs };
}

/** How the reason of a run that fails so ends. */
export const afterOutage = (before: ModelOutage | undefined, usedMs: number): string =>
  `; no model has answered for ${Math.round(((before?.spentMs ?? 0) + usedMs) / 1000)} s, though asked ${(before?.tries ?? 0) + 1} times`;
