/** What can be asked of schedules (docs/api.md 2.16, 11.10; domain/agent/schedules.ts). */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { StoredSchedule } from '../domain/shared/documents.js';
import { checkActive } from '../domain/agent/agent-settings.js';
import { type Caller, asBegunBy } from '../domain/shared/caller.js';
import { iso } from '../domain/shared/clock.js';
import { notFound } from '../domain/shared/errors.js';
import { namedScheduleInput, type ScheduleInput, scheduleInput, schedulePatch } from '../domain/shared/inputs.js';
import type { Schedule } from '../domain/model/model.js';
import {
  addSchedule,
  removeSchedule,
  newSchedule,
  putPaused as setPaused,
  runNow,
  scheduleNamed,
  putSchedule as replaceSchedule,
  showSchedule,
} from '../domain/agent/schedules.js';
import { showRun, sightOf } from '../domain/task/run-as-task.js';
import { unpackRun } from '../domain/run/stored-run.js';
import { timeAfter, timesAfter } from '../schedules/times.js';
import type { EntityRef } from '../store/port.js';
import { type Reading, type Services, change, query } from './command.js';
import { agentRef, headOf } from './entities.js';
import { pageOf, type PageRequest } from './lists.js';
import { checkGivenOverrides, sealedFor } from './settings.js';

/** CONFLICT if the agent has as many schedules as it may have. */
export const createSchedule = change({
  name: 'createSchedule',
  summary: 'Start runs of an agent by a cron expression, at intervals or at one time.',
  scope: 'agent:spawn',
  result: 'Schedule',
  audit: 'schedule.created',
  of: 'agent',
  target: ['id'],
  input: scheduleInput,
  adds: true,
  prepare: (services, { caller, target, input }) => prepared(services, caller, target.id, input),
  read: (reading, { input }) => ({ next: firstTime(reading, input) }),
  decide(d, { caller, input }, { next }) {
    checkActive(d);
    return addSchedule(d, input, { next, trusted: sightOf(caller).decides });
  },
  show: (schedule, { caller }, services) => shown(services, caller, schedule),
});

/** The same again changes nothing, so that a client may ask for its schedules whenever it starts. */
export const setSchedule = change({
  name: 'setSchedule',
  summary: 'Make the schedule of a name, or replace what there is of that name.',
  scope: 'agent:spawn',
  result: 'Schedule',
  audit: 'schedule.updated',
  of: 'agent',
  target: ['id', 'scheduleName'],
  input: namedScheduleInput,
  adds: true,
  prepare: async (services, { caller, target, input }) => ({
    ...(await prepared(services, caller, target.id, input)),
    name: target.scheduleName,
  }),
  async read(reading, { input }) {
    const id = scheduleNamed(reading.state.agent, input.name);
    const before = id === undefined ? null : await scheduleOf(reading, id);
    return { before, next: firstTime(reading, input, before?.created_at) };
  },
  decide(d, { caller, input }, found) {
    checkActive(d);
    return replaceSchedule(d, input, { ...found, trusted: sightOf(caller).decides });
  },
  show: (schedule, { caller }, services) => shown(services, caller, schedule),
});

/** One that is paused can be run, too. */
export const runSchedule = change({
  name: 'runSchedule',
  summary: 'Start a run of a schedule now. Its times stay as they are.',
  scope: 'agent:spawn',
  result: 'Run',
  audit: 'schedule.started',
  of: 'agent',
  target: ['id', 'scheduleId'],
  input: z.strictObject({}),
  adds: true,
  async read(reading, { target }) {
    const schedule = await scheduleOf(reading, target.scheduleId);
    const { sessionId } = schedule;
    return {
      schedule,
      waits: await reading.settled(() => isPaused(reading.deps.store, reading.entity, schedule)),
      ...(sessionId !== null && { session: await reading.settled(() => reading.session(sessionId)) }),
    };
  },
  noted: ({ target }) => ({ target: target.scheduleId }),
  decide: (d, { caller }, found) => runNow(d, found, { powers: caller.powers, ...asBegunBy(caller) }),
  show: (run, { caller }) => showRun(run, sightOf(caller)),
});

/** Whether the run that it has begun last waits, for a human, say. */
export async function isPaused(
  store: Services['store'],
  agent: EntityRef,
  { if_running: rule, begun }: StoredSchedule,
): Promise<boolean> {
  if (rule !== 'skip' || begun === undefined) return false;
  const run = await store.get(agent, 'run', begun);
  return run !== null && unpackRun(run).status === 'paused';
}

export const listSchedules = query({
  name: 'listSchedules',
  summary: 'List the schedules of an agent, with their next times.',
  scope: 'agent:read',
  result: 'Schedule',
  target: ['id'],
  async run(services, { caller, target, input: { page } }: Paged) {
    const entity = agentRef(caller, target.id);
    const { snapshot } = await headOf(services, entity);
    const { schedules = {} } = snapshot;
    const found = await pageOf(
      services,
      { workspace: caller.workspace, entity, collection: 'schedule', list: 'created' },
      page,
      Object.keys(schedules).length,
      ({ body }) => body,
    );
    const items: Schedule[] = [];
    for (const schedule of found.items) {
      items.push(shown(services, caller, schedule));
      // the next times of a rare date take milliseconds to find
      await setImmediate();
    }
    return { ...found, items };
  },
});

interface Paged {
  caller: Caller;
  target: { id: string };
  input: { page: PageRequest };
}

export const getSchedule = query({
  name: 'getSchedule',
  summary: 'Get a schedule.',
  scope: 'agent:read',
  result: 'Schedule',
  target: ['id', 'scheduleId'],
  async run(services, { caller, target: { id, scheduleId } }) {
    const agent = agentRef(caller, id);
    await headOf(services, agent);
    const doc = await services.store.get(agent, 'schedule', scheduleId);
    if (!doc) throw notFound('schedule', scheduleId);
    return shown(services, caller, doc.body);
  },
});

/** CONFLICT if its one time is over, so that it cannot go on. */
export const pauseSchedule = change({
  name: 'pauseSchedule',
  summary: 'Pause a schedule, or let it go on with its next time.',
  scope: 'agent:spawn',
  result: 'Schedule',
  audit: 'schedule.updated',
  of: 'agent',
  target: ['id', 'scheduleId'],
  input: schedulePatch,
  async read(reading, { target, input: { paused } }) {
    const schedule = await scheduleOf(reading, target.scheduleId);
    return { schedule, next: paused ? null : timeAfter(schedule, reading.deps.clock.now()) };
  },
  decide: (d, { input: { paused } }, { schedule, next }) => setPaused(d, { schedule, paused, next }),
  show: (schedule, { caller }, services) => shown(services, caller, schedule),
});

export const deleteSchedule = change({
  name: 'deleteSchedule',
  summary: 'Delete a schedule. Its runs stay.',
  scope: 'agent:spawn',
  result: 'Deleted',
  audit: 'schedule.deleted',
  of: 'agent',
  target: ['id', 'scheduleId'],
  read: (reading, { target }) => scheduleOf(reading, target.scheduleId),
  decide(d, _call, schedule): void {
    removeSchedule(d, { schedule });
  },
});

async function prepared<I extends ScheduleInput>(services: Services, caller: Caller, agent: string, input: I) {
  if (input.overrides) await checkGivenOverrides(services, caller, input.overrides);
  return { ...input, overrides: sealedFor(services, agent, input.overrides) };
}

function firstTime(
  { deps: { clock }, entity, state }: Reading<'agent'>,
  input: ScheduleInput,
  created?: string,
): number | null {
  const now = clock.now();
  const { timezone: zone } = state.agent.config;
  return timeAfter(newSchedule({ id: '', agent: entity.id, zone }, input, created ?? iso(now)), now);
}

const scheduleOf = (reading: Reading<'agent'>, id: string): Promise<StoredSchedule> =>
  reading.settled(async () => {
    const doc = await reading.deps.store.get(reading.entity, 'schedule', id);
    if (!doc) throw notFound('schedule', id);
    return doc.body;
  });

const timesShown = 5;

const shown = ({ clock }: Services, caller: Caller, schedule: StoredSchedule): Schedule =>
  showSchedule(schedule, schedule.paused ? [] : timesAfter(schedule, clock.now(), timesShown), sightOf(caller));
