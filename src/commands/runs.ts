/** What can be asked of runs and is a command (docs/api.md 2.3, 4.1; domain/mailbox/questions.ts). */
import { setImmediate } from 'node:timers/promises';
import type { RunRecord } from '../domain/agent/agent-state.js';
import { type Caller, reaches } from '../domain/shared/caller.js';
import { notFound } from '../domain/shared/errors.js';
import { addModelUsage } from '../domain/agent/budgets.js';
import { showRun, sightOf } from '../domain/task/run-as-task.js';
import { runSize, unpackRun } from '../domain/run/stored-run.js';
import { itemsOf } from '../store/list-query.js';
import { query, type Services } from './command.js';
import { agentRef, headOf } from './entities.js';
import { pageBytes } from './lists.js';

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
    const agent = agentRef(caller, id);
    await headOf(services, agent);
    const doc = await services.store.get(agent, 'run', runId);
    const root = doc && unpackRun(doc);
    if (!root || !reaches(caller, root)) throw notFound('run', runId);
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
