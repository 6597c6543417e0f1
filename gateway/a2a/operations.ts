/**
 * The methods with a single response (docs/api.md 4.2; A2A 1.0, 3.1). Each reads its params with the dialect's codec,
 * calls the service once, and writes the result with the codec. task-stream.ts has the streaming methods and
 * push-configs.ts the push configurations.
 */
import { checkInputModes, checkOutputModes } from '../../src/a2a/media-types.js';
import type { Operation } from '../../src/a2a/methods.js';
import type { ListRequest, SendRequest } from '../../src/a2a/requests.js';
import { RpcError } from '../../src/a2a/rpc.js';
import { base64Bytes } from '../../src/domain/base64.js';
import { limits } from '../../src/domain/input-fields.js';
import { isText, type Part, type TaskInput, textOf } from '../../src/domain/task.js';
import type { Caller, PageRequest } from '../../src/service.js';
import { positionOf, type RpcContext } from './rpc-context.js';
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
  return codec.task(await service.getTask(caller, agent, request.id), request);
}

async function cancel({ service, caller, agent, codec, params }: RpcContext): Promise<object> {
  return codec.task(await service.cancelTask(caller, agent, codec.readId(params)));
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
