/**
 * Runs and what they produce: events, thoughts, checkpoints (docs/api.md 2.3, 2.5, 4.1). A run is cancelled as an A2A
 * task; the contract has no route for it (3.2).
 */
import { resumeInput, runInput } from '../../src/domain/shared/inputs.js';
import { runFrame } from '../streams/events.js';
import { listCheckpoints, listThoughts } from '../../src/commands/journals.js';
import { deleteRun, forkRun, getFile, getRun, getRunTree, listAllRuns, listRuns } from '../../src/commands/runs.js';
import { get, page, post, remove, stream, write, type Route } from './route.js';

export const runPath = (run: { agent_id: string; id: string }): string =>
  `/v1/agent-constellations/${run.agent_id}/runs/${run.id}`;
const all = '/v1/agent-constellations/:id/runs';
const one = `${all}/:runId` as const;

export const runRoutes: readonly Route[] = [
  write({
    operationId: 'startRun',
    path: all,
    scope: 'agent:spawn',
    summary: 'Start a run.',
    result: 'Run',
    body: runInput,
    takesFiles: true,
    status: 202,
    handle: (service, { caller, params, body }) => service.startRun(caller, params.id, body),
    location: runPath,
  }),
  page('/v1/runs', listAllRuns),
  page(all, listRuns, { updates: true }),
  get(one, getRun),
  get(`${one}/tree`, getRunTree),
  stream({
    operationId: 'followRun',
    path: `${one}/events`,
    scope: 'agent:read',
    summary: 'Stream the events of a run as server-sent events.',
    result: 'RunEvent',
    resumable: true,
    open: (service, { caller, params, lastSeq }) => service.runUpdates(caller, params.id, params.runId, lastSeq),
    frame: () => runFrame,
  }),
  write({
    operationId: 'resumeRun',
    path: `${one}/resume`,
    scope: 'agent:spawn',
    summary: 'Resume a run that is paused or ran out of budget.',
    audited: true,
    result: 'Run',
    body: resumeInput,
    takesFiles: true,
    status: 202,
    handle: (service, { caller, params, body }) => service.resumeRun(caller, params.id, params.runId, body),
  }),
  get('/v1/agent-constellations/:id/files/:sha256', getFile),
  post(`${one}/fork`, forkRun, { status: 202, location: runPath }),
  remove(one, deleteRun, { removes: 'runId' }),
  page('/v1/agent-constellations/:id/thoughts', listThoughts, { ownLimit: { default: 50, max: 1000 } }),
  page('/v1/agent-constellations/:id/checkpoints', listCheckpoints),
];
