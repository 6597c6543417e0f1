/**
 * What an import changes: the entity that a record opens, and what it takes in. Nothing that exists is replaced.
 *
 *  Imports.I1 No work begins: a run that had not ended or paused when it was exported is stored as cancelled, with an
 *     event that says so.
 *     A schedule is paused. It loses its name where another schedule of the agent has that.
 *  Imports.I3 Nothing is approved or vouched for by a file: a run that waits for approval waits for what it would do,
 *     not for what the file says of it, no sender of a message is verified, and no message wakes its agent.
 *  Imports.I2 Memories count towards the quota of the month in which they are taken in (memories.ts).
 */
import type { AgentSnapshot, AlertState, HiveSnapshot } from '../shared/snapshots.js';
import { waitsForClient } from '../agent/agent-tools.js';
import { bounds, type JournalEntry, type RunRecord, type StoredMessage } from '../agent/agent-state.js';
import type { Counts, DocumentPut, Env } from '../shared/draft.js';
import { iso } from '../shared/clock.js';
import type { EntityKind, Snapshots } from '../shared/documents.js';
import { Draft } from '../shared/draft.js';
import type { CheckedRecord, CheckedRecordOf, ImportKind } from './import-records.js';
import { awaitsApproval, submitted } from '../run/tools.js';
import { packEntry } from '../run/stored-run.js';
import { takeIn } from '../memory/memories.js';
import type { StoredMemory } from '../memory/stored-memory.js';
import { packRun } from '../run/stored-run.js';
import { withSubject } from '../shared/caller.js';
import { identityAfter } from '../memory/memories.js';
import { settingsIn } from '../workspace/model-budget.js';
import { importedWebhook } from '../workspace/webhooks.js';

type Data<K extends ImportKind> = CheckedRecordOf<K>['data'];

interface Opened {
  snapshot: Snapshots[EntityKind];
  counts: Counts;
}

export interface Imported extends Opened {
  puts: readonly DocumentPut[];
  /** When the next memory of the memory space expires, ms. */
  nextExpiry: number | null;
}

/** The entity that a record opens, if it is not there yet. */
export function newEntity({ kind, id, data }: Extract<CheckedRecord, { kind: 'hive' | 'agent' }>, now: number): Opened {
  const clock = { lastMs: now, nextExpiry: null, deleting: false };
  if (kind === 'hive') {
    const snapshot: HiveSnapshot = { id, ...data, ...clock };
    return { snapshot, counts: { hives: 1 } };
  }
  const { shared_with, message_count, ...fields } = data;
  const snapshot: AgentSnapshot = {
    id,
    ...fields,
    ...clock,
    running: [],
    pending: [],
    unread: 0,
    outbox: 0,
    pushes: 0,
    sharedWith: shared_with,
  };
  return { snapshot, counts: { agents: 1, ...(message_count > 0 && { handled: message_count }) } };
}

/**
 * A workspace that is there already, with the thresholds of its usage alerts and the budget of its models from the record
 * that opens it. Null if it has settings of its own for what the record has.
 */
export function withImportedSettings(
  snapshot: Snapshots[EntityKind],
  { kind, data }: CheckedRecord,
  now: number,
): Snapshots[EntityKind] | null {
  if (kind !== 'workspace') return null;
  const updated_at = iso(now);
  const takesAlerts = data.usage_alerts !== undefined && !('alertSettings' in snapshot);
  const takesBudget = data.model_budget !== undefined && !('modelBudget' in snapshot);
  if (!takesAlerts && !takesBudget) return null;
  return {
    ...snapshot,
    ...(takesAlerts && { alertSettings: { ...data.usage_alerts, updated_at } as AlertState['alertSettings'] }),
    ...(takesBudget && { modelBudget: { ...settingsIn(data.model_budget ?? {}), updated_at } }),
  };
}

/** The entity after it has taken in documents that it does not have yet. */
export function takeInAll(
  owner: { kind: 'workspace' | 'hive' | 'agent'; id: string },
  { snapshot, counts }: Opened,
  records: readonly CheckedRecord[],
  env: Env,
): Imported {
  const { lastMs, idMs, nextExpiry = null } = snapshot;
  const d = new Draft({ lastMs, idMs, nextExpiry }, counts, new Map(), env, {});
  let unread = 0;
  let blocks = 0;
  const schedules: Record<string, null> = {};
  const names: Record<string, string> = 'unread' in snapshot ? { ...snapshot.scheduleNames } : {};
  for (const { kind, id, data } of records) {
    switch (kind) {
      case 'memory':
        takeIn(d, storedMemory(owner, id, data));
        break;
      case 'message':
        d.put('message', id, importedMessage(owner.id, id, data), true);
        d.count({ messages: 1 });
        if (data.read_at === null) unread++;
        break;
      case 'run':
        takeInRun(d, owner.id, id, data);
        break;
      case 'journal':
        takeInEntry(d, { ...data, id, agent_id: owner.id });
        break;
      case 'file':
        d.put('file', id, data, true);
        break;
      case 'schedule':
        schedules[id] = null;
        if (data.name !== null && Object.values(names).includes(data.name)) data.name = null;
        if (data.name !== null) names[id] = data.name;
        d.put('schedule', id, { ...data, id, agent_id: owner.id, paused: true }, true);
        break;
      case 'block':
        blocks++;
        d.put('block', id, { ...data, id, agent_id: owner.id }, true);
        break;
      case 'webhook':
        d.put('webhook', id, { ...data, id, ...importedWebhook }, true);
        break;
      case 'token':
        d.put('token', id, { ...data, id, agent_id: owner.id }, true);
        break;
      case 'key':
        d.put('key', id, { ...data, id }, true);
        break;
      default: // what opens an entity
    }
  }
  const { idMs: _before, ...rest } = snapshot;
  const after = { ...rest, ...d.clock, nextExpiry: d.nextExpiry };
  if ('unread' in after) {
    after.unread += unread;
    if (blocks > 0) after.blocks = (after.blocks ?? 0) + blocks;
    if (Object.keys(schedules).length > 0) after.schedules = { ...after.schedules, ...schedules };
    if (Object.keys(names).length > 0) after.scheduleNames = names;
  }
  return { snapshot: after, counts: d.finalCounts(), puts: d.puts, nextExpiry: d.nextExpiry };
}

/** Fields that have their default are not stored, and what makes it a repetition of others follows from the rest. */
function storedMemory(
  owner: { kind: 'workspace' | 'hive' | 'agent'; id: string },
  id: string,
  {
    subject,
    supersedes,
    superseded_by,
    valid_until,
    source,
    run_id,
    times_seen,
    last_seen_at,
    ...rest
  }: Data<'memory'>,
): StoredMemory {
  const memory: StoredMemory = {
    ...rest,
    id,
    agent_id: owner.kind === 'agent' ? owner.id : null,
    hive_id: owner.kind === 'hive' ? owner.id : null,
    ...withSubject({ subject }),
    ...(supersedes && { supersedes }),
    ...(superseded_by && { superseded_by }),
    ...(valid_until && { valid_until }),
    ...(source && { source }),
    ...(run_id && { run_id }),
    ...(times_seen > 1 && { times_seen }),
    ...(last_seen_at && last_seen_at !== rest.created_at && { last_seen_at }),
  };
  const identity = identityAfter(memory);
  return identity === null ? memory : { ...memory, identity };
}

/** Imports.I3. */
function importedMessage(agent: string, id: string, { verified: _, ...message }: Data<'message'>): StoredMessage {
  return { ...message, id, agent_id: agent, ...(message.read_at === null && { wakes: bounds.maxWakes }) };
}

/** What the run waits for, by what it would do (Imports.I3); null for approval of nothing. */
function waitsFor(run: RunRecord): RunRecord['waitingFor'] {
  const { status, waitingFor, held, done } = run;
  const [call] = held;
  if (status === 'paused' && waitingFor?.kind === 'tools') {
    const asked = held.slice(0, waitingFor.calls?.length ?? 0);
    const known = asked.length > 0 && asked.every(({ tool }) => tool === 'use_tool');
    return known ? waitsForClient(run, asked, done.length) : null;
  }
  // the answers are not in the export
  if (status === 'paused' && waitingFor?.kind === 'agent') return null;
  if (status !== 'paused' || waitingFor?.kind !== 'approval') return waitingFor;
  return call ? { kind: 'approval', question: awaitsApproval, action: submitted(call, done) } : null;
}

function takeInRun(d: Draft, agent: string, id: string, data: Data<'run'>): void {
  const { owes: _, asked: __, ...kept } = data; // nobody waits for it here, and it waits for nobody
  const run: RunRecord = { ...kept, id, agent_id: agent };
  const at = run.statusAt ?? run.updated_at;
  const stored: RunRecord = {
    ...run,
    statusAt: at,
    statusSeq: run.statusSeq ?? run.nextSeq - 1,
    approved: false,
    waitingFor: waitsFor(run),
  };
  d.count({ runs: 1 });
  const waitsForNothing = run.status === 'paused' && stored.waitingFor === null;
  if (run.status === 'pending' || run.status === 'running' || waitsForNothing) {
    const entry: JournalEntry = {
      id: d.env.ids('checkpoint', d.at),
      runId: id,
      agent_id: agent,
      sessionId: run.sessionId,
      step: run.steps + 1,
      firstSeq: run.nextSeq,
      events: [
        {
          seq: run.nextSeq,
          at: iso(d.timeMs),
          type: 'status',
          status: 'cancelled',
          stopReason: null,
          message: 'the run was in progress when it was exported',
        },
      ],
      checkpoint: null,
      human: null,
      created_at: d.time,
    };
    takeInEntry(d, entry);
    Object.assign(stored, {
      status: 'cancelled',
      ended_at: d.time,
      updated_at: d.time,
      statusAt: d.time,
      statusSeq: run.nextSeq,
      nextSeq: run.nextSeq + 1,
      entryId: entry.id,
      held: [],
    });
  }
  d.put('run', id, packRun(stored), true);
}

function takeInEntry(d: Draft, entry: JournalEntry): void {
  const thoughts = entry.events.filter((e) => e.type === 'thought').length;
  d.put('journal', entry.id, packEntry(entry), true);
  if (thoughts > 0) d.count({ thoughts });
  if (entry.checkpoint) d.count({ checkpoints: 1 });
}
