/**
 * One A2A dialect: how its requests are read and its answers written. Readers take the `params` of a JSON-RPC request as
 * parsed and throw RpcError INVALID_PARAMS (-32602) that names the field and what was expected; fields that they do not
 * know are ignored, so that newer clients are served. Writers return plain objects for JSON.stringify, and share with
 * their input what they do not change: nobody writes to them.
 */
import type { RunEvent } from '../domain/model.js';
import type { A2AVersion, PushConfig, Task } from '../domain/task.js';
import type {
  DeletePushRequest,
  GetPushRequest,
  GetRequest,
  ListPushRequest,
  ListRequest,
  SendRequest,
  SetPushRequest,
  TaskIdRequest,
} from './requests.js';

export interface TaskOptions {
  /** Absent is the whole history, 0 none, n the last n messages. */
  historyLength?: number;
  /** False leaves artifacts out; they are there by default. */
  artifacts?: boolean;
}

export interface TaskIds {
  taskId: string;
  contextId: string;
}

export interface TaskList {
  tasks: readonly Task[];
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

export interface Codec {
  /** Under which push configs are registered, and in which errors are written. */
  readonly version: A2AVersion;

  readSend(params: unknown): SendRequest;
  readGet(params: unknown): GetRequest;
  readCancel(params: unknown): TaskIdRequest;
  readSubscribe(params: unknown): TaskIdRequest;
  /** Only 1.0 has it (methods.ts); METHOD_NOT_FOUND elsewhere. */
  readList(params: unknown): ListRequest;
  readSetPush(params: unknown): SetPushRequest;
  readGetPush(params: unknown): GetPushRequest;
  readListPush(params: unknown): ListPushRequest;
  readDeletePush(params: unknown): DeletePushRequest;

  /** Spec 2.8. Result of get and cancel. */
  task(task: Task, options?: TaskOptions): object;
  /** Result of send: 0.x the bare task, 1.0 `{task}`. */
  sendResult(task: Task, options?: TaskOptions): object;
  /** First result of a stream. */
  streamTask(task: Task, options?: TaskOptions): object;
  /**
   * The one result of a stream that tells this event (docs/api.md 2.9): one event is one frame, so that its seq can be
   * the frame's SSE id. `final` says that the stream ends with it; 1.0 has no such field and closes the stream.
   */
  frame(event: RunEvent, ids: TaskIds, final: boolean): object;
  listResult(list: TaskList, options?: TaskOptions): object;

  /**
   * Result of set and get. Token and credentials are shown as they were given: clients of every generation read them back,
   * and only those who may see the task get here.
   */
  pushConfig(taskId: string, config: PushConfig): object;
  /** 0.3 a bare array, 1.0 `{configs, nextPageToken}`. */
  pushList(taskId: string, configs: readonly PushConfig[], nextPageToken: string): object;
  /** 0.x null, 1.0 an Empty, `{}`. */
  readonly pushDeleted: object | null;
}
