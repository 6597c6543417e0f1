/** Schedules of an agent (docs/api.md 2.16, 11.10). */
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  pauseSchedule,
} from '../../src/commands/schedules.js';
import { get, page, patch, post, remove, type Route } from './route.js';

const all = '/v1/agents/:id/schedules';
const one = `${all}/:scheduleId` as const;

export const scheduleRoutes: readonly Route[] = [
  post(all, createSchedule, {
    status: 201,
    location: (schedule) => `/v1/agents/${schedule.agent_id}/schedules/${schedule.id}`,
  }),
  page(all, listSchedules),
  get(one, getSchedule),
  patch(one, pauseSchedule),
  remove(one, deleteSchedule, { removes: 'scheduleId' }),
];
