/**
 * What the methods do that answer once (docs/api.md 4.2; A2A 1.0, 3.1): params are read by the dialect's codec, the
 * service is called once, its answer is written by the codec. Streams are in task-stream.ts, push configs in
 * push-configs.ts.
 */
import { checkInputModes } from '../../src/a2a/input-modes.js';
import type { Operation } from '../../src/a2a/methods.js';
import { checkOutputModes } from '../../src/a2a/output-modes.js';
import type { ListRequest, SendRequest } from '../../src/a2a/requests.js';
import { RpcError } from '../../src/a2a/rpc.js';
import { limits } from '../../src/domain/inputs.js';
import { type Part, type TaskInput, textOf } from '../../src/domain/task.js';
import type { Caller, PageRequest } from '../../src/service.js';
import { positionOf, type RpcContext } from './asking.js';
import { deletePush, getPush, listPush, setPush } from './push-configs.js';

export type RpcHandler = (asking: RpcContext) => Promise<object | null>;

export const operations: Readonly<Record<Exclude<Operation, 'stream' | 'subscribe'>, RpcHandler>> = {
  send,
  get,
  cancel,
  list,
  setPush,
  getPush,
  listPush,
  deletePush,
  card,
};

async function send({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  const request = codec.readSend(params);
  const { task } = await service.sendTask(caller, agent, taskInput(request, request.wait));
  return codec.sendResult(task, request);
}

/** What the service is asked by a message; refused here: content that this agent cannot read or write. */
export function taskInput(request: SendRequest, wait: TaskInput['wait']): TaskInput {
  checkInputModes(request.message.parts);
  checkText(request.message.parts);
  checkOutputModes(request.acceptedOutputModes);
  return {
    message: request.message,
    taskId: request.taskId,
    contextId: request.contextId,
    push: request.push,
    wait,
  };
}

/** What the agent reads of a message has the limit that a message over REST has, in however many parts it comes. */
function checkText(parts: readonly Part[]): void {
  if (Buffer.byteLength(textOf(parts)) <= limits.messageContent) return;
  const message = `must be at most ${limits.messageContent} bytes of text, data and text files together`;
  throw new RpcError('INVALID_PARAMS', `message.parts ${message}`, {
    violations: [{ path: 'message.parts', message }],
  });
}

async function get({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  const request = codec.readGet(params);
  return codec.task(await service.getTask(caller, agent, request.id), request);
}

async function cancel({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  return codec.task(await service.cancelTask(caller, agent, codec.readCancel(params).id));
}

/** Last changed first. A state that no run ever shows is an empty page. */
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
      : await service.listTasks(
          caller,
          agent,
          { contextId, statuses, changedSince, history: historyLength !== 0 },
          page,
        );
  const nextPageToken = found.next === null ? '' : cursors.sign(found.next, binding);
  return codec.listResult(
    { tasks: found.items, nextPageToken, pageSize, totalSize: found.total },
    { historyLength, artifacts: request.includeArtifacts },
  );
}

/** Everything that a position depends on; the page size is not of it. */
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
