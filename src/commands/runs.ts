/** What can be asked of runs and is a command (docs/api.md 2.3, 4.1; domain/mailbox/questions.ts). */
import { setImmediate } from 'node:timers/promises';
import { startFork } from '../domain/agent/agent-commands.js';
import type { AgentDraft } from '../domain/agent/agent-draft.js';
import type { LiveRun, RunRecord } from '../domain/agent/agent-state.js';
import { type Caller, reaches } from '../domain/shared/caller.js';
import { notFound } from '../domain/shared/errors.js';
import { runFilter } from '../domain/shared/filters.js';
import { type ForkInput, forkInput } from '../domain/shared/inputs.js';
import type { RunStatus } from '../domain/shared/vocabulary.js';
import type { Run } from '../domain/model/model.js';
import { addModelUsage } from '../domain/agent/budgets.js';
import { deleteRunPart } from '../domain/run/retention.js';
import { adoptRun, cancelLiveRun } from '../domain/run/run.js';
import { everything, showRun, sightOf } from '../domain/task/run-as-task.js';
import { runSize, unpackRun } from '../domain/run/stored-run.js';
import { itemsOf } from '../store/list-query.js';
import type { Listed } from '../store/port.js';
import { type Call, change, partialChange, procedure, query, type Services, takes } from './command.js';
import { agentRef, headOf } from './entities.js';
import { turnFor } from './given-files.js';
import {
  type CreatedFilter,
  createdRange,
  listFor,
  type ListSelection,
  pageBytes,
  pageOf,
  type PageOf,
  type PageRequest,
} from './lists.js';
import { deletedRun } from './old-journals.js';
import { filteredPage } from './parts.js';
import { checkpointOf, checkRunReach, loadRun, recordOf, runById } from './run-reads.js';

export const getRun = query({
  name: 'getRun',
  summary: 'Get a run.',
  scope: 'agent:read',
  result: 'Run',
  target: ['id', 'runId'],
  run: async (services, { caller, target: { id, runId } }) =>
    showRun(await runById(services, caller, id, runId), sightOf(caller)),
});

export const listRuns = query({
  name: 'listRuns',
  summary: 'List the runs of an agent.',
  scope: 'agent:read',
  result: 'Run',
  target: ['id'],
  async run(services, { caller, target: { id }, input: { page } }: Call<'id', { page: PageRequest }>) {
    const entity = agentRef(caller, id);
    const { counts } = await headOf(services, entity);
    const where = { workspace: caller.workspace, entity, collection: 'run', list: listFor(page, 'updated') } as const;
    return runsOf(services, caller, where, page, counts['runs'] ?? 0);
  },
});

/** The runs of the whole workspace, by creation. */
export const listAllRuns = query({
  name: 'listAllRuns',
  summary: 'List the runs of all agents.',
  scope: 'agent:read',
  result: 'Run',
  target: [],
  filter: runFilter,
  async run(
    services,
    {
      caller,
      input: { agent_id: agent, status, page, ...created },
    }: Call<never, { status?: RunStatus; agent_id?: string; page: PageRequest } & CreatedFilter>,
  ) {
    if (agent !== undefined) await headOf(services, agentRef(caller, agent));
    const within =
      agent !== undefined
        ? {
            list: 'created' as const,
            entity: agentRef(caller, agent),
            ...(status !== undefined && { where: { status } }),
          }
        : status !== undefined
          ? { list: 'status' as const, by: status }
          : { list: 'created' as const };
    const where = {
      workspace: caller.workspace,
      collection: 'run' as const,
      ...within,
      ...createdRange('run', created),
    };
    return runsOf(services, caller, where, page, null);
  },
});

/** Those that the caller reaches. */
function runsOf(
  services: Services,
  caller: Caller,
  where: ListSelection<'run'>,
  page: PageRequest,
  total: number | null,
): Promise<PageOf<Run>> {
  const show = (item: Listed<'run'>): Run => showRun(unpackRun(item), sightOf(caller));
  return caller.ownTasks
    ? filteredPage(services, where, page, (item) => reaches(caller, unpackRun(item)), show)
    : pageOf(services, where, page, total, show);
}

/** A file that came with a message to the agent, by its SHA-256. */
export const getFile = query({
  name: 'getFile',
  summary: 'Get a file that came with a message to the agent.',
  scope: 'agent:read',
  result: 'File',
  target: ['id', 'sha256'],
  async run(services, { caller, target: { id, sha256 } }) {
    const agent = agentRef(caller, id);
    await headOf(services, agent);
    const doc = await services.store.get(agent, 'file', sha256);
    if (!doc) throw notFound('file', sha256);
    const bytes = String(doc.body['bytes']);
    await turnFor(bytes);
    return { sha256, size: Buffer.byteLength(bytes, 'base64'), bytes };
  },
});

export const forkRun = change({
  name: 'forkRun',
  summary: 'Fork a run from a checkpoint.',
  scope: 'agent:spawn',
  result: 'Run',
  audit: 'run.forked',
  of: 'agent',
  target: ['id', 'runId'],
  input: forkInput,
  adds: true,
  async prepare(services, { caller, target: { id, runId }, input }) {
    await checkRunReach(services, caller, id, runId);
    return input;
  },
  read: (reading, { target: { runId }, input }: Call<'id' | 'runId', ForkInput>) =>
    reading.settled(async () => ({
      run: await loadRun(reading.deps.store, reading.entity, runId),
      checkpoint: await checkpointOf(reading.deps.store, reading.entity, runId, input.checkpoint),
    })),
  decide: (d, _call, found) => startFork(d, found),
  record: (run) => showRun(run, everything),
  show: (run, { caller }) => showRun(run, sightOf(caller)),
});

/** Ends a run that has not ended. */
export function decideCancel(d: AgentDraft, run: LiveRun): RunRecord {
  const live = adoptRun(d, run);
  cancelLiveRun(d, live);
  return live.record;
}

/** Ends a run; CONFLICT if it has ended already. The contract has no route for it: it is cancelled as a task. */
export const cancelRun = change({
  name: 'cancelRun',
  summary: 'Cancel a run.',
  scope: 'agent:spawn',
  result: null,
  audit: 'run.cancelled',
  of: 'agent',
  target: ['id', 'runId'],
  async prepare(services, { caller, target: { id, runId } }) {
    await checkRunReach(services, caller, id, runId);
    return undefined;
  },
  read: (reading, { target: { runId } }) => reading.settled(() => reading.run(runId)),
  decide: (d, _call, run) => decideCancel(d, run),
  record: (run) => showRun(run, everything),
  show: (run, { caller }) => showRun(run, sightOf(caller)),
});

/** Deletes a part of a run that has ended, and results in whether that was the last. `first`: the audit tells of it. */
export const removeRunPart = partialChange({
  name: 'removeRunPart',
  of: 'agent',
  target: ['id'],
  takes: takes<{ runId: string; first: boolean }>(),
  audit: 'run.deleted',
  noted: ({ input: { runId, first } }) => (first ? { target: runId } : null),
  read: (reading, { input: { runId } }) =>
    reading.settled(async () => {
      const { deps, entity, state } = reading;
      const run = state.runs.get(runId)?.record ?? (await recordOf(deps.store, entity, runId));
      return deletedRun(deps.store, entity, run);
    }),
  decide: (d, _call, found) => deleteRunPart(d, found),
});

/** CONFLICT if the run has not ended, or if forks may continue from it. */
export const deleteRun = procedure({
  name: 'deleteRun',
  summary: 'Delete a run that has ended, with its thoughts, checkpoints and events.',
  scope: 'agent:manage',
  result: 'Deleted',
  audit: 'run.deleted',
  target: ['id', 'runId'],
  async run(services, { caller, target: { id, runId } }) {
    await runById(services, caller, id, runId);
    for (let first = true; ; first = false)
      if (await services.execute(caller, removeRunPart, { id }, { runId, first })) return;
  },
});

/** So many runs of a tree are shown, and no more than a page has bytes. */
const mostOfTree = 500;

/**
 * A token of an agent is shown the runs of that agent alone. A run is found by who has asked for it, so that what a run
 * has asked that is not shown is not looked for either.
 */
export const getRunTree = query({
  name: 'getRunTree',
  summary: 'Get a run with all runs that it has asked of other agents, directly or through others.',
  scope: 'agent:read',
  result: 'RunTree',
  target: ['id', 'runId'],
  async run(services, { caller, target: { id, runId } }) {
    const root = await runById(services, caller, id, runId);
    const runs = [root];
    const left = { bytes: pageBytes };
    let complete = true;
    for (let at = 0; at < runs.length && complete; at++) {
      complete = await addAsked(services, caller, runs[at] as RunRecord, runs, left);
      await setImmediate();
    }
    const sight = sightOf(caller);
    const usage = runs.map((run) => run.usage).reduce(addModelUsage, undefined) ?? addModelUsage();
    return { runs: runs.map((run) => showRun(run, sight)), complete, usage };
  },
});

/** Adds the runs that this one has asked for. Returns false if there are too many to show. */
async function addAsked(
  { store }: Services,
  caller: Caller,
  run: RunRecord,
  runs: RunRecord[],
  left: { bytes: number },
): Promise<boolean> {
  const { workspace } = caller;
  const asked = { workspace, collection: 'run', list: 'asked', by: run.id, order: 'asc' } as const;
  const shows = (one: RunRecord): boolean =>
    (caller.agent === undefined || caller.agent === one.agent_id) && reaches(caller, one);
  for await (const item of itemsOf(store, { ...asked, limit: 100, maxBytes: pageBytes })) {
    const one = unpackRun(item);
    if (!shows(one)) continue;
    left.bytes -= runSize(one);
    if (runs.length >= mostOfTree || left.bytes < 0) return false;
    runs.push(one);
  }
  return true;
}
