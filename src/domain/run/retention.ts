/**
 * Removes the journals of runs that ended long ago: their events, thoughts and checkpoints. The run itself stays, with
 * its input and its result.
 *
 *  - A journal is removed only after its run has ended, or last changed, longer ago than the retention period, and
 *    never while a fork of the run may still continue from it.
 *  Retention.D2 A run says that its journal is incomplete (`journalRemoved`) from the commit that removes the first
 *     part of it. It can then neither be resumed nor forked, so no run continues from half a history.
 *  - One decision removes a bounded number of documents. The agent remembers how far it has come, in the order in
 *    which its runs last changed. It looks at an earlier run again only when the journal of its last fork is gone.
 *  Retention.D4 A run is deleted only after it has ended and while no fork may still continue from its journal; its
 *     journal goes first, so a deletion that was cut short can be repeated.
 */
import type { JournalRetention } from '../shared/snapshots.js';
import type { AgentDraft } from '../agent/agent-draft.js';
import type { RunRecord } from '../agent/agent-state.js';
import { withoutSession } from './conversation.js';
import { conflict } from '../shared/errors.js';
import { dropFiles, type FreedFile } from './conversation.js';
import { isTerminal } from '../model/model.js';
import { runSize } from './stored-run.js';

export const noRetention: JournalRetention = { after: null, due: null, again: [] };

/** A journal document that is removed, with what the agent's counts have to lose. */
export interface OldEntry {
  id: string;
  bytes: number;
  thoughts: number;
  checkpoints: number;
}

/** A run whose journal is being removed, and the part of it that is removed now. */
export interface OldJournal {
  run: RunRecord;
  entries: readonly OldEntry[];
  /** Whether nothing is left of the journal after that. */
  done: boolean;
  /** The run that it was forked from, if `done`. */
  parent: RunRecord | null;
}

/** A run that is being deleted, with a part of its journal. */
export interface DeletedRun {
  journal: OldJournal;
  /** The next run of the session that it opened, if there is one. */
  heir: RunRecord | null;
  /** Its files that no other run holds; none while a part of the journal is left. */
  files: readonly FreedFile[];
}

/** What one turn removes, and where the next one begins. */
export interface OldJournals {
  journals: readonly OldJournal[];
  next: JournalRetention;
}

/** Journals are removed later than they could be, by this share of the retention period, so that many go at a time. */
const slack = 1 / 720;

/** When the journal of a run that last changed at `ms` is to be removed; null if journals are kept for ever. */
export const journalDue = (ms: number, journalMs = 0): number | null =>
  journalMs > 0 ? Math.ceil(ms + journalMs * (1 + slack)) : null;

/** Call this when a run ends: its journal is to be removed one day. */
export function noteEndedRun(d: AgentDraft): void {
  const retention = d.agent.journals ?? noRetention;
  if (retention.due !== null) return;
  const due = journalDue(d.timeMs, d.env.defaults.journalMs);
  if (due !== null) d.agent.journals = { ...retention, due };
}

/** Whether the run's journal may be removed, once it is old enough. */
export const isRemovable = (run: RunRecord): boolean => isTerminal(run.status) && (run.forks ?? 0) === 0;

export function removeJournals(
  d: AgentDraft,
  { journals, next }: OldJournals,
  deleted?: Pick<DeletedRun, 'heir' | 'files'>,
): void {
  const runs = new Map<string, RunRecord>();
  const again = new Set(next.again);
  const change = (run: RunRecord, changes: Partial<RunRecord>): void => {
    const before = runs.get(run.id) ?? run;
    const after = { ...before, ...changes };
    runs.set(run.id, after);
    d.putRun(after, before);
  };
  for (const { run, entries, done, parent } of journals) {
    const journalRemoved = done ? 'wholly' : 'partly';
    if (done && deleted) {
      dropRun(d, run, deleted.heir);
      dropFiles(d, deleted.files);
    } else if (run.journalRemoved !== journalRemoved) change(run, { journalRemoved });
    for (const { id, bytes, thoughts, checkpoints } of entries) {
      d.remove('journal', id, bytes);
      d.count({ thoughts: -thoughts, checkpoints: -checkpoints });
    }
    if (!done) continue;
    again.delete(run.id);
    if (parent && !d.hasRun(parent.id)) {
      const known = runs.get(parent.id) ?? parent;
      const forks = Math.max(0, (known.forks ?? 1) - 1);
      change(parent, { forks });
      if (forks === 0 && isTerminal(known.status) && !known.journalRemoved) again.add(parent.id);
    } else if (parent) {
      const live = d.editRun(parent.id);
      live.record.forks = Math.max(0, (live.record.forks ?? 1) - 1);
    }
  }
  d.agent.journals = { ...next, again: [...again], due: again.size > 0 ? d.timeMs : next.due };
}

/** Deletes a run whose journal is gone. `heir` is the run that opens its session from now on. */
function dropRun(d: AgentDraft, run: RunRecord, heir: RunRecord | null): void {
  d.remove('run', run.id, runSize(run));
  d.count({ runs: -1 });
  d.sessions = withoutSession(d.sessions, run.sessionId);
  if (heir) changeRun(d, heir, { opens: true });
  if (run.turns) d.effects.push({ type: 'unindex', kind: 'run', id: run.id });
  d.announce('run.deleted', { run_id: run.id, agent_id: run.agent_id });
}

/** Changes a run as stored, or as it is in memory. */
function changeRun(d: AgentDraft, run: RunRecord, changes: Partial<RunRecord>): void {
  if (d.hasRun(run.id)) Object.assign(d.editRun(run.id).record, changes);
  else d.putRun({ ...run, ...changes }, run);
}

/** Retention.D4. Removes a part of the run's journal, and the run with the last part. Returns whether that was all. */
export function deleteRunPart(d: AgentDraft, deleted: DeletedRun): boolean {
  const { journal } = deleted;
  const { id, status, forks = 0 } = journal.run;
  if (!isTerminal(status)) throw conflict(`run ${id} is ${status}: cancel it first`);
  if (forks > 0)
    throw conflict(`${forks} of its forks may still continue from the journal of run ${id}: delete them first`);
  removeJournals(d, { journals: [journal], next: d.agent.journals ?? noRetention }, deleted);
  return journal.done;
}

/** A fork continues from the journal of this run, which therefore has to stay. */
export function noteFork(d: AgentDraft, run: RunRecord): void {
  const { forks = 0 } = d.hasRun(run.id) ? d.editRun(run.id).record : run;
  changeRun(d, run, { forks: forks + 1 });
}
