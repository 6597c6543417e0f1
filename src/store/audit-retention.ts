/**
 * Removes records of the audit that are older than the operator wants to keep them (`HIVEKEEP_AUDIT_DAYS`).
 *
 *  - The records of keys and tokens that were created stay: by them the credentials are found that a key has made
 *    (src/commands/descendants.ts).
 *  - It looks at all workspaces and their sandboxes, once soon after the start and then every few hours. In a cluster
 *    each process does so, because a record that is gone already is no harm. What it could not remove, because the
 *    entity was changed meanwhile or the store is away, it removes the next time.
 */
import { idsFrom } from '../domain/shared/ids.js';
import type { Clock } from '../domain/shared/clock.js';
import { sandboxOf } from '../domain/workspace/workspace.js';
import { pagesOf } from './list-query.js';
import { entityKey, type EntityRef, type Store } from './port.js';

const firstMs = 60_000;
const everyMs = 6 * 3_600_000;
const kept: ReadonlySet<string> = new Set(['key.created', 'token.created']);

export type Sweepable = Pick<Store, 'workspaces' | 'list' | 'removeOutliving'>;

/** Removes what is older than `keptMs`, again and again; the returned function ends that. Keeps all if it is 0. */
export const keepAudit = (
  store: Sweepable,
  clock: Clock,
  keptMs: number,
  failed: (error: unknown) => void,
): (() => void) =>
  keptMs === 0
    ? () => undefined
    : sweepAgain(clock, (stopped) => removeOldAudit(store, clock.now() - keptMs, stopped), failed);

/** Sweeps soon, and every few hours from then on; the returned function ends that. */
export function sweepAgain(
  clock: Clock,
  removeOld: (stopped: () => boolean) => Promise<void>,
  failed: (error: unknown) => void,
): () => void {
  let isOver = false;
  let cancel: () => void = () => undefined;
  const again = (ms: number): void => {
    if (!isOver) cancel = clock.after(ms, sweep);
  };
  const sweep = (): void => {
    removeOld(() => isOver)
      .catch(failed)
      .finally(() => {
        again(everyMs);
      });
  };
  again(firstMs);
  return () => {
    isOver = true;
    cancel();
  };
}

/** Resolves when no record from before this time is left, but those that stay, or when `stopped` returns true. */
export async function removeOldAudit(store: Sweepable, before: number, stopped = () => false): Promise<void> {
  for await (const workspace of workspacesOf(store)) {
    if (stopped()) return;
    await removeFrom(store, workspace, before, stopped);
  }
}

/** All workspaces and their sandboxes. */
export async function* workspacesOf(store: Pick<Store, 'workspaces'>): AsyncGenerator<string> {
  for await (const heads of store.workspaces())
    for (const { entity } of heads) {
      yield entity.id;
      yield sandboxOf(entity.id);
    }
}

async function removeFrom(store: Sweepable, workspace: string, before: number, stopped: () => boolean): Promise<void> {
  const old = { workspace, collection: 'audit', list: 'created', until: [idsFrom('audit', before)] } as const;
  for await (const { items } of pagesOf(store, { ...old, order: 'asc', limit: 200 })) {
    const ids = new Map<string, { entity: EntityRef; ids: string[] }>();
    for (const { entity, id, body } of items) {
      if (kept.has(body.action)) continue;
      const of = ids.get(entityKey(entity)) ?? { entity, ids: [] };
      of.ids.push(id);
      ids.set(entityKey(entity), of);
    }
    for (const of of ids.values()) {
      if (stopped()) return;
      await store.removeOutliving(of.entity, 'audit', of.ids);
    }
  }
}
