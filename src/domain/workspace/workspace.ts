/**
 * A workspace's own state: the snapshot of the head { workspace: id, kind: 'workspace', id }. Its API keys are
 * documents of that entity.
 */
import type { WorkspaceSnapshot } from '../shared/snapshots.js';
import { advance, withTime } from '../shared/clock.js';
import type { Workspace } from '../model/model.js';
import type { Mode, Tier } from '../shared/vocabulary.js';

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

/*
 * The sandbox of a workspace is a workspace of its own beside it, in which svc_test_ keys work (docs/api.md 5.3). So no
 * query, stream or count of one can reach into the other, and no other code needs to know about sandboxes.
 *
 *  - A sandbox's id is its workspace's id with a suffix that no other id has, as workspace ids contain no dot.
 *  Sandbox.S2 API keys of both modes belong to the workspace itself, because a live key may create, list and revoke
 *     test keys. A test key creates, lists and revokes test keys only.
 */

const suffix = '.sandbox';

export const sandboxOf = (workspace: string): string => workspace + suffix;
export const isSandbox = (workspace: string): boolean => workspace.endsWith(suffix);
/** The workspace that a sandbox belongs to; for any other workspace, the workspace itself. */
export const homeOf = (workspace: string): string =>
  isSandbox(workspace) ? workspace.slice(0, -suffix.length) : workspace;
/** The mode of the keys that work in this workspace. */
export const modeOf = (workspace: string): Mode => (isSandbox(workspace) ? 'test' : 'live');
