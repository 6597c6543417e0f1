/** A2A requests in version-independent terms: the result types of the readers of every dialect (codec.ts). */
import type { RunStatus } from '../domain/vocabulary.js';
import type { PushConfigInput, TaskInput, TaskMessage } from '../domain/task.js';

export interface SendRequest {
  message: TaskMessage;
  taskId?: string;
  contextId?: string;
  wait: TaskInput['wait'];
  /** For the task in the response: all if absent, 0 for none, n for the last n. */
  historyLength?: number;
  /** Unchecked; media-types.ts decides whether the agent can answer in one of them. */
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
