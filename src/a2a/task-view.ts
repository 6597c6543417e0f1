/** What a task shows in every dialect, before it is spelled in one: which history, and the ids of what it says itself. */
import type { RunStatus } from '../domain/vocabulary.js';
import type { Part, Task, TaskMessage } from '../domain/task.js';
import type { TaskOptions } from './codec.js';

/** Spec 2.8. */
export const artifactId = (taskId: string): string => `${taskId}-response`;
export const artifactName = 'response';

/** The same in the task and in the frame of the event that set the status, so that a client can tell that it has it. */
export const statusMessageId = (taskId: string, seq: number): string => `${taskId}-${seq}`;

/** Null leaves `history` out: where there is none to show, and where none was asked for (A2A 1.0, 3.2.4). */
export function shownHistory(task: Task, options: TaskOptions | undefined): readonly TaskMessage[] | null {
  const { history } = task;
  const length = options?.historyLength;
  if (history === null || history.length === 0 || length === 0) return null;
  return length === undefined || length >= history.length ? history : history.slice(-length);
}

export const shownOutput = (task: Task, options: TaskOptions | undefined): readonly Part[] | null =>
  options?.artifacts === false || task.output === null || task.output.length === 0 ? null : task.output;

export const textParts = (text: string): readonly Part[] => [{ kind: 'text', text }];

/**
 * What peers are told of why a task failed. The reason itself names servers, models and settings; it stays with the run
 * (REST) and in the log, for whoever runs the agent.
 */
export const failedText = 'the agent could not finish this task; whoever runs it finds the reason with the run';

/** What is said with a status: a question, what ran out, or that the agent failed. */
export const statusText = (status: RunStatus, message: string | null): string | null =>
  status === 'failed' && message !== null ? failedText : message;
