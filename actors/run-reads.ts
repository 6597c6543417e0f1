/** Runs and their journals from the store: what a run's next step needs to know of the earlier ones. */
import type { HumanInput, JournalEntry, LiveRun, RunRecord } from '../src/domain/agent-state.js';
import { notFound } from '../src/domain/errors.js';
import { type PackedEntry, unpackEntry } from '../src/domain/journal.js';
import type { Checkpoint, RunEvent, ToolOutcome } from '../src/domain/model.js';
import type { EntityRef, Listed, Page, Position, Store } from '../src/store/port.js';

const pageSize = 100;

export const entryOf = ({ id, entity, body }: Pick<Listed, 'id' | 'entity' | 'body'>): JournalEntry => unpackEntry(id, entity.id, body as unknown as PackedEntry);

async function* journal(store: Store, agent: EntityRef, runId: string, after?: Position): AsyncIterable<JournalEntry> {
  for (let from = after; ;) {
    const page: Page = await store.list({ workspace: agent.workspace, entity: agent, collection: 'journal', list: 'run', by: runId, order: 'asc', limit: pageSize, ...(from && { after: from }) });
    for (const item of page.items) yield entryOf(item);
    if (!page.next) return;
    from = page.next;
  }
}

export async function recordOf(store: Store, agent: EntityRef, id: string): Promise<RunRecord> {
  const doc = await store.get(agent, 'run', id);
  if (!doc) throw notFound('run', id);
  return doc.body as unknown as RunRecord;
}

interface Past { entries: JournalEntry[]; transcript: (readonly ToolOutcome[])[]; humanInputs: HumanInput[] }

/** The run's steps up to `upTo`, and before them those of the run that it was forked from. */
async function past(store: Store, agent: EntityRef, record: RunRecord, upTo = Infinity): Promise<Past> {
  const { forkedFrom } = record, before = forkedFrom ? await past(store, agent, await recordOf(store, agent, forkedFrom.runId), forkedFrom.step) : { transcript: [], humanInputs: [] };
  const entries: JournalEntry[] = [];
  for await (const entry of journal(store, agent, record.id)) entries.push(entry);
  return {
    entries,
    transcript: [...before.transcript, ...entries.flatMap((e) => (e.checkpoint && e.checkpoint.step <= upTo ? [e.checkpoint.calls] : []))],
    humanInputs: [...before.humanInputs, ...entries.flatMap((e) => (e.human && e.human.step < upTo ? [e.human] : []))],
  };
}

export async function loadRun(store: Store, agent: EntityRef, id: string): Promise<LiveRun> {
  const record = await recordOf(store, agent, id), { entries, transcript, humanInputs } = await past(store, agent, record);
  return { record, entry: entries.find((e) => e.id === record.entryId) ?? null, recordIsNew: false, entryIsNew: false, transcript, humanInputs, nextHuman: null, attempt: 0, stepping: false };
}

export async function loadRuns(store: Store, agent: EntityRef, ids: readonly string[]): Promise<Map<string, LiveRun>> {
  const runs = new Map<string, LiveRun>();
  for (const id of ids) runs.set(id, await loadRun(store, agent, id));
  return runs;
}

/** By id, or by step. */
export async function checkpointOf(store: Store, agent: EntityRef, runId: string, wanted: string | number): Promise<Checkpoint> {
  for await (const { checkpoint } of journal(store, agent, runId)) if (checkpoint && (checkpoint.id === wanted || checkpoint.step === wanted)) return checkpoint;
  throw notFound(`checkpoint of run ${runId}`, String(wanted));
}

/** A page of the run's stored events after `seq`; `gone` when there is no such run. */
export async function eventsAfter(store: Store, agent: EntityRef, runId: string, seq: number): Promise<{ events: RunEvent[]; gone: boolean }> {
  if (!(await store.get(agent, 'run', runId))) return { events: [], gone: true };
  const query = { workspace: agent.workspace, entity: agent, collection: 'journal', list: 'run', by: runId } as const;
  // the last entry that begins at or before the next seq may hold it
  const first = seq === 0 ? undefined : (await store.list({ ...query, order: 'desc', limit: 1, after: [seq + 1.5, ''] })).items[0];
  const events: RunEvent[] = [], add = (entry: JournalEntry): void => { for (const e of entry.events) if (e.seq > seq) events.push(e); };
  if (first) add(entryOf(first));
  const rest = await store.list({ ...query, order: 'asc', limit: pageSize, ...(first && { after: first.position }) });
  for (const item of rest.items) add(entryOf(item));
  return { events, gone: false };
}
