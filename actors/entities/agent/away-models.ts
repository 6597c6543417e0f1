/** Waits with a step for the time at which its run asks models again that were away (ModelOutage.M1). */
import { usualModelOutageMs } from '../../../src/domain/model-outage.js';
import type { EntityDependencies } from '../dependencies.js';
import { pause, type TimeAway } from '../outages.js';
import type { StepInput } from './step-recall.js';

/** Undefined if there is nothing to wait for. A clock that was set back makes no wait longer than an outage may be. */
export function untilRetry(
  { clock, defaults }: EntityDependencies,
  { live }: Pick<StepInput, 'live'>,
  signal: AbortSignal,
  away: TimeAway,
): Promise<void> | undefined {
  const { modelOutage } = live.record;
  if (!modelOutage) return undefined;
  const ms = Math.min(Date.parse(modelOutage.retryAt) - clock.now(), defaults.modelOutageMs ?? usualModelOutageMs);
  if (ms <= 0) return undefined;
  away.begin();
  return pause(clock, ms, signal).then(() => {
    away.end();
    signal.throwIfAborted();
  });
}
