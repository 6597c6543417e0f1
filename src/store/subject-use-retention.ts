/**
 * Removes what was used for subjects in months that are over (docs/api.md 8.6). The month before the present one stays,
 * so that it is still there when a clock that was ahead is set back.
 */
import type { Clock } from '../domain/shared/clock.js';
import { monthBefore } from '../domain/workspace/usage.js';
import { type Sweepable, sweepAgain, workspacesOf } from './audit-retention.js';
import { pagesOf } from './list-query.js';

/** Removes what is old, again and again; the returned function ends that. */
export const keepSubjectUse = (store: Sweepable, clock: Clock, failed: (error: unknown) => void): (() => void) =>
  sweepAgain(clock, (stopped) => removeOldSubjectUse(store, clock.now(), stopped), failed);

/** Resolves when nothing from before the last month is left, or when `stopped` returns true. */
export async function removeOldSubjectUse(store: Sweepable, now: number, stopped = () => false): Promise<void> {
  for await (const workspace of workspacesOf(store)) {
    // an id begins with its month
    const old = { workspace, collection: 'subjectUse', list: 'created', until: [monthBefore(now)] } as const;
    for await (const { items } of pagesOf(store, { ...old, order: 'asc', limit: 200 }))
      for (const { entity, id } of items) {
        if (stopped()) return;
        await store.removeOutliving(entity, 'subjectUse', [id]);
      }
  }
}
