/**
 * The times of schedules: those of cron expressions, in a time zone, of intervals, and single ones.
 *
 *  - Of a cron expression, a time of day that a change of clocks skips is due right after the gap; one that the clocks
 *    show twice is due the first time, unless the hour of the expression is `*`, which has every hour.
 */
import { Cron } from 'croner';
import { invalid } from '../domain/shared/errors.js';
import type { ScheduleTiming } from '../domain/model/model.js';

/** So many of the next times after `after` (ms), as far as there are any. Throws where the expression is none. */
export function timesAfter(timing: ScheduleTiming, after: number, count: number): number[] {
  const { cron, every, at, timezone, created_at: created } = timing;
  if (cron !== null)
    return parsed(cron, timezone)
      .nextRuns(count, new Date(after))
      .map((time) => time.getTime());
  if (every !== null) {
    const start = Date.parse(created);
    const passed = Math.max(0, Math.floor((after - start) / (every * 1000)));
    return Array.from({ length: count }, (_, i) => start + (passed + 1 + i) * every * 1000);
  }
  const time = Date.parse(at ?? '');
  return time > after ? [time] : [];
}

/** The first time after `after`, or null. */
export const timeAfter = (timing: ScheduleTiming, after: number): number | null =>
  timesAfter(timing, after, 1)[0] ?? null;

function parsed(cron: string, timezone: string | null): Cron {
  try {
    return new Cron(cron, { timezone: timezone ?? 'UTC', paused: true, mode: '5-part' });
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^CronPattern: |, exactly five.*/g, '') : String(error);
    throw invalid({ path: 'cron', message: `must be a cron expression of five fields: ${reason}` });
  }
}
