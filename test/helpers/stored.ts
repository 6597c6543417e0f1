/** Heads as they are stored, written by tests beside the service: workspaces, and months that are nearly used up. */
import { randomBytes } from 'node:crypto';
import { createAdmin } from '../../gateway/admin/admin.js';
import { idSource } from '../../src/domain/shared/ids.js';
import { monthAt, usageCountName } from '../../src/domain/workspace/usage.js';
import { scopes, type Tier } from '../../src/domain/shared/vocabulary.js';
import { newWorkspace } from '../../src/domain/workspace/workspace.js';
import type { Commit, EntityRef, Store } from '../../src/store/port.js';

/** The first commit of an entity: its head alone. */
const firstCommit = (entity: EntityRef, snapshot: Commit['snapshot'], counts: Commit['counts'] = {}): Commit => ({
  entity,
  seq: 1,
  snapshot,
  counts,
  previousCounts: {},
  active: false,
  due: null,
  deleted: false,
  puts: [],
  deletes: [],
  records: [],
});

/** The workspace whose name is its id. */
export const workspaceCommit = (id: string, tier: Tier, now = Date.now()): Commit =>
  firstCommit({ workspace: id, kind: 'workspace', id }, { ...newWorkspace(id, id, tier, now) });

/**
 * A hive with so many memories of this month, none of which is stored: nobody creates half a million memories in a
 * test.
 */
export function usedMonthCommit(workspace: string, used: number, now = Date.now()): Commit {
  const time = new Date(now).toISOString();
  return firstCommit(
    { workspace, kind: 'hive', id: 'hive_big' },
    {
      id: 'hive_big',
      name: 'big',
      description: '',
      metadata: {},
      created_at: time,
      updated_at: time,
      lastMs: now,
      nextExpiry: null,
      deleting: false,
    },
    { hives: 1, memories: used, lasting: used, 'type:semantic': used, [usageCountName(monthAt(now))]: used },
  );
}

/** A workspace with so many memories of this month, as the command line makes it; answers what makes its keys. */
export async function usedWorkspace(
  store: Store,
  name: string,
  tier: Tier,
  used: number,
): Promise<(mode: 'live' | 'test') => Promise<string>> {
  const clock = { now: Date.now, after: () => () => undefined };
  const admin = createAdmin({ store, clock, ids: idSource(randomBytes), randomBytes });
  const { id } = await admin.createWorkspace(name, tier);
  if (used > 0) await store.commit(usedMonthCommit(id, used));
  return async (mode) => (await admin.createKey(name, { name: mode, mode, scopes, expires_at: null })).secret;
}
