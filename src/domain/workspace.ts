/**
 * A workspace's own state: the snapshot of the head { workspace: id, kind: 'workspace', id }. Its API keys are
 * documents of that entity.
 */
import { advance, type EntityTime, withTime } from './clock.js';
import type { Workspace } from './model.js';
import type { Tier } from './vocabulary.js';
import type { AlertState } from './usage-alerts.js';

export interface WorkspaceSnapshot extends Workspace, EntityTime, AlertState {
  updated_at: string;
  /** Only in workspace `default`: the secret key (keyring.ts) in hex, for clusters that were given none. */
  cursorSecret?: string;
  /** In a cluster: which gate counts the memories in flight towards the monthly quota. */
  gate?: GateRecord;
}

/**
 * One gate at a time counts the memories in flight (actors/quota/quota-desk.ts), and each new gate replaces the last.
 * What a gate reads from the store is valid only while its id is recorded here.
 */
export interface GateRecord {
  id: string;
  /** How many earlier gates may still have memories in flight, as far as is known. */
  behind: number;
}

/**
 * The record after gate `id` is opened: it does not know what the gates before it have left in flight, or for how long.
 */
export function gateAfter(before: GateRecord | undefined, id: string): GateRecord {
  if (before === undefined) return { id, behind: 0 };
  return before.id === id ? before : { id, behind: before.behind + 1 };
}

/** The record after gate `id` has been open for so long that nothing of earlier gates can be in flight. */
export const gateAlone = (record: GateRecord, id: string): GateRecord =>
  record.id === id ? { id, behind: 0 } : record;

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
