/**
 * Hives and workspace desks: entities that hold a memory context and little else. A hive is shared knowledge; its
 * membership is stored only on the agents. The desk of a workspace holds the memories that belong to no agent and no
 * hive, and the API keys.
 */
import { recordAudit, type AuditActor } from './audit.js';
import type { Counts, Env } from './change.js';
import { iso, withTime } from './clock.js';
import { type ContextSnapshot, type Decision, Draft, type Owner } from './draft.js';
import { invalid, notFound } from './errors.js';
import {
  fitsMetadata,
  type HiveInput,
  type KeyInput,
  limits,
  type MemoryPatch,
  type PatchHiveInput,
} from './inputs.js';
import { mergePatch } from './merge.js';
import { type StoredMemory, showMemory } from './stored-memory.js';
import {
  changeMemory,
  expire,
  forget,
  normalizeTime,
  remember,
  type RememberInput,
  remove,
  type Surroundings,
} from './memories.js';
import { type MemoryBatch, rememberAll } from './memory-batch.js';
import { type ApiKey, type Hive } from './model.js';
import { scopes, type Tier } from './vocabulary.js';
import { type QuotaExceeded, keyLimit, keysFull, monthAt } from './usage.js';
import {
  type AlertChange,
  type AlertOutboxItem,
  type AlertOutcome,
  alertPushed,
  checkAlertTier,
  setAlerts,
  showAlerts,
  tellUsage,
} from './usage-alerts.js';
import { sizeOf, storageName } from './storage.js';
import { keepVectors, type MadeVector } from './vectors.js';
import { gateAfter, gateAlone, type WorkspaceSnapshot } from './workspace.js';

export interface HiveSnapshot extends Omit<Hive, 'memory_count'>, ContextSnapshot {
  deleting: boolean;
}

/** The snapshot of a hive or a desk. A workspace created by the command line has no `nextExpiry` yet. */
export type HiveOrDeskSnapshot = HiveSnapshot | (WorkspaceSnapshot & { nextExpiry?: number | null });

export interface HiveOrDeskState<S extends HiveOrDeskSnapshot = HiveOrDeskSnapshot> {
  entity: S;
  counts: Counts;
  positions: ReadonlyMap<string, number>;
}

export type HiveOrDeskCommand =
  | ({
      type: 'remember';
      input: RememberInput;
      known?: StoredMemory | null;
      full?: QuotaExceeded | null;
    } & Surroundings)
  | ({ type: 'rememberAll' } & MemoryBatch)
  | { type: 'patchMemory'; memory: StoredMemory; patch: MemoryPatch; full?: QuotaExceeded | null }
  | { type: 'forget'; memory: StoredMemory }
  | { type: 'vectors'; memories: readonly StoredMemory[]; made: readonly MadeVector[] }
  | { type: 'expire'; memories: readonly StoredMemory[]; next: number | null }
  /** Removes the memories that a deleted agent shared. */
  | { type: 'forgetAll'; memories: readonly StoredMemory[] }
  /** `held`: the number of keys that the workspace already has. */
  | { type: 'mintKey'; input: KeyInput; hash: string; hint: string; held: number; by: AuditActor }
  | { type: 'revokeKey'; key: ApiKey; by: AuditActor }
  /** Keys as stored, including the time of their last use. */
  | { type: 'used'; keys: readonly (ApiKey & { [field: string]: unknown })[] }
  /** Changes nothing; its commit stores a command record. */
  | { type: 'reserve'; result: unknown }
  /** The workspace's usage has reached a point at which an alert may be due (docs/api.md 6.5). */
  | { type: 'alert'; usage: QuotaExceeded }
  | { type: 'setAlerts'; change: AlertChange; usage: QuotaExceeded | null }
  | ({ type: 'alertPushed'; item: AlertOutboxItem } & AlertOutcome)
  /** From now on another process, or this one again, counts the memories in flight towards the quota. */
  | { type: 'openGate'; id: string }
  /** Nothing of the gates before this one can be in flight any more. */
  | { type: 'gateAlone'; gate: string }
  | { type: 'patchHive'; input: PatchHiveInput }
  | { type: 'delete' };

export const showHive = (h: HiveSnapshot, counts: Counts): Hive => ({
  id: h.id,
  name: h.name,
  description: h.description,
  metadata: h.metadata,
  memory_count: counts['memories'] ?? 0,
  created_at: h.created_at,
  updated_at: h.updated_at,
});

const isHive = (entity: HiveOrDeskSnapshot): entity is HiveSnapshot => 'deleting' in entity;
const ownerOf = (entity: HiveOrDeskSnapshot): Owner => (isHive(entity) ? { hive_id: entity.id } : {});

export function createHive(id: string, input: HiveInput, env: Env): Decision<HiveOrDeskState> {
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

export function decideHiveOrDesk(
  state: HiveOrDeskState,
  command: HiveOrDeskCommand,
  env: Env,
): Decision<HiveOrDeskState> {
  const { entity } = state;
  if (isHive(entity) && entity.deleting) throw notFound('hive', entity.id);
  const d = new Draft(
    { lastMs: entity.lastMs, idMs: entity.idMs, nextExpiry: entity.nextExpiry ?? null },
    state.counts,
    state.positions,
    env,
    ownerOf(entity),
  );
  let result = apply(d, command, isHive(entity) ? 'free' : entity.tier);
  const changed: HiveOrDeskSnapshot = withTime(entity, d.clock);
  changed.nextExpiry = d.nextExpiry;
  if (command.type === 'delete' && isHive(changed)) changed.deleting = true;
  if (command.type === 'patchHive' && isHive(changed)) {
    patchHive(d, changed, command.input);
    result = showHive(changed, d.counts);
  }
  if (!isHive(changed)) result = changeWorkspace(d, changed, command, result);
  return {
    state: { entity: changed, counts: d.finalCounts(), positions: d.positions },
    puts: d.puts,
    deletes: d.deletes,
    effects: d.effects,
    result,
  };
}

/** `tier` is the workspace's tier if this is its own desk; a hive holds no keys. */
function apply(d: Draft, c: HiveOrDeskCommand, tier: Tier): unknown {
  switch (c.type) {
    case 'remember':
      return c.known ? showMemory(c.known) : remember(d, c.input, { agent: null, full: c.full }, c);
    case 'rememberAll':
      return rememberAll(d, c, null);
    case 'patchMemory':
      return changeMemory(d, c.memory, c.patch, { agent: null, full: c.full });
    case 'vectors':
      return keepVectors(d, c.memories, c.made);
    case 'forget':
      return forget(d, c.memory);
    case 'expire':
      return expire(d, c.memories, c.next);
    case 'forgetAll':
      for (const memory of c.memories) remove(d, memory);
      return undefined;
    case 'mintKey':
      return mintKey(d, c, tier);
    case 'reserve':
      return c.result;
    case 'alert':
    case 'setAlerts':
    case 'alertPushed':
    case 'openGate':
    case 'gateAlone':
    case 'patchHive':
      return undefined;
    case 'revokeKey':
      d.deletes.push({ kind: 'key', id: c.key.id });
      d.grown -= sizeOf(c.key);
      recordAudit(d, c.by, 'key.revoked', c.key);
      return undefined;
    case 'used':
      for (const key of c.keys) d.put('key', key.id, key, false);
      return undefined;
    case 'delete':
      d.announce('hive.deleted', { ...d.owner });
      return undefined;
    default:
      return c satisfies never;
  }
}

function patchHive(d: Draft, hive: HiveSnapshot, { name, description, metadata }: PatchHiveInput): void {
  const merged = metadata === null ? {} : metadata === undefined ? hive.metadata : mergePatch(hive.metadata, metadata);
  if (!fitsMetadata(merged))
    throw invalid({ path: 'metadata', message: `must be at most ${limits.metadata} bytes as JSON once merged` });
  if (name !== undefined) hive.name = name;
  if (description !== undefined) hive.description = description ?? '';
  hive.metadata = merged;
  hive.updated_at = d.time;
  d.announce('hive.updated', { hive_id: hive.id, name: hive.name });
}

/** Changes the workspace's own state, and returns the result. */
function changeWorkspace(d: Draft, desk: WorkspaceSnapshot, c: HiveOrDeskCommand, result: unknown): unknown {
  switch (c.type) {
    case 'alert':
      tellUsage(d, desk, c.usage);
      return result;
    case 'setAlerts':
      checkAlertTier(desk.tier);
      setAlerts(d, desk, c.change, c.usage);
      return showAlerts(desk, monthAt(d.env.now));
    case 'alertPushed':
      alertPushed(d, desk, c.item, { webhook: c.webhook, reason: c.reason } as AlertOutcome);
      return result;
    case 'openGate':
      return (desk.gate = gateAfter(desk.gate, c.id));
    case 'gateAlone':
      if (desk.gate) desk.gate = gateAlone(desk.gate, c.gate);
      return null;
    default:
      return result;
  }
}

function mintKey(d: Draft, c: Extract<HiveOrDeskCommand, { type: 'mintKey' }>, tier: Tier): ApiKey {
  if (c.held >= keyLimit(tier)) throw keysFull(tier, c.held);
  const expires = normalizeTime(c.input.expires_at);
  if (expires !== null && Date.parse(expires) <= d.env.now)
    throw invalid({ path: 'expires_at', message: 'must be in the future' });
  const key: ApiKey = {
    id: d.env.ids('key', d.at),
    name: c.input.name,
    mode: c.input.mode,
    scopes: [...new Set(c.input.scopes ?? scopes)],
    hint: c.hint,
    expires_at: expires,
    last_used_at: null,
    created_at: d.time,
  };
  d.put('key', key.id, { ...key, hash: c.hash, updated_at: d.time }, true);
  recordAudit(d, c.by, 'key.created', key);
  return key;
}
