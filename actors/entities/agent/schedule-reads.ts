/** Reads for schedules, which belong to their agent: those whose time has come, and when they come next. */
import type { StoredSchedule } from '../../../src/domain/documents.js';
import { type DueSchedule, missedAfterMs, nextScheduled } from '../../../src/domain/schedules.js';
import { sizeOf, storageError } from '../../../src/domain/storage.js';
import { timeAfter } from '../../../src/schedules/times.js';
import type { HivekeepError } from '../../../src/domain/errors.js';
import type { AgentReads } from './agent-reads.js';
import { isPaused } from '../../../src/commands/schedules.js';
import { sessionTurns } from '../../../src/commands/session-reads.js';

/** The most runs that one decision starts, and the most bytes of their inputs; the rest stay due and follow. */
const atOnce = 16;
const bytesAtOnce = 1024 * 1024;

/** The schedules that are due, and the reason if none of them may start a run; null if none is due. */
export async function dueSchedules(
  e: AgentReads,
): Promise<{ due: readonly DueSchedule[]; refusal: HivekeepError | null } | null> {
  const { deps, entity, state } = e;
  const now = deps.clock.now();
  if ((nextScheduled(state.agent) ?? Infinity) > now) return null;
  const first = Object.entries(state.agent.schedules ?? {})
    .filter((entry): entry is [string, number] => entry[1] !== null && entry[1] <= now)
    .sort((a, b) => a[1] - b[1])
    .slice(0, atOnce);
  const docs = await deps.store.getMany(
    entity,
    'schedule',
    first.map(([id]) => id),
  );
  const due: DueSchedule[] = [];
  let bytes = 0;
  for (const [i, [, time]] of first.entries()) {
    const schedule = docs[i]?.body;
    if (!schedule) continue;
    bytes += sizeOf(schedule);
    if (due.length > 0 && bytes > bytesAtOnce) break;
    due.push({ schedule, ...timesOf(schedule, time, now), ...(await runOf(e, schedule)) });
  }
  const full = await deps.bounds.storageExceeded(entity.workspace);
  return { due, refusal: full && storageError(full) };
}

/** Schedules.E2. Of times that were missed, the first stands for all. */
function timesOf(schedule: StoredSchedule, first: number, now: number): Pick<DueSchedule, 'due' | 'next'> {
  const next = timeAfter(schedule, Math.max(first, now));
  if (schedule.catch_up === 'one' || first >= now - missedAfterMs) return { due: first, next };
  const late = timeAfter(schedule, now - missedAfterMs);
  return { due: late !== null && late <= now ? late : null, next };
}

/** What the decision to begin a run of it has to know. */
async function runOf(e: AgentReads, schedule: StoredSchedule): Promise<Pick<DueSchedule, 'session' | 'waits'>> {
  const { deps, entity, state } = e;
  const { sessionId } = schedule;
  const waits = await isPaused(deps.store, entity, schedule);
  if (sessionId === null || state.sessions.has(sessionId)) return { waits };
  return { waits, session: await sessionTurns(deps.store, entity, { sessionId }, state.agent.config) };
}
