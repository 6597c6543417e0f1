/** Maps run statuses to A2A task states (docs/api.md 3.1). */
import { runStatuses, type RunStatus } from '../domain/shared/vocabulary.js';

export const slashStates = {
  pending: 'submitted',
  running: 'working',
  paused: 'input-required',
  completed: 'completed',
  failed: 'failed',
  timeout: 'failed',
  cancelled: 'canceled',
} as const satisfies Record<RunStatus, string>;

export const protoStates = {
  pending: 'TASK_STATE_SUBMITTED',
  running: 'TASK_STATE_WORKING',
  paused: 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  timeout: 'TASK_STATE_FAILED',
  cancelled: 'TASK_STATE_CANCELED',
} as const satisfies Record<RunStatus, string>;

/** Every state of 1.0, by the number that ProtoJSON also allows. */
export const protoStateNames = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const;

/** The statuses of runs in this state of 1.0; none if no run has it. */
export const statusesOf = (state: string): readonly RunStatus[] =>
  runStatuses.filter((status) => protoStates[status] === state);
