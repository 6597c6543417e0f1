/**
 * Builds the body of a push notification (docs/api.md 6.2; A2A 1.0, 4.3.3): the task as of the change, without its
 * history.
 */
import type { A2AVersion, Task } from '../domain/task/task.js';
import { slashWriter } from './v0.js';
import { protoWriter } from './v1.js';

const withoutHistory = { historyLength: 0 } as const;

/**
 * The format is that of the version with which the configuration was registered: the bare Task in 0.2 and 0.3, a
 * StreamResponse with the task in 1.0. It contains the whole task rather than a statusUpdate, in 1.0 too: docs/api.md
 * 6.2 promises it, and a receiver that has missed a push is still up to date.
 */
export function pushBody(version: A2AVersion, task: Task): { contentType: string; body: string } {
  return version === '1.0'
    ? { contentType: 'application/a2a+json', body: JSON.stringify({ task: protoWriter.task(task, withoutHistory) }) }
    : { contentType: 'application/json', body: JSON.stringify(slashWriter.task(task, withoutHistory)) };
}
