/**
 * Plans the single write for a commit: the head, its documents, and the list entries that change.
 *
 *  - The list entries to remove are computed from the stored head and documents, which are read here, and not
 *     from the caller's view. The write is conditional on the seq that was read, so they are still current when it
 *     takes effect (an entity has one commit at a time).
 *  - Several changes of one document in one commit take effect in order, puts before deletes.
 *
 * Throws before anything is written if a body is not JSON or a key is too long.
 */
import { checkKey, entityPrefix, keyPart, numberPart, recordText } from '../keys.js';
import type { Commit, EntityRef, IdempotencyRecord, Put } from '../port.js';
import {
  type KeyEntry,
  docEntries,
  docKey,
  entryLine,
  firstEntries,
  hasEntries,
  headEntries,
  headFacets,
  lineIn,
  runAround,
} from './entries.js';
import type { Trees } from './environment.js';
import { encodeHead, headLines, parseBody, parseCounts } from './values.js';
import { imageNote } from './kept-images.js';
import { recordKey, expiryPrefix } from './keys.js';
import { goneEntry } from './tombstones.js';
import type { KeyWrite, Write } from './write.js';

/** Documents already changed by this commit: the new text, or null if deleted. */
type Staged = Map<string, string | null>;

/** Returns null if the stored head is not the one that the commit is based on. */
export function plan(commit: Commit, trees: Pick<Trees, 'heads' | 'docs' | 'system'>, now: number): Write | null {
  if (!Number.isSafeInteger(commit.seq) || commit.seq < 1)
    throw new RangeError(`the first commit of an entity has seq 1, not ${commit.seq}`);
  const prefix = entityPrefix(commit.entity);
  const key = checkKey(prefix);
  const old = trees.heads.getEntry(key);
  if ((old?.version ?? 0) !== commit.seq - 1) return null;

  const before = old ? headLines(old.value) : null;
  const facets = headFacets(commit.entity, commit);
  const counts = JSON.stringify(commit.counts);
  const operations: KeyWrite[] = [];
  if (before?.facets !== facets) {
    change(
      operations,
      before ? headEntries(commit.entity, prefix, before.facets) : [],
      headEntries(commit.entity, prefix, facets),
    );
  }
  documents(operations, commit, prefix, trees.docs);
  for (const record of commit.records) operations.push(...recordOperations(prefix, record));
  const notes = imageNote(commit, prefix, trees.system);
  operations.push(...notes.operations);
  if (commit.deleted && !commit.active) operations.push(goneEntry(now, prefix));
  const delta = before?.counts === counts ? null : difference(commit.counts, before ? parseCounts(before.counts) : {});
  return {
    key,
    expected: commit.seq - 1,
    operations,
    head: { seq: commit.seq, text: encodeHead(facets, counts, commit) },
    ...(notes.outdated && { outdatesImage: true }),
    ...(delta && { counts: { workspace: commit.entity.workspace, delta } }),
  };
}

/** What is written for a record of the entity with this prefix. */
export function recordOperations(prefix: string, record: IdempotencyRecord): KeyWrite[] {
  const operations: KeyWrite[] = [];
  add(operations, 'docs', recordKey(prefix, record.id), recordText(record));
  add(operations, 'system', `${expiryPrefix}\0${numberPart(record.expiresAt)}\0${prefix}\0${keyPart(record.id)}`, '');
  return operations;
}

function documents(operations: KeyWrite[], commit: Commit, prefix: string, docs: Trees['docs']): void {
  const { entity, puts, deletes } = commit;
  const inside = firstEntries(puts);
  const staged: Staged | null = puts.length + deletes.length > 1 ? new Map() : null;
  const stored = (key: string): string | null => {
    const here = staged?.get(key);
    return here === undefined ? (docs.get(key) ?? null) : here;
  };
  const write = (key: string, text: string): void => {
    add(operations, 'docs', key, text);
    staged?.set(key, text);
  };
  /** Removes the entry from a run's document, if it is there. */
  const takeOut = (key: string): void => {
    const run = stored(key);
    const line = run === null ? '' : lineIn(run);
    if (run !== null && line !== '') write(key, run.slice(0, -line.length));
  };
  for (const put of puts) {
    const { kind, id, body, isNew } = put;
    const run = runAround(kind, id);
    if (run !== null && inside?.has(run)) continue; // written with its run
    const key = docKey(prefix, kind, id);
    const old = isNew && !staged?.has(key) ? null : hasEntries(kind) ? stored(key) : null;
    if (run !== null && !isNew && old === null) takeOut(docKey(prefix, 'run', run)); // it gets a document of its own
    const entry = kind === 'run' ? inside?.get(id) : undefined;
    write(key, JSON.stringify(body) + (entry ? entryLine(entry) : old === null ? '' : lineIn(old)));
    change(operations, entriesOf(entity, prefix, put, old), docEntries(entity, prefix, kind, id, body));
  }
  for (const gone of deletes) {
    const { kind, id } = gone;
    const key = docKey(prefix, kind, id);
    const old = stored(key);
    const run = runAround(kind, id);
    if (run !== null && old === null) takeOut(docKey(prefix, 'run', run));
    if (old === null) continue;
    operations.push({ tree: 'docs', key, value: null });
    change(operations, entriesOf(entity, prefix, gone, old), []);
    staged?.set(key, null);
  }
}

const entriesOf = (entity: EntityRef, prefix: string, { kind, id }: Pick<Put, 'kind' | 'id'>, text: string | null) =>
  text === null ? [] : docEntries(entity, prefix, kind, id, parseBody(text));

function add(operations: KeyWrite[], tree: KeyWrite['tree'], key: string, value: string): void {
  operations.push({ tree, key: checkKey(key), value });
}

/** The operations that turn old entries into new ones; unchanged entries are not written again. */
function change(operations: KeyWrite[], old: readonly KeyEntry[], now: readonly KeyEntry[]): void {
  for (const entry of old) {
    if (!now.some((e) => e.key === entry.key && e.tree === entry.tree))
      operations.push({ tree: entry.tree, key: entry.key, value: null });
  }
  for (const entry of now) {
    if (!old.some((e) => e.key === entry.key && e.tree === entry.tree && e.value === entry.value))
      add(operations, entry.tree, entry.key, entry.value);
  }
}

function difference(
  now: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Record<string, number> | null {
  const delta: Record<string, number> = {};
  let changed = false;
  for (const name in now) {
    const by = (now[name] ?? 0) - (before[name] ?? 0);
    if (by !== 0) {
      delta[name] = by;
      changed = true;
    }
  }
  for (const name in before) {
    if (!(name in now) && before[name]) {
      delta[name] = -before[name];
      changed = true;
    }
  }
  return changed ? delta : null;
}
