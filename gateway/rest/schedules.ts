/** Schedules of an agent (docs/api.md 2.16, 11.10). */
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  pauseSchedule,
  runSchedule,
  setSchedule,
} from '../../src/commands/schedules.js';
import { get, page, patch, post, put, remove, type Route } from './route.js';
import { runPath } from './runs.js';

const all = '/v1/agents/:id/schedules';
const one = `${all}/:scheduleId` as const;

export const scheduleRoutes: readonly Route[] = [
  post(all, createSchedule, {
    status: 201,
    location: (schedule) => `/v1/agents/${schedule.agent_id}/schedules/${schedule.id}`,
  }),
  page(all, listSchedules),
  put(`${all}/by-name/:scheduleName`, setSchedule),
  get(one, getSchedule),
  patch(one, pauseSchedule),
  post(`${one}/run`, runSchedule, { status: 202, bodyOptional: true, location: runPath }),
  remove(one, deleteSchedule, { removes: 'scheduleId' }),
];
