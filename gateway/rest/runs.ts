/**
 * Runs and what they produce: events, thoughts, checkpoints (docs/api.md 2.3, 2.5, 4.1). A run is cancelled as an A2A
 * task; the contract has no route for it (3.2).
 */
import { forkInput, resumeInput, runInput } from '../../src/domain/shared/inputs.js';
import { runFilter, thoughtFilter } from '../../src/domain/shared/filters.js';
import { runFrame } from '../streams/events.js';
import { getRunTree } from '../../src/commands/runs.js';
import { get, list, read, removal, stream, write, type Route } from './route.js';

export const runPath = (run: { agent_id: string; id: string }): string =>
  `/v1/agent-constellations/${run.agent_id}/runs/${run.id}`;
const { sessionId, thoughtType } = thoughtFilter;

export const runRoutes: readonly Route[] = [
  write({
    operationId: 'startRun',
    path: '/v1/agent-constellations/:id/runs',
    scope: 'agent:spawn',
    summary: 'Start a run.',
    result: 'Run',
    body: runInput,
    takesFiles: true,
    status: 202,
    handle: (service, { caller, params, body }) => service.startRun(caller, params.id, body),
    location: runPath,
  }),
  list({
    operationId: 'listAllRuns',
    path: '/v1/runs',
    scope: 'agent:read',
    summary: 'List the runs of all agents.',
    result: 'Run',
    filter: runFilter,
    handle: (service, { caller, filter, page }) => service.listAllRuns(caller, filter, page),
  }),
  list({
    operationId: 'listRuns',
    path: '/v1/agent-constellations/:id/runs',
    scope: 'agent:read',
    summary: 'List the runs of an agent.',
    result: 'Run',
    paging: { updates: true },
    handle: (service, { caller, params, page }) => service.listRuns(caller, params.id, page),
  }),
  read({
    operationId: 'getRun',
    path: '/v1/agent-constellations/:id/runs/:runId',
    scope: 'agent:read',
    summary: 'Get a run.',
    result: 'Run',
    handle: (service, { caller, params }) => service.getRun(caller, params.id, params.runId),
  }),
  get('/v1/agent-constellations/:id/runs/:runId/tree', getRunTree),
  stream({
    operationId: 'followRun',
    path: '/v1/agent-constellations/:id/runs/:runId/events',
    scope: 'agent:read',
    summary: 'Stream the events of a run as server-sent events.',
    result: 'RunEvent',
    resumable: true,
    open: (service, { caller, params, lastSeq }) => service.runUpdates(caller, params.id, params.runId, lastSeq),
    frame: () => runFrame,
  }),
  write({
    operationId: 'resumeRun',
    path: '/v1/agent-constellations/:id/runs/:runId/resume',
    scope: 'agent:spawn',
    summary: 'Resume a run that is paused or ran out of budget.',
    audited: true,
    result: 'Run',
    body: resumeInput,
    takesFiles: true,
    status: 202,
    handle: (service, { caller, params, body }) => service.resumeRun(caller, params.id, params.runId, body),
  }),
  read({
    operationId: 'getFile',
    path: '/v1/agent-constellations/:id/files/:sha256',
    scope: 'agent:read',
    summary: 'Get a file that came with a message to the agent.',
    result: 'File',
    handle: (service, { caller, params }) => service.getFile(caller, params.id, params.sha256),
  }),
  write({
    operationId: 'forkRun',
    path: '/v1/agent-constellations/:id/runs/:runId/fork',
    scope: 'agent:spawn',
    summary: 'Fork a run from a checkpoint.',
    audited: true,
    result: 'Run',
    body: forkInput,
    status: 202,
    handle: (service, { caller, params, body }) => service.forkRun(caller, params.id, params.runId, body),
    location: runPath,
  }),
  removal({
    operationId: 'deleteRun',
    path: '/v1/agent-constellations/:id/runs/:runId',
    scope: 'agent:manage',
    summary: 'Delete a run that has ended, with its thoughts, checkpoints and events.',
    audited: true,
    removes: 'runId',
    handle: (service, { caller, params }) => service.deleteRun(caller, params.id, params.runId),
  }),
  list({
    operationId: 'listThoughts',
    path: '/v1/agent-constellations/:id/thoughts',
    scope: 'agent:read',
    summary: 'List the thoughts of a run.',
    result: 'Thought',
    paging: { ownLimit: { default: 50, max: 1000 } },
    filter: { sessionId, thoughtType },
    handle: (service, { caller, params, filter, page }) => service.listThoughts(caller, params.id, filter, page),
  }),
  list({
    operationId: 'listCheckpoints',
    path: '/v1/agent-constellations/:id/checkpoints',
    scope: 'agent:read',
    summary: 'List the checkpoints of a run, one for each step.',
    result: 'Checkpoint',
    filter: { runId: sessionId, sessionId },
    handle: (service, { caller, params, filter, page }) => service.listCheckpoints(caller, params.id, filter, page),
  }),
];
