/**
 * The journal of a run that ended in its first step is one entry. It is kept in the run's document, as a second line,
 * so that such a run is one document and its entry is in no list of its own.
 *
 *  - Readers cannot tell: the entry is read, listed, counted and exported like one with a document of
 *     its own, and in the same place of every list.
 *  - An entry is put into the run that it came with, when both are new and the run has ended. Such a run hardly
 *    changes any more, and when it does, it keeps its entry; other runs would have theirs written with each step.
 *  - Which run has an entry follows from the entry's id alone: it differs from the run's by its prefix only
 *    (domain/ids.ts). Its place in the lists follows from the run's id.
 *  - An entry that is changed later gets a document of its own. A run that is deleted takes its entry
 *     along.
 *
 * The line leaves out what the run says, too.
 */
import type { PackedEntry } from '../../domain/journal.js';
import type { PackedRun } from '../../domain/stored-run.js';
import { isTerminal } from '../../domain/model.js';
import type { DocKind, Put } from '../port.js';
import { docKey, listPrefix } from './entries.js';
import { keyPart, numberPart } from '../keys.js';
import type { Beside } from './scan.js';
import { parseBody } from './values.js';

type Body = object;
const entryPrefix = 'ckpt_';
const runPrefix = 'run_';
/** Sorts after everything that begins with `runPrefix`. */
const afterRuns = 'run`';
/** The number of the first event of such an entry. */
const firstSeq = 1;

/** The run whose document may have this document inside. */
export const runAround = (kind: DocKind, id: string): string | null =>
  kind === 'journal' && id.startsWith(entryPrefix) ? runPrefix + id.slice(entryPrefix.length) : null;

const entryIn = (run: string): string => entryPrefix + run.slice(runPrefix.length);

/** Of the puts of a commit the entries that go into their runs, by the id of the run. */
export function firstEntries(puts: readonly Put[]): ReadonlyMap<string, Put> | null {
  let found: Map<string, Put> | null = null;
  for (const entry of puts) {
    const run = entry.isNew ? runAround(entry.kind, entry.id) : null;
    if (run === null || isPutAgain(entry, puts)) continue;
    const around = puts.find(({ kind, id }) => kind === 'run' && id === run);
    if (
      around?.isNew &&
      isTerminal((around.body as PackedRun).status) &&
      fits(entry.body as PackedEntry, run, around.body as PackedRun)
    )
      (found ??= new Map<string, Put>()).set(run, entry);
  }
  return found;
}

const isPutAgain = (entry: Put, puts: readonly Put[]): boolean =>
  puts.some((other) => other !== entry && other.kind === entry.kind && other.id === entry.id);

const fits = (entry: PackedEntry, id: string, run: PackedRun): boolean =>
  entry.runId === id &&
  typeof run.sessionId === 'string' &&
  entry.sessionId === run.sessionId &&
  typeof run.created_at === 'string' &&
  entry.created_at === run.created_at &&
  entry.firstSeq === firstSeq;

/** The entry's line. What is left out never changes in a run. */
export function entryLine({ body }: Put): string {
  const { runId: _run, sessionId: _session, created_at: _at, firstSeq: _first, ...rest } = body as PackedEntry;
  return `\n${JSON.stringify(rest)}`;
}

/** The line of the entry in a stored run, with its line break; empty if there is none. */
export function lineIn(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? '' : text.slice(end);
}

/** The entry in a stored run, or null. */
export function entryOf(run: string, text: string): { id: string; body: Body; bytes: number } | null {
  const line = lineIn(text);
  if (line === '') return null;
  const { sessionId, created_at } = parseBody(text) as PackedRun;
  const rest = JSON.parse(line) as Body;
  return {
    id: entryIn(run),
    body: { runId: run, sessionId, created_at, firstSeq, ...rest },
    bytes: Buffer.byteLength(line),
  };
}

/** How the documents of an agent's runs are walked beside its journal, in the order of the list 'created'. */
export function besideCreated(entity: string): Beside {
  const entries = `${entity}\0journal\0${entryPrefix}`;
  const runs = docKey(entity, 'run', runPrefix);
  const end = docKey(entity, 'run', afterRuns);
  const bound = (key: string): string =>
    key.startsWith(entries) ? runs + key.slice(entries.length) : key < entries ? runs : end;
  return {
    within: (range) => ({ ...range, start: bound(range.start), end: bound(range.end) }),
    place: (key) => entries + key.slice(runs.length),
  };
}

/** The key of a journal's list 'session' that the entry in a run would have. */
export const placeInSession = (entity: string, session: string, run: string): string =>
  `${listPrefix(entity, 'journal', 'session', session)}\0${keyPart(run)}\0${numberPart(firstSeq)}\0${keyPart(entryIn(run))}`;

/** How the runs of a session are walked beside its journal, in the order of the list 'session'. */
export function besideSession(entity: string, session: string): Beside {
  const entries = `${listPrefix(entity, 'journal', 'session', session)}\0`;
  const runs = `${listPrefix(entity, 'run', 'session', session)}\0`;
  const end = `${listPrefix(entity, 'run', 'session', session)}\x01`;
  const runOf = (key: string): string => key.slice(entries.length).split('\0', 1)[0] ?? '';
  const first = numberPart(firstSeq);
  return {
    // a bound within the entries of a run takes in the run, and whoever walks compares places
    within: (range) => ({
      ...range,
      start: range.start.startsWith(entries) ? runs + runOf(range.start) : runs,
      end: range.end.startsWith(entries) ? `${runs}${runOf(range.end)}\0` : end,
    }),
    place: (key) => {
      const run = key.slice(runs.length);
      return `${entries}${run}\0${first}\0${entryIn(run)}`;
    },
  };
}
