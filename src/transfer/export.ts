/**
 * Writes a workspace as records (records.ts), entity by entity, each of one state, while the service runs. Memory is
 * bounded: a page of documents at a time.
 *
 *  - No secret: tokens and keys are left out, or contain their hashes only; push configs, which hold credentials of
 *    others, are left out always, and so are secrets of tools and webhooks. So is what is on its way (outboxes), which
 *    would arrive twice.
 *  - An entity of another workspace is never read.
 *  - After an outage the entity that was being written is written anew; what came before of it is void.
 */
import { settingsIn } from '../domain/workspace/model-budget.js';
import type { RunRecord } from '../domain/agent/agent-state.js';
import { isDeleting } from '../domain/shared/documents.js';
import { withoutSecrets } from '../domain/agent/agent-tools.js';
import { isIdOf } from '../domain/shared/ids.js';
import { unpackEntry, unpackRun } from '../domain/run/stored-run.js';
import { showMemory } from '../domain/memory/stored-memory.js';
import type { AnyDoc, EntityKind, EntityPart, EntityRef, Head, Store } from '../store/port.js';
import { impatient, outlastingItems, type Outlast } from './outages.js';
import { ExportWriter } from './export-writer.js';
import type { EntityRecord } from './records.js';

export interface ExportOptions {
  workspace: string;
  /** One agent alone, without the workspace's own memories and hives. */
  agent?: string | undefined;
  /** Whether keys and tokens are included, as hashes. */
  credentials: boolean;
  now: number;
  outlast?: Outlast | undefined;
  /** What comes behind this entity alone, as an export of its own. */
  after?: string | undefined;
}

type Fields = Record<string, unknown>;
const order: readonly EntityKind[] = ['workspace', 'hive', 'agent'];

/** Yields lines, each with its newline. Yields nothing if there is no such workspace or agent. */
export async function* exportLines(store: Store, options: ExportOptions): AsyncGenerator<string> {
  const { workspace, agent, credentials, now, after, outlast = impatient } = options;
  const writer = new ExportWriter();
  const head = <K extends EntityKind>(kind: K, id: string): Promise<Head<K> | null> =>
    outlast(async () => store.head({ workspace, kind, id }));
  const desk = await head('workspace', workspace);
  if (!desk || desk.deleted) return;
  const one = agent === undefined ? null : await head('agent', agent);
  if (agent !== undefined && (!one || one.deleted)) return;
  const { id, name, tier } = desk.snapshot;
  const created_at = new Date(now).toISOString();
  yield writer.header({ created_at, workspace: { id, name, tier }, agent: agent ?? null, credentials });
  for (const kind of order) {
    for await (const heads of one ? ofKind(one, kind) : headsOf(store, workspace, kind, outlast))
      for (const { entity, deleted, snapshot } of heads) {
        if (deleted || isDeleting(snapshot) || isDone(entity, after)) continue;
        const parts = outlastingItems(outlast, () => store.contents(entity));
        yield* entityLines(parts, entity, credentials, writer);
      }
  }
  yield writer.end();
}

const ofKind = (head: Head, kind: EntityKind): Head[][] => (head.entity.kind === kind ? [[head]] : []);

const headsOf = (store: Store, workspace: string, kind: EntityKind, outlast: Outlast): AsyncIterable<Head[]> =>
  outlastingItems<Head[]>(outlast, (last) => store.allHeads({ workspace, kind, after: last?.at(-1)?.entity }));

/** Entities are written by kind, and by id within each kind. */
function isDone({ kind, id }: EntityRef, after: string | undefined): boolean {
  if (after === undefined) return false;
  const before = order.indexOf(kindOfId(after));
  const here = order.indexOf(kind);
  return here < before || (here === before && id <= after);
}

/** Ids of workspaces have no form that all of them share. */
const kindOfId = (id: string): EntityKind =>
  isIdOf('agent', id) ? 'agent' : isIdOf('hive', id) ? 'hive' : 'workspace';

async function* entityLines(
  parts: AsyncIterable<EntityPart>,
  entity: EntityRef,
  credentials: boolean,
  writer: ExportWriter,
): AsyncGenerator<string> {
  for await (const part of parts) {
    if (part.type === 'head') {
      if (part.head.deleted) return;
      yield writer.record({ record: entity.kind, id: entity.id, data: opened(part.head) });
    } else if (part.type === 'content') {
      for (const document of part.documents) {
        const record = documentRecord(document, credentials);
        if (record) yield writer.record(record);
      }
    } else if (part.type === 'end') {
      yield writer.close();
      return;
    }
  }
}

/** The settings of an entity, without what only its process needs. */
function opened({ snapshot, counts }: Head): Fields {
  if ('tier' in snapshot) {
    const { name, tier, created_at, alertSettings, modelBudget } = snapshot;
    return {
      name,
      tier,
      created_at,
      ...(alertSettings && { usage_alerts: { thresholds: alertSettings.thresholds } }),
      ...(modelBudget && { model_budget: settingsIn(modelBudget) }),
    };
  }
  if (!('config' in snapshot)) {
    const { name, description, metadata, created_at, updated_at } = snapshot;
    return { name, description, metadata, created_at, updated_at };
  }
  const a = snapshot;
  return {
    name: a.name,
    description: a.description,
    status: a.status,
    config: withoutSecrets(a.config),
    hives: a.hives,
    shared_with: a.sharedWith,
    metadata: a.metadata,
    wake_on_message: a.wake_on_message,
    memory_quota: a.memory_quota,
    maxRuntimeSeconds: a.maxRuntimeSeconds,
    message_count: counts['handled'] ?? 0,
    created_at: a.created_at,
    updated_at: a.updated_at,
    last_active_at: a.last_active_at,
  };
}

function documentRecord({ kind, id, entity, body }: AnyDoc, credentials: boolean): EntityRecord | null {
  switch (kind) {
    case 'memory': {
      const { chain, patched_at, unheeded } = body;
      const data = {
        ...showMemory(body),
        ...(chain && { chain }),
        ...(patched_at && { patched_at }),
        ...(unheeded && { unheeded }),
      };
      return { record: 'memory', id, data };
    }
    case 'message': {
      const { id: _, agent_id: _agent, ...message } = body;
      return { record: 'message', id, data: message };
    }
    case 'run': {
      const run: Partial<RunRecord> = unpackRun({ id, entity, body });
      for (const field of ['id', 'agent_id', 'push', 'restarts', 'modelOutage', 'calling', 'later'] as const)
        delete run[field];
      if (run.overrides) run.overrides = withoutSecrets(run.overrides);
      return { record: 'run', id, data: run };
    }
    case 'journal': {
      const { id: _, agent_id: _agent, checkpoint, kept: _kept, ...entry } = unpackEntry(id, entity.id, body);
      return { record: 'journal', id, data: { ...entry, checkpoint } };
    }
    case 'file':
      return { record: 'file', id, data: { ...body } };
    case 'schedule': {
      const { id: _, agent_id: _agent, ...schedule } = body;
      const { overrides } = schedule;
      return { record: 'schedule', id, data: { ...schedule, overrides: overrides ? withoutSecrets(overrides) : null } };
    }
    case 'block': {
      const { id: _, agent_id: _agent, ...block } = body;
      return { record: 'block', id, data: block };
    }
    case 'webhook': {
      const { url, events, agent_id, description, created_at, updated_at } = body;
      return { record: 'webhook', id, data: { url, events, agent_id, description, created_at, updated_at } };
    }
    case 'token':
    case 'key':
      return credentials ? { record: kind, id, data: { ...body } } : null;
    default:
      return null;
  }
}
