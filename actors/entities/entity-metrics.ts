/** Counts the work of entities, from the events that they announce and the documents that they commit. */
import type { RunRecord } from '../../src/domain/agent-state.js';
import type { DocumentPut } from '../../src/domain/change.js';
import type { WorkspaceEvent } from '../../src/domain/model.js';
import type { Metrics } from '../../src/telemetry/metrics.js';

export type ActorMetrics = Pick<Metrics, 'commit' | 'run' | 'message' | 'outbox' | 'waitsForModel'>;

export function countEvent(metrics: ActorMetrics, event: WorkspaceEvent): void {
  if (event.type === 'message.received') metrics.message('received', 1);
  else if (event.type === 'run.status' && event.data.status === 'running') metrics.run('started', 0);
}

/** Counts a run that has ended. The steps of a run that was paused in between are counted once, at its end. */
export function countRun(metrics: ActorMetrics, { status, steps, budgetFromStep }: RunRecord): void {
  if (status !== 'running' && status !== 'pending' && status !== 'paused') metrics.run(status, steps - budgetFromStep);
}

/** Counts messages that were read or that woke their agent: only these write a message document again. */
export function countMessages(metrics: ActorMetrics, puts: readonly DocumentPut[]): void {
  for (const put of puts)
    if (put.kind === 'message' && !put.isNew) metrics.message(put.body.read_at === null ? 'wake' : 'read', 1);
}
