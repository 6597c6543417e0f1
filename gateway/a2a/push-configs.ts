/**
 * Push configs of a task (docs/api.md 2.10, 6.2). Older clients name none, or `default`, or the task's own id for the
 * one that a task has: the config of that id where there is one, else the first. Lists mask the queries of URLs, which
 * may hold secrets.
 */
import { HivekeepError, notFound } from '../../src/domain/errors.js';
import type { PushConfig } from '../../src/domain/task.js';
import { withMaskedQuery } from '../../src/push/credentials.js';
import { positionOf, type RpcContext } from './asking.js';

export async function setPush({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  const { taskId, config } = codec.readSetPush(params);
  return codec.pushConfig(taskId, await service.setPush(caller, agent, taskId, config));
}

export async function getPush({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  const { taskId, id } = codec.readGetPush(params);
  const config = named(await service.listPush(caller, agent, taskId), taskId, id);
  if (config === undefined) throw notFound(`push config of task ${taskId}:`, id ?? 'none is registered');
  return codec.pushConfig(taskId, config);
}

export async function listPush({ service, cursors, caller, agent, codec, params }: RpcContext): Promise<object> {
  const { taskId, pageSize, pageToken } = codec.readListPush(params);
  const binding = JSON.stringify(['a2a push configs', caller.workspace, agent, taskId]);
  const after = pageToken === undefined || pageToken === '' ? '' : String(positionOf(cursors, pageToken, binding)[0]);
  const configs = (await service.listPush(caller, agent, taskId)).sort(byId).filter(({ id }) => id > after);
  const page = pageSize === undefined ? configs : configs.slice(0, pageSize);
  const last = page.at(-1);
  return codec.pushList(
    taskId,
    page.map((config) => ({ ...config, url: withMaskedQuery(config.url) })),
    last === undefined || page.length === configs.length ? '' : cursors.sign([last.id], binding),
  );
}

const byId = (a: PushConfig, b: PushConfig): number => (a.id < b.id ? -1 : 1);

/** Deleting what is not there is done already (A2A 1.0, 3.1.10); that the task is not there is an error. */
export async function deletePush({ service, caller, agent, codec, params }: RpcContext): Promise<object | null> {
  const { taskId, id } = codec.readDeletePush(params);
  const config = named(await service.listPush(caller, agent, taskId), taskId, id);
  if (config === undefined) return codec.pushDeleted;
  try {
    await service.deletePush(caller, agent, taskId, config.id);
  } catch (error) {
    // another call was faster
    if (!(error instanceof HivekeepError && error.code === 'NOT_FOUND')) throw error;
  }
  return codec.pushDeleted;
}

function named(configs: readonly PushConfig[], taskId: string, id: string | undefined): PushConfig | undefined {
  const exact = configs.find((config) => config.id === (id ?? taskId));
  return exact ?? (id === undefined || id === 'default' || id === taskId ? configs[0] : undefined);
}
