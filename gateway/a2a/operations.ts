/**
 * The methods with a single response (docs/api.md 4.2; A2A 1.0, 3.1). Each reads its params with the dialect's codec,
 * calls the service once, and writes the result with the codec. The streaming methods are in task-stream.ts.
 */
import type { Codec, ListRequest, SendRequest } from '../../src/a2a/codec.js';
import { RpcError } from '../../src/a2a/rpc.js';
import type { Caller, PageRequest, Service } from '../../src/service.js';
import type { Position } from '../../src/store/port.js';
import type { Cursors } from '../http/paging.js';
import { HivekeepError, notFound } from '../../src/domain/shared/errors.js';
import { type Part, type PushConfig, type TaskInput, isText, textOf } from '../../src/domain/task/task.js';
import { withMaskedQuery } from '../../src/push/credentials.js';
import { checkInputModes, checkOutputModes } from '../../src/a2a/message.js';
import type { A2aOperation } from '../../src/a2a/methods.js';
import { base64Bytes } from '../../src/domain/shared/text-forms.js';
import { limits } from '../../src/domain/shared/input-fields.js';
import { setPush, listPush, deletePush, getTask, cancelTask, listTasks } from '../../src/commands/tasks.js';

/* The context of one JSON-RPC call at an agent's endpoint: caller, agent, dialect, and the services that handle it. */

export interface RpcContext {
  service: Service;
  cursors: Cursors;
  caller: Caller;
  agent: string;
  codec: Codec;
  params: unknown;
  /** The extensions that the caller asks for (src/a2a/card.ts). */
  extensions: ReadonlySet<string>;
  /** Makes a signal that is aborted when the client has left; few calls wait long enough to need one. */
  gone: () => AbortSignal;
  /** The response is certain to be a result, and may take long. */
  begun: () => void;
  /** Builds the card that GetExtendedAgentCard returns. */
  card: () => Promise<object>;
}

/** Throws INVALID_PARAMS for a page token that was issued for another list. */
export function positionOf(cursors: Cursors, pageToken: string, binding: string): Position {
  try {
    return cursors.read(pageToken, binding);
  } catch (cause) {
    const message = 'must be the nextPageToken of a page of this same list';
    throw new RpcError('INVALID_PARAMS', `pageToken ${message}`, {
      cause,
      violations: [{ path: 'pageToken', message }],
    });
  }
}

/*
 * Push configurations of a task (docs/api.md 2.10, 6.2). Older clients have at most one for each task and give no id
 * for it, `default`, or the task's id: this selects the configuration with that id if there is one, and otherwise the
 * first. Lists mask the query strings of URLs, which may contain secrets.
 */

async function setPushConfig({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  const { taskId, config } = codec.readSetPush(params);
  return codec.pushConfig(taskId, await service.execute(caller, setPush, { id: agent, taskId }, config));
}

async function getPushConfig({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  const { taskId, id } = codec.readPush(params);
  const config = named(await service.execute(caller, listPush, { id: agent, taskId }), taskId, id);
  if (config === undefined) throw notFound(`push config of task ${taskId}:`, id ?? 'none is registered');
  return codec.pushConfig(taskId, config);
}

async function listPushConfig({ service, cursors, caller, agent, codec, params }: RpcContext): Promise<object> {
  const { taskId, pageSize, pageToken } = codec.readListPush(params);
  const binding = JSON.stringify(['a2a push configs', caller.workspace, agent, taskId]);
  const after = pageToken === undefined || pageToken === '' ? '' : String(positionOf(cursors, pageToken, binding)[0]);
  const configs = (await service.execute(caller, listPush, { id: agent, taskId }))
    .sort(byId)
    .filter(({ id }) => id > after);
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
async function deletePushConfig({ service, caller, agent, codec, params }: RpcContext): Promise<object | null> {
  const { taskId, id } = codec.readPush(params);
  const config = named(await service.execute(caller, listPush, { id: agent, taskId }), taskId, id);
  if (config === undefined) return codec.pushDeleted;
  try {
    await service.execute(caller, deletePush, { id: agent, taskId, configId: config.id });
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

export type RpcHandler = (asking: RpcContext) => Promise<object | null>;

export const operations: Readonly<Record<Exclude<A2aOperation, 'stream' | 'subscribe'>, RpcHandler>> = {
  send,
  get,
  cancel,
  list,
  setPush: setPushConfig,
  getPush: getPushConfig,
  listPush: listPushConfig,
  deletePush: deletePushConfig,
  card,
};

async function send({ service, caller, agent, codec, params, gone, begun }: RpcContext): Promise<object> {
  const request = codec.readSend(params);
  const task = await service.sendTask(caller, agent, { wait: request.wait, ...taskInput(request) }, gone, begun);
  return codec.sendResult(task, request);
}

/** Converts a message into the service's input. Refuses content types that the agent cannot read or write. */
export function taskInput(request: SendRequest): Omit<TaskInput, 'wait'> {
  checkSize(request.message.parts);
  checkInputModes(request.message.parts);
  checkText(request.message.parts);
  checkOutputModes(request.acceptedOutputModes);
  return {
    message: request.message,
    taskId: request.taskId,
    contextId: request.contextId,
    push: request.push,
  };
}

/** By the sizes of text files alone, because to decode what is refused takes long. */
function checkSize(parts: readonly Part[]): void {
  const texts = parts.flatMap((part) => ('bytes' in part && isText(part.mediaType) ? base64Bytes(part.bytes) : []));
  if (texts.reduce((sum, bytes) => sum + bytes, 0) > limits.messageContent) throw tooLong();
}

/** The text of all parts together has the same limit as a message sent over REST. */
function checkText(parts: readonly Part[]): void {
  if (Buffer.byteLength(textOf(parts)) > limits.messageContent) throw tooLong();
}

function tooLong(): RpcError {
  const message = `must be at most ${limits.messageContent} bytes of text, data and text files together`;
  return new RpcError('INVALID_PARAMS', `message.parts ${message}`, {
    violations: [{ path: 'message.parts', message }],
  });
}

async function get({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  const request = codec.readGet(params);
  return codec.task(await service.execute(caller, getTask, { id: agent, taskId: request.id }), request);
}

async function cancel({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  return codec.task(await service.execute(caller, cancelTask, { id: agent, taskId: codec.readId(params) }));
}

/** Tasks are ordered by last change, newest first. Filtering by a state that no run can have gives an empty page. */
async function list({ service, cursors, caller, agent, codec, params }: RpcContext): Promise<object> {
  const request = codec.readList(params);
  const binding = listBinding(caller, agent, request);
  const page: PageRequest = { sort: 'updated_at', order: 'desc', limit: request.pageSize };
  if (request.pageToken !== undefined && request.pageToken !== '')
    page.after = positionOf(cursors, request.pageToken, binding);
  const { contextId, statuses, changedSince, pageSize, historyLength } = request;
  const found =
    statuses?.length === 0
      ? { items: [], next: null, total: 0 }
      : await service.execute(
          caller,
          listTasks,
          { id: agent },
          { contextId, statuses, changedSince, history: historyLength !== 0, page },
        );
  const nextPageToken = found.next === null ? '' : cursors.sign(found.next, binding);
  return codec.listResult(
    { tasks: found.items, nextPageToken, pageSize, totalSize: found.total },
    { historyLength, artifacts: request.includeArtifacts },
  );
}

/** Everything that a position in the list depends on. The page size is not included, so that a client may change it. */
const listBinding = (
  { workspace }: Caller,
  agent: string,
  { contextId, statuses, changedSince }: ListRequest,
): string => JSON.stringify(['a2a tasks', workspace, agent, contextId, statuses, changedSince]);

async function card({ params, card: make }: RpcContext): Promise<object> {
  if (params !== undefined && (params === null || typeof params !== 'object' || Array.isArray(params)))
    throw new RpcError('INVALID_PARAMS', 'params must be an object, or be left out');
  return make();
}
