/**
 * Streams of a task (spec 2.9, 4.2, 6.1; design, section 6): the task first, then one frame for each event of its run.
 *
 * Invariants
 *  T1 A frame's SSE id is the seq of the event that it tells; the task's is the seq of the last event that it reflects.
 *     So whoever comes back with Last-Event-ID misses nothing and sees nothing twice.
 *  T2 The task that a reader with Last-Event-ID n is given first is that as of n, and has no id: nothing in it is new.
 *  T3 Nothing that happens to the reader or its connection changes the run.
 *  T4 What fails after the first byte is told as a JSON-RPC error with the request's id.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Codec } from '../../src/a2a/codec.js';
import { RpcError } from '../../src/a2a/rpc.js';
import { isTerminal, type RunEvent } from '../../src/domain/model.js';
import type { Task } from '../../src/domain/task.js';
import { toHivekeepError } from '../http/error-envelope.js';
import type { SseFrame, Streams } from '../streams/port.js';
import type { Asking } from './asking.js';
import type { RpcCall } from './call.js';
import { toRpcError } from './errors.js';
import { taskInput } from './operations.js';
import { rpcFailure, rpcResult } from './reply.js';

/** What a stream gives out; `id` null where the reader has it already (T2). */
export interface TaskStream {
  task: Task;
  id: number | null;
  events: AsyncIterable<RunEvent>;
  historyLength?: number;
}

/** A message, and the task from the first event on that the message caused. */
export async function openSent(asking: Asking, signal: AbortSignal): Promise<TaskStream> {
  const { service, caller, agent, codec, params } = asking;
  const request = codec.readSend(params);
  const sent = await service.sendTask(caller, agent, taskInput(agent, request, 'started'));
  const { task, events } = await service.followTask(caller, agent, sent.task.id, sent.from, signal);
  return { task, id: task.lastSeq, events, historyLength: request.historyLength };
}

/** A message whose task nobody wants to follow. */
export async function sendOnly({ service, caller, agent, codec, params }: Asking): Promise<void> {
  await service.sendTask(caller, agent, taskInput(agent, codec.readSend(params), 'started'));
}

/**
 * A task that is followed again, from `seen` on where the reader says how far it has come. A task that is over and has
 * nothing new is given as it is (0.2, 0.3), or is UNSUPPORTED_OPERATION (1.0).
 */
export async function openAgain(
  { service, caller, agent, codec, params }: Asking,
  seen: number | null,
  signal: AbortSignal,
): Promise<TaskStream> {
  const { id } = codec.readSubscribe(params);
  const { task, events } = await service.followTask(caller, agent, id, seen, signal);
  if (!isTerminal(task.status)) return { task, id: task.lastSeq === seen ? null : task.lastSeq, events };
  // over as of `seen`; it may have been resumed after that
  const now = seen === null ? task : await service.getTask(caller, agent, id);
  if (now.lastSeq > task.lastSeq) return { task, id: null, events };
  letGo(events);
  if (codec.version === '1.0')
    throw new RpcError('UNSUPPORTED_OPERATION', `task ${id} is over (${now.status}): GetTask has its result`);
  return { task: now, id: now.lastSeq, events: nothing };
}

const nothing: AsyncIterable<RunEvent> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

function letGo(events: AsyncIterable<RunEvent>): void {
  events[Symbol.asyncIterator]()
    .return?.()
    .catch(() => undefined);
}

/** Which event the client has seen last: null without the header, 0 for none of them, as on REST. Throws INVALID_PARAMS for what is no event's number. */
export function lastSeen(header: string | string[] | undefined): number | null {
  if (header === undefined || header === '') return null;
  if (typeof header === 'string' && /^(0|[1-9]\d{0,14})$/.test(header)) return Number(header);
  throw new RpcError('INVALID_PARAMS', 'Last-Event-ID must be the id of an event of this task');
}

/** Writes the stream until it ends, for whatever reason; rejects with nothing written where it cannot begin. */
export function pumpTask(
  streams: Streams,
  req: IncomingMessage,
  res: ServerResponse,
  call: RpcCall,
  codec: Codec,
  stream: TaskStream,
): Promise<void> {
  const { task, id, events, historyLength } = stream;
  const ids = { taskId: task.id, contextId: task.agent_id };
  const frameOf = (item: Task | RunEvent): SseFrame =>
    item === task
      ? {
          id: id === null ? undefined : String(id),
          data: rpcResult(call.id, codec.streamTask(task, { historyLength })),
        }
      : { id: String((item as RunEvent).seq), data: rpcResult(call.id, codec.frame(item as RunEvent, ids)) };
  const failureOf = (thrown: unknown): SseFrame => ({
    data: rpcFailure(call, thrown instanceof RpcError ? thrown : toRpcError(toHivekeepError(thrown), call)),
  });
  return streams.frames<Task | RunEvent>(req, res, startingWith<Task | RunEvent>(task, events), frameOf, failureOf);
}

/** `rest` with an item before it. Not a generator: one that waits for its source cannot be returned until that has answered. */
function startingWith<T>(first: T, rest: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = rest[Symbol.asyncIterator]();
      let begun = false;
      return {
        next() {
          if (begun) return iterator.next();
          begun = true;
          return Promise.resolve({ done: false, value: first });
        },
        return: () => iterator.return?.() ?? Promise.resolve({ done: true, value: undefined }),
      };
    },
  };
}
