/**
 * Push configurations of a task (docs/api.md 2.10, 6.2). Older clients have at most one for each task and give no id
 * for it, `default`, or the task's id: this selects the configuration with that id if there is one, and otherwise the
 * first. Lists mask the query strings of URLs, which may contain secrets.
 */
import { HivekeepError, notFound } from '../../src/domain/errors.js';
import type { PushConfig } from '../../src/domain/task.js';
import { withMaskedQuery } from '../../src/push/credentials.js';
import { positionOf, type RpcContext } from './rpc-context.js';

export async function setPush({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  const { taskId, config } = codec.readSetPush(params);
  return codec.pushConfig(taskId, await service.setPush(caller, agent, taskId, config));
}

export async function getPush({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  const { taskId, id } = codec.readPush(params);
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

/**
 * Idempotent: deleting a configuration that does not exist succeeds (A2A 1.0, 3.1.10). A task that does not exist is an
 * error.
 */
export async function deletePush({ service, caller, agent, codec, params }: RpcContext): Promise<object | null> {
  const { taskId, id } = codec.readPush(params);
  const config = named(await service.listPush(caller, agent, taskId), taskId, id);
  if (config === undefined) return codec.pushDeleted;
  try {
    await service.deletePush(caller, agent, taskId, config.id);
  } catch (error) {
    // a concurrent call has deleted it
    if (!(error instanceof HivekeepError && error.code === 'NOT_FOUND')) throw error;
  }
  return codec.pushDeleted;
}

function named(configs: readonly PushConfig[], taskId: string, id: string | undefined): PushConfig | undefined {
  const exact = configs.find((config) => config.id === (id ?? taskId));
  return exact ?? (id === undefined || id === 'default' || id === taskId ? configs[0] : undefined);
}
