/** What A2A requests ask for, in the service's own words: what the readers of every dialect (codec.ts) return. */
import type { RunStatus } from '../domain/vocabulary.js';
import type { PushConfigInput, TaskInput, TaskMessage } from '../domain/task.js';

export interface SendRequest {
  message: TaskMessage;
  taskId?: string;
  contextId?: string;
  wait: TaskInput['wait'];
  /** Of the answer's task: absent is all, 0 none, n the last n. */
  historyLength?: number;
  /** As given; output-modes.ts says whether the agent can answer in one of them. */
  acceptedOutputModes?: readonly string[];
  push?: PushConfigInput;
}

export interface TaskIdRequest {
  id: string;
}
export interface GetRequest {
  id: string;
  historyLength?: number;
}
export interface SetPushRequest {
  taskId: string;
  config: PushConfigInput;
}
/** Without `id`: the task's config, whichever it is (0.2, 0.3). */
export interface GetPushRequest {
  taskId: string;
  id?: string;
}
export interface ListPushRequest {
  taskId: string;
  pageSize?: number;
  pageToken?: string;
}
export interface DeletePushRequest {
  taskId: string;
  id?: string;
}

export interface ListRequest {
  contextId?: string;
  /** Those that show the asked state; empty where no run ever shows it, so that nothing matches. */
  statuses?: readonly RunStatus[];
  /** 1 to 100. */
  pageSize: number;
  pageToken?: string;
  historyLength?: number;
  /** ISO 8601 in UTC with milliseconds: tasks whose status is as new as this, or newer. */
  changedSince?: string;
  includeArtifacts: boolean;
}
