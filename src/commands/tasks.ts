/** What can be asked of runs as A2A tasks, and of where their changes are pushed (docs/api.md 3.1, 6.2). */
import type { RunRecord } from '../domain/agent/agent-state.js';
import { type Caller, isSessionOf, reaches } from '../domain/shared/caller.js';
import { isIdOf } from '../domain/shared/ids.js';
import type { RunStatus } from '../domain/shared/vocabulary.js';
import { unpackRun } from '../domain/run/stored-run.js';
import { putPush, removePush } from '../domain/task/push-commands.js';
import { historyOf, sightOf, taskOf } from '../domain/task/run-as-task.js';
import type { PushConfig, PushConfigInput, Task } from '../domain/task/task.js';
import { openConfig, sealConfig, withoutPushSecrets } from '../push/credentials.js';
import type { Listed } from '../store/port.js';
import { type Call, change, partialChange, procedure, query, type Services, takes } from './command.js';
import { agentRef, headOf } from './entities.js';
import { listFor, type ListSelection, pageOf, type PageRequest } from './lists.js';
import { filteredPage } from './parts.js';
import { checkRunReach, runById } from './run-reads.js';
import { decideCancel } from './runs.js';

export const showTask = (run: RunRecord, caller: Caller): Task => taskOf(run, historyOf(run), sightOf(caller));

/** The task with its whole history. */
export const getTask = query({
  name: 'getTask',
  summary: 'Get a task.',
  scope: 'agent:read',
  result: null,
  target: ['id', 'taskId'],
  run: async (services, { caller, target: { id, taskId } }) =>
    showTask(await runById(services, caller, id, taskId), caller),
});

interface WantedTasks {
  contextId?: string;
  statuses?: readonly RunStatus[];
  changedSince?: string;
  history: boolean;
  page: PageRequest;
}

const isSession = ({ credentialId }: Caller, contextId: string): boolean =>
  isIdOf('session', contextId) || isSessionOf(credentialId, contextId);

/** With `page.sort` updated_at, the last changed come first. With a filter, `total` is counted up to 10,000. */
export const listTasks = query({
  name: 'listTasks',
  summary: 'List the tasks of an agent.',
  scope: 'agent:read',
  result: null,
  target: ['id'],
  async run(services, { caller, target: { id }, input }: Call<'id', WantedTasks>) {
    const { contextId, statuses, changedSince, history, page } = input;
    const entity = agentRef(caller, id);
    const head = await headOf(services, entity);
    const runs = { workspace: caller.workspace, entity, collection: 'run' as const };
    const named = contextId !== undefined && contextId !== id;
    // a conversation that the service has named holds the task that began it, too
    const where: ListSelection<'run'> = named
      ? { ...runs, list: isSession(caller, contextId) ? 'session' : 'context', by: contextId }
      : { ...runs, list: listFor(page, 'updated') };
    const show = (item: Listed<'run'>): Task => {
      const run = unpackRun(item);
      return taskOf(run, history ? historyOf(run) : null, sightOf(caller));
    };
    if (!statuses && changedSince === undefined && contextId !== id && !caller.ownTasks)
      return pageOf(services, where, page, named ? null : (head.counts['runs'] ?? 0), show);
    const wanted = (item: Listed<'run'>): boolean => {
      const run = unpackRun(item);
      return (
        reaches(caller, run) &&
        (!statuses || statuses.includes(run.status)) &&
        (changedSince === undefined || run.statusAt >= changedSince) &&
        (named || contextId === undefined || run.contextId === undefined)
      );
    };
    return filteredPage(services, where, page, wanted, show);
  },
});

/** CONFLICT if the task has ended. */
export const cancelTask = change({
  name: 'cancelTask',
  summary: 'Cancel a task.',
  scope: 'agent:spawn',
  result: null,
  audit: 'run.cancelled',
  of: 'agent',
  target: ['id', 'taskId'],
  async prepare(services, { caller, target: { id, taskId } }) {
    await checkRunReach(services, caller, id, taskId);
    return undefined;
  },
  read: (reading, { target: { taskId } }) => reading.settled(() => reading.run(taskId)),
  decide: (d, _call, run) => decideCancel(d, run),
  show: (run, { caller }) => showTask(run, caller),
});

export const storePush = partialChange({
  name: 'storePush',
  of: 'agent',
  target: ['id', 'taskId'],
  takes: takes<PushConfigInput>(),
  audit: 'push.registered',
  noted: ({ target: { taskId } }) => ({ target: taskId }),
  read: (reading, { target: { taskId } }) => reading.settled(() => reading.run(taskId)),
  decide: (d, { input: config }, run): PushConfig => putPush(d, { run, config }),
});

/**
 * Registers a URL to which changes of a task are pushed, replacing a config with the same id. VALIDATION_ERROR on `url`
 * if the guard refuses it. Its secrets are sealed before they reach the agent.
 */
export const setPush = procedure({
  name: 'setPush',
  summary: 'Register where changes of a task are pushed.',
  scope: 'agent:spawn',
  result: null,
  audit: 'push.registered',
  target: ['id', 'taskId'],
  async run(services, { caller, target, input: config }: Call<'id' | 'taskId', PushConfigInput>): Promise<PushConfig> {
    await runById(services, caller, target.id, target.taskId);
    await services.push.check(config);
    const sealed = sealConfig(services.keyring, target.id, config);
    const stored = await services.execute(caller, storePush, target, sealed);
    return { ...stored, ...config, id: stored.id };
  },
});

/** Tokens and credentials only to callers that may manage the agent, and none that cannot be decrypted. */
export const listPush = query({
  name: 'listPush',
  summary: 'List where changes of a task are pushed.',
  scope: 'agent:read',
  result: null,
  target: ['id', 'taskId'],
  run: async (services, { caller, target: { id, taskId } }) =>
    ((await runById(services, caller, id, taskId)).push ?? []).map((config) => shownPush(services, caller, id, config)),
});

function shownPush({ keyring }: Services, caller: Caller, agent: string, config: PushConfig): PushConfig {
  const opened = caller.scopes.includes('agent:manage') ? openConfig(keyring, agent, config) : null;
  return opened ?? withoutPushSecrets(config);
}

export const deletePush = change({
  name: 'deletePush',
  summary: 'Stop pushing changes of a task.',
  scope: 'agent:spawn',
  result: null,
  audit: 'push.removed',
  of: 'agent',
  target: ['id', 'taskId', 'configId'],
  async prepare(services, { caller, target: { id, taskId } }) {
    await checkRunReach(services, caller, id, taskId);
    return undefined;
  },
  noted: ({ target: { taskId } }) => ({ target: taskId }),
  read: (reading, { target: { taskId } }) => reading.settled(() => reading.run(taskId)),
  decide(d, { target: { configId: id } }, run): void {
    removePush(d, { run, id });
  },
});
