/** A workspace's own state: the snapshot of the head { workspace: id, kind: 'workspace', id }. Its API keys are documents of that entity. */
import { advance, type EntityTime } from './clock.js';
import type { Workspace } from './model.js';
import type { Tier } from './vocabulary.js';
import type { AlertsTold } from './usage.js';

export interface WorkspaceSnapshot extends Workspace, EntityTime {
  updated_at: string;
  /** In workspace `default` only, hex: the secret key (keyring.ts) of clusters that are given none, and of earlier versions. */
  cursorSecret?: string;
  /** The usage alerts that were told last (docs/api.md 6.3). */
  alerts?: AlertsTold;
  /** In a cluster: who counts what is under way towards the monthly quota. */
  gate?: GateRecord;
}

/** One gate after the other counts what is under way (actors/quota/quota-desk.ts); what it looks at counts only while its name stands here. */
export interface GateRecord {
  id: string;
  /** When it was opened, ms. */
  at: number;
  /** So many gates before it may have left something under way when it was opened. */
  behind: number;
}

/** What a gate leaves under way may count for `recentMs` after the next was opened. Clocks of different processes: one that seems to come from the future is recent. */
export function gateAfter(before: GateRecord | undefined, id: string, now: number, recentMs: number): GateRecord {
  if (before === undefined) return { id, at: now, behind: 0 };
  return before.id === id ? before : { id, at: now, behind: now - before.at < recentMs ? before.behind + 1 : 1 };
}

/** The workspace that always exists; the root key opens it. */
export const defaultWorkspace = 'default';

export const newWorkspace = (id: string, name: string, tier: Tier, now: number): WorkspaceSnapshot => {
  const at = new Date(now).toISOString();
  return { id, name, tier, created_at: at, updated_at: at, lastMs: now };
};

/** The snapshot after a change at `now`: its clock has moved, whatever else it holds stays. */
export function withUpdatedAt(snapshot: WorkspaceSnapshot, now: number): WorkspaceSnapshot {
  const { idMs: _before, ...rest } = snapshot;
  const time = advance(snapshot, now);
  return { ...rest, ...time, updated_at: new Date(time.lastMs).toISOString() };
}

export const showWorkspace = ({ id, name, tier, created_at }: WorkspaceSnapshot): Workspace => ({
  id,
  name,
  tier,
  created_at,
});
