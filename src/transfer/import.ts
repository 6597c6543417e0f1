/**
 * Puts checked records into a workspace: what is there already is left as it is, so that an import can be repeated, and
 * one that was interrupted is repeated to go on.
 *
 *  - Each batch is one commit of its entity, decided on the stored head. After a conflict or an outage, or where it is
 *    not known whether the commit took effect, everything is looked up and decided again; what such a commit held and
 *    is there then was added by it. A running actor of the entity finds that it was written by somebody else, as with
 *    other processes.
 *  - No id moves: a memory that another entity of the workspace has, and an entity that was deleted, are refused, the
 *    latter for as long as its deletion is remembered. A credential is refused if its hash is known.
 *  - The limits of the workspace's tier hold: storage, memories of the month, keys; and the agent's memory_quota.
 */
import type { AgentSnapshot } from '../domain/shared/snapshots.js';
import { remarkOf } from '../english/sentences.js';
import { HivekeepError } from '../domain/shared/errors.js';
import type { CheckedRecord } from '../domain/import/import-records.js';
import { type EntityKind, isDeleting, type Snapshots } from '../domain/shared/documents.js';
import { newEntity, takeInAll, withImportedSettings } from '../domain/import/imports.js';
import type { IdSource } from '../domain/shared/ids.js';
import { bounds } from '../domain/agent/agent-state.js';
import { nextTimer, schedulesFull } from '../domain/agent/schedules.js';
import {
  type QuotaExceeded,
  agentQuotaExceeded,
  isShortTerm,
  keyLimit,
  keysFull,
  monthAt,
  monthlyLimit,
  sizeOf,
  storageError,
  storageLimit,
  usageCountName,
  workspaceQuotaExceeded,
} from '../domain/workspace/usage.js';
import { maySetAlerts } from '../domain/workspace/usage-alerts.js';
import { mostWebhooks, webhooksFull } from '../domain/workspace/webhooks.js';
import type { Tier } from '../domain/shared/vocabulary.js';
import { StoreError, type DocKind, type EntityRef, type Head, type Store } from '../store/port.js';
import { impatient, type Outlast } from './outages.js';
import { LeftOut } from './left-out.js';
import { isOpening, type RecordCounts } from './records.js';

export interface ImportTarget {
  store: Store;
  now: () => number;
  ids: IdSource;
  workspace: string;
  tier: Tier;
  /** Whether keys and tokens are taken in. */
  credentials: boolean;
  /**
   * Reserves room for so many lasting memories among what others add at the same time, and passes on how many it got.
   * Absent: nobody else adds any.
   */
  reserve?: <T>(memories: number, work: (granted: number, full: QuotaExceeded | null) => Promise<T>) => Promise<T>;
  /** Called once for each entity that may have been changed, after its last record or when the import fails. */
  touched?: (entity: EntityRef) => Promise<void>;
  /** Absent: an outage ends the import. */
  outlast?: Outlast;
  progress?: (records: number) => void;
}

export interface ImportResult {
  added: RecordCounts;
  /** What was there already. */
  present: RecordCounts;
  /** What cannot be taken in; the first reasons. */
  refused: number;
  reasons: string[];
}

const batchRecords = 100;
const batchBytes = 256 * 1024;
const mostTries = 20;

/** `leftOut` is what was left out of the records already. */
export async function importInto(
  target: ImportTarget,
  records: AsyncIterable<CheckedRecord>,
  leftOut = new LeftOut(),
): Promise<ImportResult> {
  const run = new ImportRun(target, leftOut);
  try {
    for await (const record of records) await run.take(record);
    await run.closeEntity();
  } catch (error) {
    await run.touched();
    throw error;
  }
  return run.result;
}

interface OpenEntity {
  entity: EntityRef;
  record: CheckedRecord;
  /** Why nothing of it is taken in. */
  refusal: string | null;
  changed: boolean;
  /** Whether a commit that makes it may have taken effect, and has not been counted. */
  mayBeMade: boolean;
}

class ImportRun {
  private readonly counted: Pick<ImportResult, 'added' | 'present'> = { added: {}, present: {} };
  private open: OpenEntity | null = null;
  private waiting = new Map<string, CheckedRecord>();
  private bytes = 0;
  private records = 0;
  /** What is in commits that may have taken effect, and has not been counted. */
  private readonly mayBeAdded = new Set<CheckedRecord>();
  private readonly outlast: Outlast;

  constructor(
    private readonly target: ImportTarget,
    private readonly leftOut: LeftOut,
  ) {
    this.outlast = target.outlast ?? impatient;
  }

  get result(): ImportResult {
    return { ...this.counted, refused: this.leftOut.count, reasons: this.leftOut.reasons };
  }

  async take(record: CheckedRecord): Promise<void> {
    this.target.progress?.(++this.records);
    if (isOpening(record.kind)) {
      await this.closeEntity();
      await this.openEntity(record);
      return;
    }
    const { open } = this;
    if (!open) throw new Error('a document came before its entity');
    if (open.refusal !== null) {
      this.refuse(record, open.refusal);
      return;
    }
    if ((record.kind === 'token' || record.kind === 'key') && !this.target.credentials) {
      this.refuse(record, 'keys and tokens are taken in only where this is asked for');
      return;
    }
    this.waiting.set(`${record.kind}/${record.id}`, record);
    this.bytes += sizeOf(record.data);
    if (this.waiting.size >= batchRecords || this.bytes >= batchBytes) await this.flush();
  }

  async closeEntity(): Promise<void> {
    await this.flush();
    await this.touched();
    this.open = null;
  }

  /** Tells of the open entity, if anything of it may have been written. */
  async touched(): Promise<void> {
    const { open } = this;
    if (open?.changed) await this.outlast(async () => this.target.touched?.(open.entity));
  }

  private async openEntity(record: CheckedRecord): Promise<void> {
    const { store, workspace } = this.target;
    const id = record.kind === 'workspace' ? workspace : record.id;
    const entity: EntityRef = { workspace, kind: record.kind as EntityRef['kind'], id };
    const head = await this.outlast(async () => store.head(entity));
    const gone = head && (head.deleted || isDeleting(head.snapshot));
    const refusal = gone ? `the ${record.kind} ${id} was deleted here, and ids are never used again` : null;
    const known = await this.outlast(() => this.withKnownHives(record));
    this.open = { entity, record: known, refusal, changed: false, mayBeMade: false };
    if (refusal !== null) this.refuse(record, refusal);
    else if (head) {
      count(this.counted.present, record);
      await this.takeAlerts(head);
    } else if (record.kind === 'workspace') throw new HivekeepError('NOT_FOUND', `there is no workspace ${id}`);
    else await this.insist(async () => (await this.commit([])) === 'committed');
  }

  /** Workspaces are there already, but may lack the settings of usage alerts that the record has. */
  private async takeAlerts(head: Head): Promise<void> {
    const { record } = this.open as OpenEntity;
    if (withImportedSettings(head.snapshot, record, this.target.now()) === null) return;
    if (maySetAlerts(this.target.tier)) await this.insist(async () => (await this.commit([])) === 'committed');
    else this.refuse(record, 'its usage alerts need the tier pro or one above');
  }

  /** An agent joins hives that are here; the records of hives come before those of agents. */
  private async withKnownHives(record: CheckedRecord): Promise<CheckedRecord> {
    if (record.kind !== 'agent') return record;
    const { store, workspace } = this.target;
    const known = async (field: 'hives' | 'shared_with'): Promise<string[]> => {
      const kept: string[] = [];
      for (const id of record.data[field]) {
        const head = await store.head({ workspace, kind: 'hive', id });
        if (head && !head.deleted) kept.push(id);
      }
      return kept;
    };
    return {
      ...record,
      data: { ...record.data, hives: await known('hives'), shared_with: await known('shared_with') },
    };
  }

  private async flush(): Promise<void> {
    const { open } = this;
    const records = [...this.waiting.values()];
    this.waiting = new Map();
    this.bytes = 0;
    if (!open || records.length === 0) return;
    let left: readonly CheckedRecord[] = records;
    while (left.length > 0)
      await this.insist(async () => {
        left = await this.fresh(open.entity, left);
        const written = left.length === 0 ? [] : await this.admitted(left);
        left = left.filter((record) => !written.includes(record));
        return left.length === 0 || written.length > 0;
      });
    this.mayBeAdded.clear();
  }

  /** Repeats what met a conflict or an outage. */
  private async insist(work: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) if (await this.outlast(work)) return;
    const { kind, id } = (this.open as OpenEntity).entity;
    throw new HivekeepError('CONFLICT', `the ${kind} ${id} was changed again and again; import once more`);
  }

  /** What is neither here nor elsewhere; the rest is counted once all has been looked up. */
  private async fresh(entity: EntityRef, records: readonly CheckedRecord[]): Promise<CheckedRecord[]> {
    const looked: (readonly [CheckedRecord, 'here' | 'elsewhere' | null])[] = [];
    for (const record of records) looked.push([record, await this.found(entity, record)]);
    for (const [record, found] of looked) {
      if (found === 'here') count(this.mayBeAdded.delete(record) ? this.counted.added : this.counted.present, record);
      else if (found === 'elsewhere')
        this.refuse(record, `the ${record.kind} ${record.id} belongs to something else here`);
    }
    return looked.filter(([, found]) => found === null).map(([record]) => record);
  }

  /** Commits as many of the records as there is room for in the month, and returns them. */
  private async admitted(records: readonly CheckedRecord[]): Promise<readonly CheckedRecord[]> {
    const at = this.target.now();
    const lasting = records.filter((record) => isLasting(record, at));
    const { reserve } = this.target;
    const send = async (some: readonly CheckedRecord[]): Promise<readonly CheckedRecord[]> =>
      (await this.commit(some)) === 'conflict' ? [] : some;
    if (!reserve || lasting.length === 0) return send(records);
    return reserve(lasting.length, async (granted, full) => {
      if (granted >= lasting.length) return send(records);
      if (granted === 0 && full) throw workspaceQuotaExceeded(full);
      const first = lasting[granted];
      return send(first ? records.slice(0, records.indexOf(first)) : records);
    });
  }

  private async found(entity: EntityRef, { kind, id, data }: CheckedRecord): Promise<'here' | 'elsewhere' | null> {
    const { store, workspace } = this.target;
    if (await store.get(entity, kind as DocKind, id)) return 'here';
    const other =
      kind === 'memory' || kind === 'run'
        ? await store.find(workspace, kind, id)
        : kind === 'token' || kind === 'key'
          ? await store.lookup(kind, data.hash)
          : null;
    return other ? 'elsewhere' : null;
  }

  private async commit(records: readonly CheckedRecord[]): Promise<'committed' | 'conflict'> {
    const { store, now, ids } = this.target;
    const open = this.open as OpenEntity;
    const { entity } = open;
    const head = await store.load(entity);
    if (head && (head.deleted || isDeleting(head.snapshot)))
      throw new HivekeepError('CONFLICT', `the ${entity.kind} ${entity.id} was deleted meanwhile`);
    const at = now();
    await this.checkLimits(head, records, at);
    const before = head
      ? this.withAlerts(head, at)
      : newEntity(open.record as Extract<CheckedRecord, { kind: 'hive' | 'agent' }>, at);
    const env = { now: at, ids, remarkOf, defaults: { maxSteps: 0, maxRuntimeSeconds: 0, messageBudget: 0 } };
    const after = takeInAll(entity, before, records, env);
    const seq = (head?.seq ?? 0) + 1;
    try {
      const outcome = await store.commit({
        entity,
        seq,
        snapshot: after.snapshot,
        active: head?.active ?? false,
        due: nextTimer({ nextExpiry: after.nextExpiry, ...timersOf(after.snapshot) }),
        counts: after.counts,
        deleted: false,
        puts: after.puts,
        deletes: [],
        records: [],
        previousCounts: head?.counts ?? {},
      });
      if (outcome === 'conflict') return outcome;
    } catch (error) {
      open.changed = true;
      if (error instanceof StoreError && (error.reason === 'unknown' || error.away)) {
        open.mayBeMade ||= !head;
        for (const record of records) this.mayBeAdded.add(record);
      }
      if (error instanceof StoreError && error.reason === 'unknown') return 'conflict';
      throw error;
    }
    store.release(entity, seq);
    open.changed = true;
    if (!head || open.mayBeMade) count(this.counted.added, open.record);
    open.mayBeMade = false;
    for (const record of records) count(this.counted.added, record);
    return 'committed';
  }

  private withAlerts(head: Head, at: number): Head {
    const snapshot = maySetAlerts(this.target.tier)
      ? withImportedSettings(head.snapshot, (this.open as OpenEntity).record, at)
      : null;
    return snapshot ? { ...head, snapshot } : head;
  }

  private async checkLimits(head: Head | null, records: readonly CheckedRecord[], at: number): Promise<void> {
    const { store, workspace, tier } = this.target;
    const limit = storageLimit(tier);
    if (limit !== null) {
      const used = await store.storage(workspace);
      const adds = records.reduce((bytes, r) => bytes + sizeOf(r.data), 0);
      if (used + adds > limit) throw storageError({ limit, used });
    }
    const lasting = records.filter((record) => isLasting(record, at)).length;
    const month = monthAt(at);
    const monthly = monthlyLimit(tier);
    if (lasting > 0 && monthly !== null && !this.target.reserve) {
      const used = await store.sum(workspace, usageCountName(month));
      if (used + lasting > monthly) throw workspaceQuotaExceeded({ month, limit: monthly, used });
    }
    const quota = head && 'memory_quota' in head.snapshot ? head.snapshot.memory_quota : null;
    const held = head?.counts['lasting'] ?? 0;
    if (quota !== null && lasting > 0 && held + lasting > quota) throw agentQuotaExceeded(quota, held);
    const scheduled = Object.keys((head && timersOf(head.snapshot).schedules) ?? {}).length;
    if (scheduled + records.filter((r) => r.kind === 'schedule').length > bounds.schedules) throw schedulesFull();
    for (const [kind, most, full] of [
      ['key', keyLimit(tier), (there: number) => keysFull(tier, there)],
      ['webhook', mostWebhooks, webhooksFull],
    ] as const) {
      const added = records.filter((r) => r.kind === kind).length;
      if (added === 0 || !head) continue;
      const there = await store.count({ workspace, entity: head.entity, collection: kind, list: 'created' }, most);
      if (there.count + added > most) throw full(there.count);
    }
  }

  private refuse({ kind }: CheckedRecord, reason: string): void {
    this.leftOut.add(kind, reason);
  }
}

const isLasting = ({ kind, data }: CheckedRecord, at: number): boolean =>
  kind === 'memory' && !isShortTerm(data.expires_at, Math.min(Date.parse(data.created_at), at));

const timersOf = (snapshot: Snapshots[EntityKind]): Pick<AgentSnapshot, 'journals' | 'schedules'> =>
  'config' in snapshot ? snapshot : {};

function count(counts: RecordCounts, { kind }: CheckedRecord): void {
  counts[kind] = (counts[kind] ?? 0) + 1;
}
