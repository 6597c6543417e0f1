/**
 * Schedules as decisions (docs/api.md 11.10). A schedule is a document of its agent; when it is due next is in the
 * agent's head, by its id.
 *
 *  - The commit that starts the run of a time also moves the schedule past that time. So each time starts one run at
 *    most, whoever decides, and a time that has come is found due until then.
 *  Schedules.E2 A schedule only goes forward: its next time is after the one that was due and after the present, so
 *     neither a clock that is set back nor one that runs ahead makes a time come twice.
 *  - A time at which no run can be started (its agent is inactive, say) is over; the schedule says why.
 */
import type { StoredSchedule } from './documents.js';
import type { AgentDraft } from './agent-draft.js';
import { withoutSecrets } from './agent-tools.js';
import { bounds, type SessionState } from './agent-state.js';
import { iso } from './clock.js';
import { conflict, HivekeepError, invalid } from './errors.js';
import type { ScheduleInput } from './inputs.js';
import { normalizeTime } from './memories.js';
import type { Schedule } from './model.js';
import { createRun } from './new-run.js';
import { checkOverrides } from './run-config.js';
import type { Sight } from './sight.js';
import { sizeOf } from './storage.js';

export const schedulesFull = (): HivekeepError =>
  conflict(`an agent has at most ${bounds.schedules} schedules; delete one`);

/** A time later than this counts as missed: it takes no longer until another process takes over from one that died. */
export const missedAfterMs = 60_000;

/** A schedule whose time has come. */
export interface DueSchedule {
  schedule: StoredSchedule;
  /** The time that a run is started for, ms; null if all that came were missed and it catches up with none. */
  due: number | null;
  /** The first time after that and after the present, ms. */
  next: number | null;
  /** The last turns of the session that it names; null if there is none yet, omitted if they are known. */
  session?: SessionState | null;
}

export const showSchedule = (
  { trusted: _, ...s }: StoredSchedule,
  next: readonly number[],
  sight: Sight,
): Schedule => ({
  ...s,
  subject: s.subject ?? null,
  overrides: sight.thoughts && s.overrides ? withoutSecrets(s.overrides) : null,
  next_times: s.paused ? [] : next.map(iso),
});

/** A schedule as it is asked for, from this time on. */
export const newSchedule = (id: string, agent: string, input: ScheduleInput, now: string): StoredSchedule => ({
  id,
  agent_id: agent,
  cron: input.cron ?? null,
  every: input.every ?? null,
  at: normalizeTime(input.at),
  timezone: input.cron === undefined ? null : (input.timezone ?? 'UTC'),
  input: input.input,
  sessionId: input.sessionId ?? null,
  subject: input.subject ?? null,
  overrides: input.overrides ?? null,
  catch_up: input.catch_up ?? 'one',
  paused: false,
  last: null,
  created_at: now,
  updated_at: now,
});

/** When the first of the agent's schedules is due, ms; null if none is. */
export function nextScheduled({ schedules }: Pick<AgentDraft['agent'], 'schedules'>): number | null {
  let first: number | null = null;
  for (const due of Object.values(schedules ?? {})) if (due !== null && (first === null || due < first)) first = due;
  return first;
}

/** The first of the times at which a memory expires, journals are to be removed and a schedule is due. */
export function nextTimer(agent: Pick<AgentDraft['agent'], 'nextExpiry' | 'journals' | 'schedules'>): number | null {
  const first = Math.min(
    agent.nextExpiry ?? Infinity,
    agent.journals?.due ?? Infinity,
    nextScheduled(agent) ?? Infinity,
  );
  return first === Infinity ? null : first;
}

/** `next` is its first time, ms; `trusted`: it comes from somebody who manages the agent. */
export function addSchedule(
  d: AgentDraft,
  input: ScheduleInput,
  { next, trusted }: { next: number | null; trusted?: boolean },
): StoredSchedule {
  if (Object.keys(d.agent.schedules ?? {}).length >= bounds.schedules) throw schedulesFull();
  checkOverrides(d.agent.config, input.overrides);
  const path = input.cron === undefined ? 'at' : 'cron';
  if (next === null)
    throw invalid({ path, message: path === 'at' ? 'must be in the future' : 'must name a time that comes' });
  const made = newSchedule(d.env.ids('schedule', d.at), d.agent.id, input, d.time);
  if (input.overrides && trusted) made.trusted = true;
  d.put('schedule', made.id, made, true);
  setDue(d, made.id, made.every === null ? next : d.timeMs + made.every * 1000);
  return made;
}

/** `next` is its next time, ms, were it not paused. */
export function pauseSchedule(
  d: AgentDraft,
  { schedule, paused, next }: { schedule: StoredSchedule; paused: boolean; next: number | null },
): StoredSchedule {
  if (!paused && next === null) throw conflict(`the time of schedule ${schedule.id} is over`);
  const after = { ...schedule, paused, updated_at: d.time };
  d.put('schedule', schedule.id, after, false, schedule);
  setDue(d, schedule.id, paused ? null : next);
  return after;
}

export function deleteSchedule(d: AgentDraft, { schedule }: { schedule: StoredSchedule }): void {
  d.remove('schedule', schedule.id, sizeOf(schedule));
  const { [schedule.id]: _, ...others } = d.agent.schedules ?? {};
  if (Object.keys(others).length > 0) d.agent.schedules = others;
  else delete d.agent.schedules;
}

/** Starts the runs of schedules whose times have come. `refusal` is why no run can be started now. */
export function startDue(d: AgentDraft, due: readonly DueSchedule[], refusal: HivekeepError | null): void {
  for (const { schedule, due: time, next, session } of due) {
    const before = d.agent.schedules?.[schedule.id];
    if (before === null || before === undefined) continue;
    const last =
      time === null
        ? { due: iso(before), run_id: null, error: { code: 'MISSED', message: 'the service was not there in time' } }
        : { due: iso(time), ...started(d, schedule, session, refusal) };
    if (schedule.at !== null && last.error === null) {
      deleteSchedule(d, { schedule });
      continue;
    }
    d.put('schedule', schedule.id, { ...schedule, last }, false, schedule);
    setDue(d, schedule.id, next);
  }
}

function started(
  d: AgentDraft,
  { input, sessionId, subject, overrides, trusted }: StoredSchedule,
  session: DueSchedule['session'],
  refusal: HivekeepError | null,
): Pick<NonNullable<Schedule['last']>, 'run_id' | 'error'> {
  try {
    if (refusal) throw refusal;
    const { id, status } = d.agent;
    if (status !== 'active') throw new HivekeepError('AGENT_INACTIVE', `agent ${id} is ${status}`);
    const run = createRun(d, {
      input,
      triggeredBy: 'schedule',
      sessionId: sessionId ?? undefined,
      subject: subject ?? undefined,
      overrides: overrides ?? undefined,
      trusted,
      session,
    });
    return { run_id: run.record.id, error: null };
  } catch (error) {
    if (!(error instanceof HivekeepError)) throw error;
    return { run_id: null, error: { code: error.code, message: error.message } };
  }
}

function setDue(d: AgentDraft, id: string, due: number | null): void {
  d.agent.schedules = { ...d.agent.schedules, [id]: due };
}
