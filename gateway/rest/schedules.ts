/** Schedules of an agent (docs/api.md 2.16, 11.10). */
import { scheduleInput, schedulePatch } from '../../src/domain/inputs.js';
import { list, read, remove, write, type Route } from './route.js';

export const scheduleRoutes: readonly Route[] = [
  write({
    operationId: 'createSchedule',
    path: '/v1/agents/:id/schedules',
    scope: 'agent:spawn',
    summary: 'Start runs of an agent by a cron expression, at intervals or at one time.',
    result: 'Schedule',
    body: scheduleInput,
    status: 201,
    handle: (service, { caller, params, body }) => service.addSchedule(caller, params.id, body),
    location: (schedule) => `/v1/agents/${schedule.agent_id}/schedules/${schedule.id}`,
  }),
  list({
    operationId: 'listSchedules',
    path: '/v1/agents/:id/schedules',
    scope: 'agent:read',
    summary: 'List the schedules of an agent, with their next times.',
    result: 'Schedule',
    handle: (service, { caller, params, page }) => service.listSchedules(caller, params.id, page),
  }),
  read({
    operationId: 'getSchedule',
    path: '/v1/agents/:id/schedules/:scheduleId',
    scope: 'agent:read',
    summary: 'Get a schedule.',
    result: 'Schedule',
    handle: (service, { caller, params }) => service.getSchedule(caller, params.id, params.scheduleId),
  }),
  write({
    operationId: 'pauseSchedule',
    method: 'PATCH',
    path: '/v1/agents/:id/schedules/:scheduleId',
    scope: 'agent:spawn',
    summary: 'Pause a schedule, or let it go on with its next time.',
    result: 'Schedule',
    body: schedulePatch,
    handle: (service, { caller, params, body }) => service.pauseSchedule(caller, params.id, params.scheduleId, body),
  }),
  remove({
    operationId: 'deleteSchedule',
    path: '/v1/agents/:id/schedules/:scheduleId',
    scope: 'agent:spawn',
    summary: 'Delete a schedule. Its runs stay.',
    removes: 'scheduleId',
    handle: (service, { caller, params }) => service.deleteSchedule(caller, params.id, params.scheduleId),
  }),
];
