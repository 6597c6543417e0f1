/**
 * Schedules as decisions (docs/api.md 11.10). A schedule is a document of its agent; when it is due next is in the
 * agent's head, by its id.
 *
 *  - The commit that starts the run of a time also moves the schedule past that time. So each time starts one run at
 *    most, whoever decides, and a time that has come is found due until then.
 *  Schedules.E2 A schedule only goes forward: its next time is after the one that was due and after the present, so
 *     neither a clock that is set back nor one that runs ahead makes a time come twice.
 *  Schedules.E3 Of one name an agent has one schedule, which the agent's head knows by it.
 *  - A time at which no run can be started (its agent is inactive, say) is over; the schedule says why.
 */
import type { StoredSchedule } from '../shared/documents.js';
import type { AgentDraft } from './agent-draft.js';
import { withoutSecrets } from './agent-tools.js';
import { checkActive } from './agent-settings.js';
import { bounds, type LiveRun, type RunRecord, type SessionState } from './agent-state.js';
import { iso } from '../shared/clock.js';
import { conflict, HivekeepError, invalid } from '../shared/errors.js';
import type { ScheduleInput } from '../shared/inputs.js';
import { normalizeTime } from '../memory/memories.js';
import type { Schedule } from '../model/model.js';
import { createRun, type NewRun } from '../run/new-run.js';
import { checkOverrides } from './agent-state.js';
import { activeRuns } from '../run/run-queue.js';
import type { Sight } from '../task/run-as-task.js';
import type { AgentSnapshot } from '../shared/snapshots.js';
import { sizeOf } from '../workspace/usage.js';
import { nextChildEnd } from './spawning.js';

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
  /** The run that it has begun last is paused; one that is pending or running the agent's head knows. */
  waits?: boolean;
}

export const showSchedule = (
  { trusted: _, begun: _begun, ...s }: StoredSchedule,
  next: readonly number[],
  sight: Sight,
): Schedule => ({
  ...s,
  name: s.name ?? null,
  if_running: s.if_running ?? 'queue',
  subject: s.subject ?? null,
  overrides: sight.thoughts && s.overrides ? withoutSecrets(s.overrides) : null,
  next_times: s.paused ? [] : next.map(iso),
});

/** A schedule as it is asked for, from this time on. */
export const newSchedule = (
  { id, agent, zone = 'UTC' }: { id: string; agent: string; zone?: string | undefined },
  input: ScheduleInput,
  now: string,
): StoredSchedule => ({
  id,
  agent_id: agent,
  name: input.name ?? null,
  cron: input.cron ?? null,
  every: input.every ?? null,
  at: normalizeTime(input.at),
  timezone: input.cron === undefined ? null : (input.timezone ?? zone),
  input: input.input,
  sessionId: input.sessionId ?? null,
  subject: input.subject ?? null,
  overrides: input.overrides ?? null,
  catch_up: input.catch_up ?? 'one',
  if_running: input.if_running ?? 'queue',
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

/** The first of the times at which a memory expires, journals are to be removed, a schedule is due and what was spawned ends. */
export function nextTimer(
  agent: Pick<AgentDraft['agent'], 'nextExpiry' | 'journals' | 'schedules' | 'children'>,
): number | null {
  const first = Math.min(
    agent.nextExpiry ?? Infinity,
    agent.journals?.due ?? Infinity,
    nextScheduled(agent) ?? Infinity,
    nextChildEnd(agent) ?? Infinity,
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
  const { name } = input;
  if (name !== undefined && scheduleNamed(d.agent, name) !== undefined)
    throw conflict(`the agent has a schedule of the name ${JSON.stringify(name)} already: PUT replaces it by its name`);
  const { id: agent, config } = d.agent;
  const made = newSchedule({ id: d.env.ids('schedule', d.at), agent, zone: config.timezone }, input, d.time);
  if (input.overrides && trusted) made.trusted = true;
  if (name !== undefined) d.agent.scheduleNames = { ...d.agent.scheduleNames, [made.id]: name };
  d.put('schedule', made.id, made, true);
  setDue(d, made.id, made.every === null ? next : d.timeMs + made.every * 1000);
  return made;
}

/** The id of the schedule of this name, if there is one. */
export const scheduleNamed = ({ scheduleNames = {} }: Pick<AgentSnapshot, 'scheduleNames'>, name: string) =>
  Object.keys(scheduleNames).find((id) => scheduleNames[id] === name);

/**
 * Makes the schedule of a name, or has it be as the input says. It stays paused if it is, and nothing changes, its next
 * time neither, where it is so already: a client may ask for its schedules at each of its starts. `before` is what there
 * is of the name, and `next` its next time, ms, were it not paused.
 */
export function putSchedule(
  d: AgentDraft,
  input: ScheduleInput & { name: string },
  { before, ...found }: { before: StoredSchedule | null; next: number | null; trusted: boolean },
): StoredSchedule {
  if (scheduleNamed(d.agent, input.name) !== before?.id)
    throw conflict(`the schedule ${JSON.stringify(input.name)} was changed by another request meanwhile: try again`);
  if (!before) return addSchedule(d, input, found);
  checkOverrides(d.agent.config, input.overrides);
  const { id, created_at, updated_at, paused, last, begun } = before;
  const wanted = newSchedule({ id, agent: d.agent.id, zone: d.agent.config.timezone }, input, created_at);
  const after: StoredSchedule = { ...wanted, paused, last, updated_at };
  if (begun !== undefined) after.begun = begun;
  if (input.overrides && found.trusted) after.trusted = true;
  if (isSame(before, after)) return before;
  if (found.next === null && !isSameTime(before, after))
    throw invalid({
      path: after.at === null ? 'cron' : 'at',
      message: after.at === null ? 'must name a time that comes' : 'must be in the future',
    });
  after.updated_at = d.time;
  d.put('schedule', id, after, false, before);
  if (!paused && !isSameTime(before, after)) setDue(d, id, found.next);
  return after;
}

/** What it differs in besides may have been written in another order, which is written again then. */
const isSame = ({ overrides: had, ...before }: StoredSchedule, { overrides, ...after }: StoredSchedule): boolean =>
  Object.keys({ ...before, ...after }).every(
    (key) => key === 'last' || before[key as keyof typeof before] === after[key as keyof typeof after],
  ) && JSON.stringify(had) === JSON.stringify(overrides);
const isSameTime = (a: StoredSchedule, b: StoredSchedule): boolean =>
  a.cron === b.cron && a.every === b.every && a.at === b.at && a.timezone === b.timezone;

/** Starts a run of the schedule now, besides its times. CONFLICT where it skips times while its run has not ended. */
export function runNow(
  d: AgentDraft,
  { schedule, session, waits }: Pick<DueSchedule, 'schedule' | 'session' | 'waits'>,
  by: Pick<NewRun, 'powers' | 'begunBy'>,
): RunRecord {
  checkActive(d);
  checkMayBegin(d, { schedule, waits });
  const { record } = begin(d, schedule, session, by);
  d.put('schedule', schedule.id, { ...schedule, begun: record.id }, false, schedule);
  return record;
}

/** `next` is its next time, ms, were it not paused. */
export function putPaused(
  d: AgentDraft,
  { schedule, paused, next }: { schedule: StoredSchedule; paused: boolean; next: number | null },
): StoredSchedule {
  if (!paused && next === null) throw conflict(`the time of schedule ${schedule.id} is over`);
  const after = { ...schedule, paused, updated_at: d.time };
  d.put('schedule', schedule.id, after, false, schedule);
  setDue(d, schedule.id, paused ? null : next);
  return after;
}

export function removeSchedule(d: AgentDraft, { schedule }: { schedule: StoredSchedule }): void {
  d.remove('schedule', schedule.id, sizeOf(schedule));
  const { [schedule.id]: _, ...others } = d.agent.schedules ?? {};
  if (Object.keys(others).length > 0) d.agent.schedules = others;
  else delete d.agent.schedules;
  const { [schedule.id]: _name, ...names } = d.agent.scheduleNames ?? {};
  if (Object.keys(names).length > 0) d.agent.scheduleNames = names;
  else delete d.agent.scheduleNames;
}

/** Starts the runs of schedules whose times have come. `refusal` is why no run can be started now. */
export function startDue(d: AgentDraft, due: readonly DueSchedule[], refusal: HivekeepError | null): void {
  for (const found of due) {
    const { schedule, due: time, next } = found;
    const before = d.agent.schedules?.[schedule.id];
    if (before === null || before === undefined) continue;
    const last =
      time === null
        ? { due: iso(before), run_id: null, error: { code: 'MISSED', message: 'the service was not there in time' } }
        : { due: iso(time), ...started(d, found, refusal) };
    if (schedule.at !== null && last.error === null) {
      removeSchedule(d, { schedule });
      continue;
    }
    const after = { ...schedule, last };
    if (last.run_id !== null) after.begun = last.run_id;
    d.put('schedule', schedule.id, after, false, schedule);
    setDue(d, schedule.id, next);
  }
}

function started(
  d: AgentDraft,
  { schedule, session, waits }: DueSchedule,
  refusal: HivekeepError | null,
): Pick<NonNullable<Schedule['last']>, 'run_id' | 'error'> {
  try {
    if (refusal) throw refusal;
    const { id, status } = d.agent;
    if (status !== 'active') throw new HivekeepError('AGENT_INACTIVE', `agent ${id} is ${status}`);
    checkMayBegin(d, { schedule, waits });
    return { run_id: begin(d, schedule, session).record.id, error: null };
  } catch (error) {
    if (!(error instanceof HivekeepError)) throw error;
    return { run_id: null, error: { code: error.code, message: error.message } };
  }
}

/** Throws where the schedule has it so, and the run before has not ended. */
function checkMayBegin(
  d: AgentDraft,
  { schedule: { if_running: rule, begun }, waits }: Pick<DueSchedule, 'schedule' | 'waits'>,
): void {
  if (rule !== 'skip' || begun === undefined) return;
  if (waits || activeRuns(d.agent).some(({ id }) => id === begun))
    throw conflict(`run ${begun} of the schedule has not ended`);
}

const begin = (
  d: AgentDraft,
  { input, sessionId, subject, overrides, trusted }: StoredSchedule,
  session: DueSchedule['session'],
  by: Pick<NewRun, 'powers' | 'begunBy'> = {},
): LiveRun =>
  createRun(d, {
    input,
    triggeredBy: 'schedule',
    sessionId: sessionId ?? undefined,
    subject: subject ?? undefined,
    overrides: overrides ?? undefined,
    trusted,
    session,
    ...by,
  });

function setDue(d: AgentDraft, id: string, due: number | null): void {
  d.agent.schedules = { ...d.agent.schedules, [id]: due };
}
