/**
 * A workspace's own state: the snapshot of the head { workspace: id, kind: 'workspace', id }. Its API keys are
 * documents of that entity.
 */
import type { WorkspaceSnapshot } from './snapshots.js';
import { advance, withTime } from './clock.js';
import type { Workspace } from './model.js';
import type { Tier } from './vocabulary.js';

/** The workspace that always exists; the root key gives access to it. */
export const defaultWorkspace = 'default';

export const newWorkspace = (id: string, name: string, tier: Tier, now: number): WorkspaceSnapshot => {
  const at = new Date(now).toISOString();
  return { id, name, tier, created_at: at, updated_at: at, lastMs: now };
};

/** The snapshot after a change at `now`: its clock has advanced and everything else is unchanged. */
export function withUpdatedAt(snapshot: WorkspaceSnapshot, now: number): WorkspaceSnapshot {
  const time = advance(snapshot, now);
  return { ...withTime(snapshot, time), updated_at: new Date(time.lastMs).toISOString() };
}

export const showWorkspace = ({ id, name, tier, created_at }: WorkspaceSnapshot): Workspace => ({
  id,
  name,
  tier,
  created_at,
});
