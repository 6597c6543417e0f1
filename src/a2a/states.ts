/** Maps run statuses to A2A task states (docs/api.md 3.1). */
import type { RunStatus } from '../domain/vocabulary.js';

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

/** Every state of 1.0, indexed by the number that ProtoJSON also allows, with the run statuses that map to it. */
export const statusesByState = [
  ['TASK_STATE_UNSPECIFIED', []],
  ['TASK_STATE_SUBMITTED', ['pending']],
  ['TASK_STATE_WORKING', ['running']],
  ['TASK_STATE_COMPLETED', ['completed']],
  ['TASK_STATE_FAILED', ['failed', 'timeout']],
  ['TASK_STATE_CANCELED', ['cancelled']],
  ['TASK_STATE_INPUT_REQUIRED', ['paused']],
  ['TASK_STATE_REJECTED', []],
  ['TASK_STATE_AUTH_REQUIRED', []],
] as const satisfies readonly (readonly [string, readonly RunStatus[]])[];
