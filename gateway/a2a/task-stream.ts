/**
 * Streams of a task (docs/api.md 2.9, 4.2, 6.1): first the task, then one frame for each event of its run.
 *
 * Invariants
 *  TaskStream.T1 A frame's SSE id is the sequence number of its event; the id of the initial task is that of the last
 *     event it reflects. A client that reconnects with Last-Event-ID therefore misses nothing and sees nothing twice.
 *     Text that is being written has no id.
 *  - A reader with Last-Event-ID n first gets the task as of event n, without an SSE id, because it contains nothing
 *    new.
 *  - Nothing that happens to the reader or its connection changes the run.
 *  - A failure after the first byte is sent as an event, in the form of the binding.
 *  - The stream ends when the task has ended or waits for input (A2A 0.2 and 0.3: `final: true`; 1.0, 11.7). A
 *    question that has been answered since is sent like any other event: only the newest event of the task ends the
 *    stream. Whoever follows a task again that waits already has its question with the task, and is told what comes
 *    after the answer: such a task is live (docs/api.md 4.2).
 *  - Text that is being written comes as chunks of the task's artifact, the first of which replaces what there was.
 *    The answer replaces them, so that whoever puts chunks together has it once, whatever was lost.
 *  - What the agent thinks, and the text that it is writing, is told to callers that ask for it by an extension.
 *    Others are told in neutral words what it is doing (0.2, 0.3), or nothing (1.0), so that clients that join what
 *    they are told and clients that replace it come to the same text. The agent's config.a2a.progress says otherwise:
 *    `off` and `short` are the most that anybody is told, `short` and `thoughts` hold for 1.0, too, and `text` tells
 *    every caller with agent:read the text that it is writing, and nothing else on the way.
 *  - A task that has ended before its stream begins is answered in one piece, with the same frames: nothing is
 *    subscribed to or waited for.
 */
import type { ServerResponse } from 'node:http';
import { thoughtsExtension } from '../../src/a2a/card.js';
import { RpcError } from '../../src/a2a/rpc.js';
import { isTerminal, type RunEvent, type RunUpdate, waitsForAgents } from '../../src/domain/model/model.js';
import { inShort } from '../../src/domain/task/run-as-task.js';
import type { Task } from '../../src/domain/task/task.js';
import { toHivekeepError } from '../http/error-envelope.js';
import type { GatewayRequest } from '../http/prototypes.js';
import type { Responder } from '../http/responder.js';
import type { SseFrame, Streams } from '../streams/port.js';
import { type RpcContext, taskInput } from './operations.js';
import { sendEvents, type Binding } from './binding.js';
import { toRpcError } from './errors.js';
import { getTask } from '../../src/commands/tasks.js';

/** The source of a stream. `id` is null if the reader already has the task. */
export interface TaskStream {
  task: Task;
  id: number | null;
  /** A list if there are all of them already. */
  events: readonly StreamedEvent[] | AsyncIterable<StreamedEvent>;
  historyLength?: number;
}

/** `final` means that the stream ends with this event. */
export interface StreamedEvent {
  event: RunUpdate;
  final: boolean;
}

/** Sends a message, and streams the task starting with the first event that the message caused. */
export async function openSent(context: RpcContext): Promise<TaskStream> {
  const { service, caller, agent, codec, params } = context;
  const request = codec.readSend(params);
  const { task, events } = await service.streamTask(caller, agent, taskInput(request));
  const { historyLength } = request;
  return {
    task,
    id: task.lastSeq,
    events: Symbol.asyncIterator in events ? untilItWaits(context, task, events, 'sent') : events.map(beforeTheEnd),
    historyLength,
  };
}

/** An event of a run that has ended: where it paused on the way, it does not wait any more. */
const beforeTheEnd = (event: RunEvent): StreamedEvent => ({
  event: event.type === 'status' && waitsForAgents(event) ? { ...event, status: 'running' } : event,
  final: event.type === 'status' && isTerminal(event.status),
});

/** Sends a message without following its task. */
export async function sendOnly({ service, caller, agent, codec, params }: RpcContext): Promise<void> {
  await service.sendTask(caller, agent, { ...taskInput(codec.readSend(params)), wait: 'started' });
}

/**
 * Follows an existing task, from event `seen` if the reader gives one. A task that has ended and has no new events is
 * returned as it is (0.2, 0.3), or is UNSUPPORTED_OPERATION (1.0).
 */
export async function openAgain(context: RpcContext, seen: number | null): Promise<TaskStream> {
  const { service, caller, agent, codec, params } = context;
  const id = codec.readId(params);
  const { task, events } = await service.followTask(caller, agent, id, seen);
  if (!isTerminal(task.status))
    return {
      task,
      id: task.lastSeq === seen ? null : task.lastSeq,
      events: untilItWaits(context, task, events, 'again'),
    };
  // the task had ended as of event `seen`, but may have been resumed since
  let now = task;
  try {
    if (seen !== null) now = await service.execute(caller, getTask, { id: agent, taskId: id });
    if (now.lastSeq > task.lastSeq) return { task, id: null, events: untilItWaits(context, task, events, 'again') };
  } finally {
    if (now.lastSeq === task.lastSeq) letGo(events);
  }
  if (codec.version === '1.0')
    throw new RpcError('UNSUPPORTED_OPERATION', `task ${id} is over (${now.status}): GetTask has its result`);
  return { task: now, id: now.lastSeq, events: [] };
}

function letGo(events: AsyncIterable<RunUpdate>): void {
  events[Symbol.asyncIterator]()
    .return?.()
    .catch(() => undefined);
}

/**
 * The sequence number of the last event that the client has seen: null without the header, 0 for none, as on REST.
 * Throws INVALID_PARAMS if it is not a sequence number.
 */
export function lastSeen(header: string | string[] | undefined): number | null {
  if (header === undefined || header === '') return null;
  if (typeof header === 'string' && /^(0|[1-9]\d{0,14})$/.test(header)) return Number(header);
  throw new RpcError('INVALID_PARAMS', 'Last-Event-ID must be the id of an event of this task');
}

/** Writes the stream until it ends for any reason. Rejects, with nothing written, if the stream cannot start. */
export async function writeTask(
  { responder, streams }: { responder: Responder; streams: Streams },
  req: GatewayRequest,
  res: ServerResponse,
  binding: Binding,
  context: RpcContext,
  stream: TaskStream,
): Promise<void> {
  const { codec } = context;
  const told = tellerOf(context, stream.task);
  const { task, id, events, historyLength } = stream;
  const ids = { taskId: task.id, contextId: codec.contextOf(task) };
  let now: Pick<Task, 'status' | 'statusAt'> = task;
  const frameOf = (item: Task | StreamedEvent): SseFrame | null => {
    if (item === task)
      return {
        id: id === null ? undefined : String(id),
        data: binding.event(codec.streamTask(task, { historyLength })),
      };
    const { event: happened, final } = item as StreamedEvent;
    if (happened.type === 'status') now = { status: happened.status, statusAt: happened.at };
    const event = told(happened);
    if (event === null) return null;
    const number = event.type === 'delta' ? undefined : String(event.seq);
    return { id: number, data: binding.event(codec.frame(event, ids, final)) };
  };
  if (!(Symbol.asyncIterator in events)) {
    sendEvents(
      responder,
      req,
      res,
      [task, ...events].flatMap((item) => frameOf(item) ?? []),
    );
    return;
  }
  await streams.frames<Task | StreamedEvent>(req, res, startingWith<Task | StreamedEvent>(task, events), frameOf, {
    failed: (thrown) =>
      binding.failureEvent(thrown instanceof RpcError ? thrown : toRpcError(toHivekeepError(thrown), binding.asked)),
    aged: () => ({ data: binding.event(codec.aged(now, ids)) }),
  });
}

/** What the stream tells of an event; null for nothing. It says the same only once in a row. */
function tellerOf(
  { codec, extensions, caller }: RpcContext,
  { maxSteps, progress }: Task,
): (event: RunUpdate) => RunUpdate | null {
  const mayRead = caller.scopes.includes('agent:read');
  if (progress === 'text')
    return (event) => (event.type === 'thought' || (event.type === 'delta' && !mayRead) ? null : event);
  const thoughts = extensions.has(thoughtsExtension) && mayRead;
  if (thoughts && (progress ?? 'thoughts') === 'thoughts') return (event) => event;
  const tellsSteps =
    progress === undefined ? codec.version !== '1.0' || extensions.has(thoughtsExtension) : progress !== 'off';
  let said = '';
  return (event) => {
    if (event.type === 'delta') return null;
    if (event.type !== 'thought') return event;
    if (!tellsSteps) return null;
    const short = inShort(event, maxSteps);
    if (short.thought.content === said) return null;
    said = short.thought.content;
    return short;
  };
}

/**
 * The events after `task`, the initial frame, up to and including the event with which the task waits for input.
 */
function untilItWaits(
  { service, caller, agent }: RpcContext,
  task: Task,
  events: AsyncIterable<RunUpdate>,
  followed: 'sent' | 'again',
): AsyncIterable<StreamedEvent> {
  /** The task, if it waits since that event. */
  const waitingSince = async (seq: number): Promise<Task | null> => {
    const now = await service.execute(caller, getTask, { id: agent, taskId: task.id });
    return now.status === 'paused' && now.lastSeq <= seq ? now : null;
  };
  return {
    [Symbol.asyncIterator]() {
      const source = events[Symbol.asyncIterator]();
      let mayWait = followed === 'sent' && task.status === 'paused';
      let ended = false;
      const leave = async (): Promise<IteratorResult<StreamedEvent>> => {
        ended = true;
        await source.return?.();
        return { done: true, value: undefined };
      };
      return {
        async next() {
          if (ended || (mayWait && (await waitingSince(task.lastSeq)) !== null)) return leave();
          mayWait = false;
          const step = await source.next();
          if (step.done) return { done: true, value: undefined };
          const event = step.value;
          if (event.type !== 'status') return { done: false, value: { event, final: false } };
          if (waitsForAgents(event))
            return { done: false, value: { event: { ...event, status: 'running' }, final: false } };
          const waiting = event.status === 'paused' ? await waitingSince(event.seq) : null;
          ended = waiting !== null;
          // an event tells everybody that the task waits; for what, only the task tells those who may decide (Sight.S1)
          const message = waiting === null ? event.message : waiting.statusMessage;
          const data = waiting?.statusData && { statusData: waiting.statusData };
          return {
            done: false,
            value: { event: { ...event, message, ...data }, final: ended || isTerminal(event.status) },
          };
        },
        return: leave,
      };
    },
  };
}

/**
 * Puts an item in front of `rest`. Not a generator, because a generator that is awaiting its source cannot be returned
 * before the source answers.
 */
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
