/** Counts what entities do, from the events that they announce and the documents that they commit. */
import type { RunRecord } from '../../src/domain/agent-state.js';
import type { DocumentPut } from '../../src/domain/change.js';
import type { WorkspaceEvent } from '../../src/domain/model.js';
import type { Metrics } from '../../src/telemetry/metrics.js';

export type ActorMetrics = Pick<Metrics, 'commit' | 'run' | 'message'>;

export function countEvent(metrics: ActorMetrics, event: WorkspaceEvent): void {
  if (event.type === 'message.received') metrics.message('received', 1);
  else if (event.type === 'run.status' && event.data['status'] === 'running') metrics.run('started', 0);
}

export function countRun(metrics: ActorMetrics, run: RunRecord): void {
  if (run.status !== 'running' && run.status !== 'pending') metrics.run(run.status, run.steps - run.budgetFromStep);
}

/** A message document written again has been read, or has woken its agent. */
export function countMessages(metrics: ActorMetrics, puts: readonly DocumentPut[]): void {
  for (const put of puts)
    if (put.kind === 'message' && !put.isNew) metrics.message(put.body['read_at'] === null ? 'wake' : 'read', 1);
}
