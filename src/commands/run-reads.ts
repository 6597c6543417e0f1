/** Reads runs and their journals from the store: what the next step of a run needs to know about the earlier ones. */
import type { HumanInput, JournalEntry, LiveRun, RunRecord } from '../domain/agent/agent-state.js';
import { HivekeepError, notFound } from '../domain/shared/errors.js';
import type { FreedFile } from '../domain/run/conversation.js';
import { unpackEntry, unpackRun, withAside } from '../domain/run/stored-run.js';
import { withKept } from '../domain/run/records.js';
import type { Checkpoint, RunEvent, ToolOutcome } from '../domain/model/model.js';
import type { OldEntry } from '../domain/run/retention.js';
import { sizeOf } from '../domain/workspace/usage.js';
import type { EntityRef, Position, Store, StoredDoc } from '../store/port.js';
import { itemsOf } from '../store/list-query.js';
import { type Caller, reaches } from '../domain/shared/caller.js';
import { agentRef, headOf } from './entities.js';

const pageSize = 100;

export const journalEntryOf = ({
  id,
  entity,
  body,
}: Pick<StoredDoc<'journal'>, 'id' | 'entity' | 'body'>): JournalEntry => unpackEntry(id, entity.id, body);

/** The query for the journal list that contains a run, which is the list of its session. */
export const journalOf = (agent: EntityRef, record: Pick<RunRecord, 'sessionId'>) =>
  ({
    workspace: agent.workspace,
    entity: agent,
    collection: 'journal',
    list: 'session',
    by: record.sessionId,
  }) as const;
/** The positions just before and just after the entries of a run in its session's list. */
export const beforeRun = (runId: string): Position => [runId, -1, ''];
export const endOfRun = (runId: string): Position => [runId, Number.MAX_SAFE_INTEGER, ''];

/**
 * Yields the entries of the run in order. Entries of other runs of the session follow them in the list, so the page
 * size is limited to about the number of entries that the run can have.
 */
async function* journal(
  store: Store,
  agent: EntityRef,
  record: RunRecord,
  after: Position = beforeRun(record.id),
): AsyncIterable<JournalEntry> {
  const limit = Math.min(pageSize, record.steps - (record.forkedFrom?.step ?? 0) + 2);
  for await (const item of itemsOf(store, { ...journalOf(agent, record), order: 'asc', limit, after })) {
    if (item.body.runId !== record.id) return;
    yield journalEntryOf(item);
  }
}

/** A run that the caller reaches. */
export async function runById(reads: { store: Store }, caller: Caller, agent: string, id: string): Promise<RunRecord> {
  const entity = agentRef(caller, agent);
  await headOf(reads, entity);
  const run = await recordOf(reads.store, entity, id);
  if (!reaches(caller, run)) throw notFound('run', id);
  return run;
}

/** NOT_FOUND for a run that the caller does not reach. What changes the run says so of one that does not exist. */
export async function checkRunReach(
  reads: { store: Store },
  caller: Caller,
  agent: string,
  run: string,
): Promise<void> {
  if (caller.ownTasks) await runById(reads, caller, agent, run);
}

export async function recordOf(store: Store, agent: EntityRef, id: string): Promise<RunRecord> {
  const doc = await store.get(agent, 'run', id);
  if (!doc) throw notFound('run', id);
  return unpackRun(doc);
}

interface Past {
  entries: JournalEntry[];
  transcript: (readonly ToolOutcome[])[];
  asides: readonly (string | undefined)[] | undefined;
  kept: readonly (string | undefined)[] | undefined;
  humanInputs: HumanInput[];
  historyRemoved: boolean;
}

/**
 * Whether the run has been created and started at most, so that nothing is in its journal that the next step needs. The
 * lists of the journals of many runs cannot be read together, as documents can, and at a takeover most runs are new.
 */
const hasOnlyBegun = ({ steps, forkedFrom, nextSeq }: RunRecord): boolean =>
  steps === 0 && forkedFrom === null && nextSeq <= 3;

async function openEntry(store: Store, agent: EntityRef, { entryId }: RunRecord): Promise<JournalEntry[]> {
  const doc = entryId === null ? null : await store.get(agent, 'journal', entryId);
  return doc ? [journalEntryOf(doc)] : [];
}

/** Reads the steps of the run up to `upTo`, preceded by those of the run that it was forked from. */
async function past(store: Store, agent: EntityRef, record: RunRecord, upTo = Infinity): Promise<Past> {
  const { forkedFrom } = record;
  const parent = forkedFrom && (await store.get(agent, 'run', forkedFrom.runId));
  const before = parent
    ? await past(store, agent, unpackRun(parent), forkedFrom.step)
    : { transcript: [], asides: undefined, kept: undefined, humanInputs: [], historyRemoved: forkedFrom !== null }; // the run that it came from was deleted
  const entries: JournalEntry[] = hasOnlyBegun(record) ? await openEntry(store, agent, record) : [];
  if (!hasOnlyBegun(record)) for await (const entry of journal(store, agent, record)) entries.push(entry);
  return {
    entries,
    historyRemoved: before.historyRemoved || record.journalRemoved !== undefined,
    transcript: [
      ...before.transcript,
      ...entries.flatMap((e) => (e.checkpoint && e.checkpoint.step <= upTo ? [e.checkpoint.calls] : [])),
    ],
    asides: entries
      .flatMap(asidesIn)
      .reduce(
        (asides, { step, content }) => (step <= upTo ? withAside(asides, step - 1, content) : asides),
        before.asides,
      ),
    kept: entries.reduce(
      (kept, { step, kept: text }) => (text !== undefined && step <= upTo ? withKept(kept, step - 1, text) : kept),
      before.kept,
    ),
    humanInputs: [...before.humanInputs, ...entries.flatMap((e) => (e.human && e.human.step < upTo ? [e.human] : []))],
  };
}

const asidesIn = ({ events }: JournalEntry): { step: number; content: string }[] =>
  events.flatMap((event) =>
    event.type === 'thought' && event.thought.thoughtType === 'insight' ? [event.thought] : [],
  );

export async function loadRun(store: Store, agent: EntityRef, id: string): Promise<LiveRun> {
  const record = await recordOf(store, agent, id);
  const { entries, transcript, asides, kept, humanInputs, historyRemoved } = await past(store, agent, record);
  return {
    record,
    entry: entries.find((e) => e.id === record.entryId) ?? null,
    recordIsNew: false,
    entryIsNew: false,
    transcript,
    humanInputs,
    nextHuman: null,
    attempt: 0,
    stepping: false,
    reads: [],
    ...(asides && { asides }),
    ...(kept && { kept }),
    ...(historyRemoved && { historyRemoved }),
  };
}

/**
 * Loads runs in parallel, so that the runs of an agent with a hundred waiting runs, or of many agents at a takeover, do
 * not wait for one another.
 */
export async function loadRuns(store: Store, agent: EntityRef, ids: readonly string[]): Promise<Map<string, LiveRun>> {
  return new Map(
    await Promise.all(ids.map(async (id): Promise<[string, LiveRun]> => [id, await loadRun(store, agent, id)])),
  );
}

/**
 * The maximum number of paused runs that are cancelled when their agent is deleted. The event streams of any others end
 * without a final event.
 */
const pausedAtOnce = 1000;

/**
 * Loads the paused runs of an agent, at most so many; `more` if others may be left. Whoever follows one of them must
 * learn how it ends.
 */
export async function pausedRuns(
  store: Store,
  agent: EntityRef,
  most = pausedAtOnce,
): Promise<{ runs: LiveRun[]; more: boolean }> {
  const ids: string[] = [];
  for await (const { id } of itemsOf(store, {
    workspace: agent.workspace,
    entity: agent,
    collection: 'run',
    list: 'created',
    order: 'desc',
    limit: 100,
    where: { status: 'paused' },
  }))
    if (ids.push(id) === most) break;
  return { runs: [...(await loadRuns(store, agent, ids)).values()], more: ids.length === most };
}

/** Finds a checkpoint of a run by its id or its step. */
export async function checkpointOf(
  store: Store,
  agent: EntityRef,
  runId: string,
  wanted: string | number,
): Promise<Checkpoint> {
  const record = await recordOf(store, agent, runId);
  if (record.journalRemoved)
    throw new HivekeepError(
      'RUN_NOT_RESUMABLE',
      `run ${runId} cannot be forked: its journal was removed some time after it had ended`,
      { details: { status: record.status, stopReason: record.stopReason } },
    );
  for await (const { checkpoint } of journal(store, agent, record))
    if (checkpoint && (checkpoint.id === wanted || checkpoint.step === wanted)) return checkpoint;
  throw notFound(`checkpoint of run ${runId}`, String(wanted));
}

/**
 * Returns a page of the run's stored events after `seq`; `gone` is true if there is no such run. If its journal was
 * removed, only the event that reported its end is left, which the run itself has kept. Events that the run does not
 * know of yet (RunEvents.S4) are left for a later read: a store may show the journal of a commit before its run
 * (Store.P2).
 */
export async function eventsAfter(
  store: Store,
  agent: EntityRef,
  runId: string,
  seq: number,
): Promise<{ events: RunEvent[]; gone: boolean }> {
  const doc = await store.get(agent, 'run', runId);
  if (!doc) return { events: [], gone: true };
  const record = unpackRun(doc);
  const events: RunEvent[] = [];
  const wanted = (e: RunEvent): boolean => e.seq > seq && e.seq < record.nextSeq;
  if (record.journalRemoved) return { events: lastStatusOf(record).filter((e) => e.seq > seq), gone: true };
  // the record of the run shows whether there is anything new, and for frequent reads there usually is not
  if (record.nextSeq - 1 <= seq) return { events, gone: false };
  // the last entry that begins at or before the next seq may contain it
  const [first] =
    seq === 0
      ? []
      : (await store.list({ ...journalOf(agent, record), order: 'desc', limit: 1, after: [runId, seq + 1.5, ''] }))
          .items;
  const known = first?.body['runId'] === runId ? first : undefined;
  if (known) events.push(...journalEntryOf(known).events.filter(wanted));
  for await (const entry of journal(store, agent, record, known?.position)) {
    events.push(...entry.events.filter(wanted));
    if (events.length >= pageSize) break;
  }
  return { events, gone: false };
}

const lastStatusOf = ({ statusSeq: seq, statusAt: at, status, stopReason, error }: RunRecord): RunEvent[] => [
  { seq, at, type: 'status', status, stopReason, message: error?.message ?? null },
];

/** The files that only these runs hold, which are about to be deleted (Files.F2). */
export async function freedFiles(store: Store, agent: EntityRef, runs: readonly RunRecord[]): Promise<FreedFile[]> {
  const sizes = new Map(runs.flatMap(({ files = [] }) => files.map(({ sha256, size }) => [sha256, size])));
  const leaving = new Set(runs.map(({ id }) => id));
  const freed: FreedFile[] = [];
  for (const [sha256, size] of sizes) {
    const of = { workspace: agent.workspace, entity: agent, collection: 'run', list: 'file', by: sha256 } as const;
    const { items } = await store.list({ ...of, order: 'asc', limit: leaving.size + 1 });
    if (items.every(({ id }) => leaving.has(id))) freed.push({ sha256, size });
  }
  return freed;
}

/** The first entries of a run's journal, which is about to go; `whole` if these are all of them. */
export async function oldEntries(
  store: Store,
  agent: EntityRef,
  run: RunRecord,
  limit: number,
  maxBytes: number,
): Promise<{ entries: OldEntry[]; whole: boolean }> {
  if (run.journalRemoved === 'wholly') return { entries: [], whole: true };
  const page = await store.list({
    ...journalOf(agent, run),
    order: 'asc',
    limit,
    maxBytes,
    after: beforeRun(run.id),
  });
  const mine = page.items.filter(({ body }) => body['runId'] === run.id);
  const entries = mine.map((item): OldEntry => {
    const entry = journalEntryOf(item);
    return {
      id: item.id,
      bytes: sizeOf(entry),
      thoughts: entry.events.filter(({ type }) => type === 'thought').length,
      checkpoints: entry.checkpoint ? 1 : 0,
    };
  });
  return { entries, whole: mine.length < page.items.length || page.next === null };
}
