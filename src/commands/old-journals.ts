/**
 * Reads what a turn of the journal retention removes (src/domain/run/retention.ts): a bounded part of what is old enough.
 */
import type { JournalRetention } from '../domain/shared/snapshots.js';
import type { AgentState, RunRecord } from '../domain/agent/agent-state.js';
import {
  type DeletedRun,
  isRemovable,
  journalDue,
  noRetention,
  type OldJournal,
  type OldJournals,
} from '../domain/run/retention.js';
import { unpackRun } from '../domain/run/stored-run.js';
import type { EntityRef, Store } from '../store/port.js';
import { freedFiles, oldEntries } from './run-reads.js';

/** A turn looks at this many runs, and removes this many documents or a page that holds this many bytes. */
const mostRuns = 50;
const mostEntries = 200;
const mostBytes = 4 * 1024 * 1024;

/** Null if journals are kept for ever, or if none of this agent's is due. */
export async function oldJournals(
  store: Store,
  agent: EntityRef,
  state: AgentState,
  { now, journalMs }: { now: number; journalMs: number },
): Promise<OldJournals | null> {
  const before = state.agent.journals ?? noRetention;
  if (before.due === null || before.due > now) return null;
  if (journalMs <= 0) return { journals: [], next: { ...before, due: null } };
  const turn = new Turn(store, agent);
  for (const run of await runsById(store, agent, before.again))
    if (!(await turn.remove(run))) return { journals: turn.journals, next: { ...before, due: now } };
  const page = await store.list({
    workspace: agent.workspace,
    entity: agent,
    collection: 'run',
    list: 'updated',
    order: 'asc',
    limit: mostRuns,
    maxBytes: mostBytes,
    ...(before.after && { after: before.after }),
  });
  let next: JournalRetention = { ...before, due: page.next ? now : null };
  for (const item of page.items) {
    const run = unpackRun(item);
    const changed = Date.parse(run.updated_at);
    if (changed + journalMs > now)
      return { journals: turn.journals, next: { ...next, due: journalDue(changed, journalMs) } };
    if (!(await turn.remove(run))) return { journals: turn.journals, next: { ...next, due: now } };
    next = { ...next, after: item.position };
  }
  return { journals: turn.journals, next };
}

async function runsById(store: Store, agent: EntityRef, ids: readonly string[]): Promise<RunRecord[]> {
  return (await store.getMany(agent, 'run', ids)).flatMap((doc) => (doc ? [unpackRun(doc)] : []));
}

/** What a deletion of the run removes next: the rest of its journal, or a bounded part of it. */
export async function deletedRun(store: Store, agent: EntityRef, run: RunRecord): Promise<DeletedRun> {
  const journal =
    run.journalRemoved === 'wholly'
      ? { run, entries: [], done: true, parent: null }
      : await new Turn(store, agent).part(run);
  if (!journal.done) return { journal, heir: null, files: [] };
  const files = await freedFiles(store, agent, [run]);
  if (!run.opens) return { journal, heir: null, files };
  const { items } = await store.list({
    workspace: agent.workspace,
    entity: agent,
    collection: 'run',
    list: 'session',
    by: run.sessionId,
    order: 'asc',
    limit: 1,
    after: [run.id],
  });
  const [heir] = items;
  return { journal, heir: heir ? unpackRun(heir) : null, files };
}

class Turn {
  readonly journals: OldJournal[] = [];
  private left = mostEntries;
  private bytesLeft = mostBytes;

  constructor(
    private readonly store: Store,
    private readonly agent: EntityRef,
  ) {}

  /** Adds what may be removed of this run's journal. Returns false if that is not all of it. */
  async remove(run: RunRecord): Promise<boolean> {
    if (run.journalRemoved === 'wholly' || !isRemovable(run)) return true;
    if (this.left <= 0 || this.bytesLeft <= 0) return false;
    const journal = await this.part(run);
    this.journals.push(journal);
    return journal.done;
  }

  /** As much of the run's journal as this turn may still remove. */
  async part(run: RunRecord): Promise<OldJournal> {
    const { entries, whole: done } = await oldEntries(this.store, this.agent, run, this.left, this.bytesLeft);
    this.left -= entries.length;
    for (const { bytes } of entries) this.bytesLeft -= bytes;
    const parent = done && run.forkedFrom ? await this.parentOf(run.forkedFrom.runId) : null;
    return { run, entries, done, parent };
  }

  private async parentOf(id: string): Promise<RunRecord | null> {
    return (await runsById(this.store, this.agent, [id]))[0] ?? null;
  }
}
