/** The version-independent view of a task: which history is included, and the ids of generated parts. */
import type { RunUpdate } from '../domain/model.js';
import type { RunStatus } from '../domain/vocabulary.js';
import type { Part, Task, TaskMessage } from '../domain/task.js';
import type { TaskOptions } from './codec.js';

/** docs/api.md 2.8. */
export const artifactId = (taskId: string): string => `${taskId}-response`;
export const artifactName = 'response';

/** The same id in the task and in the frame of the event that set the status, so that a client can recognise it. */
export const statusMessageId = (taskId: string, seq: number): string => `${taskId}-${seq}`;

/** Null omits `history`: there is none, or none was requested (A2A 1.0, 3.2.4). */
export function shownHistory(task: Task, options: TaskOptions | undefined): readonly TaskMessage[] | null {
  const { history } = task;
  const length = options?.historyLength;
  if (history === null || history.length === 0 || length === 0) return null;
  return length === undefined || length >= history.length ? history : history.slice(-length);
}

export const shownOutput = (task: Task, options: TaskOptions | undefined): readonly Part[] | null =>
  options?.artifacts === false || task.output === null || task.output.length === 0 ? null : task.output;

/** Says that a stream closes although its task goes on: it may be followed again. */
export const agedMetadata = { 'hivekeep/closed': 'age' } as const;

/** What a status event tells, and of a task that waits for results which (Task.statusData). */
export type ShownUpdate = RunUpdate & Pick<Task, 'statusData'>;

export const statusParts = (text: string, data: Task['statusData']): readonly Part[] =>
  data ? [...textParts(text), { kind: 'data', data }] : textParts(text);

export const textParts = (text: string): readonly Part[] => [{ kind: 'text', text }];

/**
 * The text that peers get for a failed task. The actual reason may name servers, models and settings; it is available
 * with the run (REST) and in the log.
 */
export const failedText = 'the agent could not finish this task; whoever runs it finds the reason with the run';

/** The text shown with a status: a question, the limit that was reached, or that the agent failed. */
export const statusText = (status: RunStatus, message: string | null): string | null =>
  status === 'failed' && message !== null ? failedText : message;
