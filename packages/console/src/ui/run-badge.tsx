/** What became of a run, in words: a run that used up its budget has ended, and has not answered. */
import type { Run } from '../lib/api.js';
import { Badge } from './labels.js';

const stopped = {
  max_steps: 'steps used up',
  timeout: 'time used up',
  length: 'answer cut off',
  budget: 'budget used up',
  interrupted: 'interrupted',
} as const;

export const RunBadge = ({ run: { status, stopReason } }: { run: Pick<Run, 'status' | 'stopReason'> }) =>
  status === 'completed' && stopReason !== null && stopReason !== 'answer' ? (
    <Badge of="paused">{stopped[stopReason]}</Badge>
  ) : (
    <Badge of={status} />
  );

/** Whether a run that has ended can go on: one that answered or was cancelled is final. */
export const isResumable = ({ status, stopReason }: Run): boolean =>
  status === 'failed' ||
  status === 'timeout' ||
  (status === 'completed' && stopReason !== 'answer' && stopReason !== 'length');
