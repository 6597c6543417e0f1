/**
 * The codec of one A2A dialect: it reads requests and writes results. Readers take the parsed `params` of a JSON-RPC
 * request and throw RpcError INVALID_PARAMS (-32602) that names the field and what was expected. They ignore unknown
 * fields, so that newer clients are served. Writers return plain objects for JSON.stringify, which may share structure
 * with their input and must not be modified.
 */
import type { RunStatus } from '../domain/shared/vocabulary.js';
import type { A2AVersion, PushConfig, PushConfigInput, Task, TaskInput, TaskMessage } from '../domain/task/task.js';
import type { RunUpdate } from '../domain/model/model.js';

/* A2A requests in version-independent terms: the result types of the readers of every dialect. */

export interface SendRequest {
  message: TaskMessage;
  taskId?: string;
  contextId?: string;
  wait: TaskInput['wait'];
  /** For the task in the response: all if absent, 0 for none, n for the last n. */
  historyLength?: number;
  /** Unchecked; message.ts decides whether the agent can answer in one of them. */
  acceptedOutputModes?: readonly string[];
  push?: PushConfigInput;
}

export interface GetRequest {
  id: string;
  historyLength?: number;
}
export interface SetPushRequest {
  taskId: string;
  config: PushConfigInput;
}
/** Without `id`, the task's only configuration (0.2, and 0.3 where it names none). */
export interface PushRequest {
  taskId: string;
  id?: string;
}
export interface ListPushRequest {
  taskId: string;
  pageSize?: number;
  pageToken?: string;
}

export interface ListRequest {
  contextId?: string;
  /** The run statuses of the requested state; empty if no run has that state, so that nothing matches. */
  statuses?: readonly RunStatus[];
  /** 1 to 100. */
  pageSize: number;
  pageToken?: string;
  historyLength?: number;
  /** ISO 8601 in UTC with milliseconds: selects tasks whose status is at least as new. */
  changedSince?: string;
  includeArtifacts: boolean;
}

export interface TaskOptions {
  /** If absent, the whole history; 0 for none; n for the last n messages. */
  historyLength?: number;
  /** False omits artifacts; the default is to include them. */
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
  /** The version with which push configurations are registered and errors are written. */
  readonly version: A2AVersion;

  readSend(params: unknown): SendRequest;
  readGet(params: unknown): GetRequest;
  /** The task that is cancelled, or followed. */
  readId(params: unknown): string;
  /** Only 1.0 has this method (methods.ts); the others answer METHOD_NOT_FOUND. */
  readList(params: unknown): ListRequest;
  readSetPush(params: unknown): SetPushRequest;
  /** The configuration that is read, or deleted. */
  readPush(params: unknown): PushRequest;
  readListPush(params: unknown): ListPushRequest;

  /** The context of a task, as this version tells it. */
  contextOf(task: Task): string;
  /** docs/api.md 2.8. Result of get and cancel. */
  task(task: Task, options?: TaskOptions): object;
  /** Result of send: the bare task in 0.x, `{task}` in 1.0. */
  sendResult(task: Task, options?: TaskOptions): object;
  /** First result of a stream. */
  streamTask(task: Task, options?: TaskOptions): object;
  /**
   * Encodes one event as one stream result (docs/api.md 2.9), so that its sequence number can be the frame's SSE id.
   * `final` says that the stream ends with it; 1.0 has no such field and closes the stream instead.
   */
  frame(event: RunUpdate, ids: TaskIds, final: boolean): object;
  /** The last result of a stream that has lasted as long as streams may: the status of the task, unchanged. */
  aged(status: Pick<Task, 'status' | 'statusAt'>, ids: TaskIds): object;
  listResult(list: TaskList, options?: TaskOptions): object;

  /**
   * Result of set and get. Token and credentials are returned as they were given: clients of every generation read them
   * back, and only callers that may see the task get here.
   */
  pushConfig(taskId: string, config: PushConfig): object;
  /** A bare array in 0.3, `{configs, nextPageToken}` in 1.0. */
  pushList(taskId: string, configs: readonly PushConfig[], nextPageToken: string): object;
  /** null in 0.x, an Empty (`{}`) in 1.0. */
  readonly pushDeleted: object | null;
}
