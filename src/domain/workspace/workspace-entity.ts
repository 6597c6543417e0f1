/**
 * Hives and workspace desks: entities that hold a memory space and little else. A hive is shared knowledge; its
 * membership is stored only on the agents. The desk of a workspace holds the memories that belong to no agent and no
 * hive, and the API keys.
 */
import type { HiveSnapshot, MemorySpaceSnapshot, WorkspaceSnapshot } from '../shared/snapshots.js';
import { expiryOf, recordAudit, noteChange } from './audit.js';
import type { Counts, Env, AuditActor } from '../shared/draft.js';
import { iso, withTime } from '../shared/clock.js';
import { applyCommand, type CommandOf, type Decided } from '../shared/draft.js';
import { type Decision, Draft, type Owner } from '../shared/draft.js';
import { notFound } from '../shared/errors.js';
import { type HiveInput, type KeyInput, type PatchHiveInput } from '../shared/inputs.js';
import { memoryCommands } from '../memory/memory-commands.js';
import { patchedMetadata } from '../shared/merge.js';
import type { ApiKey, Hive } from '../model/model.js';
import { scopes } from '../shared/vocabulary.js';
import { type QuotaExceeded, keyLimit, keysFull } from './usage.js';
import { type MonthUse, tellBudgetAlerts } from './model-budget.js';
import { tellUsage } from './usage-alerts.js';
import { sizeOf, storageName } from './usage.js';

/** The snapshot of a hive or a desk. A workspace created by the command line has no `nextExpiry` yet. */
export type WorkspaceEntitySnapshot = HiveSnapshot | (WorkspaceSnapshot & Partial<MemorySpaceSnapshot>);

export interface WorkspaceEntityState<S extends WorkspaceEntitySnapshot = WorkspaceEntitySnapshot> {
  entity: S;
  counts: Counts;
  positions: ReadonlyMap<string, number>;
}

export const showHive = (h: HiveSnapshot, counts: Counts): Hive => ({
  id: h.id,
  name: h.name,
  description: h.description,
  metadata: h.metadata,
  memory_count: counts['memories'] ?? 0,
  created_at: h.created_at,
  updated_at: h.updated_at,
});

const isHive = (entity: WorkspaceEntitySnapshot): entity is HiveSnapshot => 'deleting' in entity;
const ownerOf = (entity: WorkspaceEntitySnapshot): Owner => (isHive(entity) ? { hive_id: entity.id } : {});

export function newHive(id: string, input: HiveInput, env: Env): Decision<WorkspaceEntityState> & { result: Hive } {
  const time = iso(env.now);
  const hive: HiveSnapshot = {
    id,
    name: input.name,
    description: input.description ?? '',
    metadata: input.metadata ?? {},
    created_at: time,
    updated_at: time,
    lastMs: env.now,
    nextExpiry: null,
    deleting: false,
  };
  const counts = { hives: 1, [storageName]: sizeOf(hive) };
  return {
    state: { entity: hive, counts, positions: new Map() },
    puts: [],
    deletes: [],
    result: showHive(hive, counts),
    effects: [{ type: 'announce', event: { type: 'hive.created', at: time, data: { hive_id: id, name: hive.name } } }],
  };
}

/** A decision of a hive or desk while it is being made, with a copy of the snapshot that it changes. */
export class WorkspaceEntityDraft extends Draft {
  readonly entity: WorkspaceEntitySnapshot;

  constructor({ entity, counts, positions }: WorkspaceEntityState, env: Env) {
    const { lastMs, idMs, nextExpiry = null, webhookEvents = 0 } = entity;
    super({ lastMs, idMs, nextExpiry, webhookEvents }, counts, positions, env, ownerOf(entity));
    this.entity = withTime(entity, this.clock);
  }

  override get ownerId(): string {
    return this.entity.id;
  }

  override get ownerName(): string {
    return this.entity.name;
  }

  get hive(): HiveSnapshot {
    if (!isHive(this.entity)) throw notFound('hive', this.entity.id);
    return this.entity;
  }

  get desk(): WorkspaceSnapshot {
    if (isHive(this.entity)) throw notFound('workspace', this.entity.id);
    return this.entity;
  }
}

export interface NewKey {
  input: KeyInput;
  hash: string;
  hint: string;
  /** How many keys the workspace has. */
  held: number;
  by: AuditActor;
}

const commands = {
  ...memoryCommands,
  delete(d: WorkspaceEntityDraft): void {
    d.hive.deleting = true;
    d.announce('hive.deleted', { ...d.owner });
  },
  /** The workspace's usage has reached a point at which an alert may be due (docs/api.md 6.5). */
  alert(d: WorkspaceEntityDraft, c: { usage: QuotaExceeded }): void {
    if (!isHive(d.entity)) tellUsage(d, d.entity, c.usage);
  },
  /** The workspace's use of models has reached a point at which an alert may be due (docs/api.md 8.6). */
  alertModelBudget(d: WorkspaceEntityDraft, c: { use: MonthUse }): void {
    if (!isHive(d.entity)) tellBudgetAlerts(d, d.entity, c.use);
  },
};

export type WorkspaceEntityCommands = typeof commands;
export type WorkspaceEntityCommand<N extends keyof WorkspaceEntityCommands = keyof WorkspaceEntityCommands> = CommandOf<
  WorkspaceEntityCommands,
  N
>;

export function decideWorkspaceEntity(
  state: WorkspaceEntityState,
  command: WorkspaceEntityCommand | Decided<WorkspaceEntityDraft>,
  env: Env,
): Decision<WorkspaceEntityState> {
  const { entity } = state;
  if (isHive(entity) && entity.deleting) throw notFound('hive', entity.id);
  const d = new WorkspaceEntityDraft(state, env);
  const result = applyCommand(commands, d, command);
  if (env.audit) noteChange(d, env.audit, result);
  d.entity.nextExpiry = d.nextExpiry;
  if (d.webhookEvents !== 0 || d.entity.webhookEvents !== undefined) d.entity.webhookEvents = d.webhookEvents;
  return {
    state: { entity: d.entity, counts: d.finalCounts(), positions: d.positions },
    puts: d.puts,
    deletes: d.deletes,
    effects: d.effects,
    result,
  };
}

export function patchHive(d: WorkspaceEntityDraft, { name, description, metadata }: PatchHiveInput): Hive {
  const { hive } = d;
  if (name !== undefined) hive.name = name;
  if (description !== undefined) hive.description = description ?? '';
  if (metadata !== undefined) hive.metadata = patchedMetadata(hive.metadata, metadata);
  hive.updated_at = d.time;
  d.announce('hive.updated', { hive_id: hive.id, name: hive.name });
  return showHive(hive, d.counts);
}

export function addKey(d: WorkspaceEntityDraft, c: NewKey): ApiKey {
  const { tier } = d.desk;
  if (c.held >= keyLimit(tier)) throw keysFull(tier, c.held);
  const key: ApiKey = {
    id: d.env.ids('key', d.at),
    name: c.input.name,
    mode: c.input.mode,
    scopes: [...new Set(c.input.scopes ?? scopes)],
    hint: c.hint,
    expires_at: expiryOf(d, c.input),
    last_used_at: null,
    created_at: d.time,
  };
  d.put('key', key.id, { ...key, hash: c.hash, updated_at: d.time }, true);
  recordAudit(d, c.by, 'key.created', key);
  return key;
}

export function removeKey(d: WorkspaceEntityDraft, key: ApiKey, by: AuditActor): void {
  d.remove('key', key.id, sizeOf(key));
  recordAudit(d, by, 'key.revoked', key);
}
