/**
 * Computes the list entries of a document or a head, from the table in collections.ts.
 *
 * Entries of an entity's own lists are in `docs` beside its documents, those of the workspace in `lists`. The list
 * 'created' of an entity is the documents themselves; that of a workspace is also the index by which a `global`
 * document is found by id alone.
 *
 * The usual partition of a list (collections.ts) has no entries: within an entity its documents are asked, and in a
 * workspace the entries of 'created' say which documents are not in it. Nor have most runs that open a session entries
 * in 'opening' and 'session' (own-sessions.ts).
 */
import type { PackedEntry, PackedRun } from '../../domain/run/stored-run.js';
import {
  type CollectionDefinition,
  type CollectionName,
  type ListDefinition,
  type SortValue,
  collections,
} from '../collections.js';
import type { DocKind, EntityKind, EntityRef, Head, IdempotencyRecord, Put, StoredDoc } from '../port.js';
import { entityPrefix, keyPart, lastPart, numberPart, readRecord, sortPart, unexpired } from '../keys.js';
import { entityCode, entityOfCode, keysUnder, opener, recordKey, unusual } from './keys.js';
import { opensOwnSession, ownLists } from './own-sessions.js';
import { isTerminal } from '../../domain/model/model.js';
import type { Beside } from './scan.js';
import { decodeHead, parseBody } from './values.js';
import type { Documents } from '../../domain/shared/documents.js';
import type { Trees } from './environment.js';

type Body = object;
export type TreeName = 'docs' | 'lists' | 'system';
export interface KeyEntry {
  tree: TreeName;
  key: string;
  value: string;
}

interface NamedList {
  name: string;
  definition: ListDefinition;
}
interface Shape {
  definition: CollectionDefinition;
  lists: readonly NamedList[];
  /** The list over the workspace that has a usual partition; there is one at most. */
  usual: ListDefinition | undefined;
}

const shapes = new Map<string, Shape>(
  (Object.entries(collections) as [string, CollectionDefinition][]).map(([name, definition]) => [
    name,
    {
      definition,
      lists: Object.entries(definition.lists).map(([list, d]) => ({ name: list, definition: d })),
      usual: Object.values(definition.lists).find((d) => d.scope === 'workspace' && d.usual !== undefined),
    },
  ]),
);

function shapeOf(collection: CollectionName): Shape {
  const shape = shapes.get(collection);
  if (!shape) throw new RangeError(`there is no collection ${collection}`);
  return shape;
}

/** The key prefix of one partition of a list, within an entity or a workspace. */
export const listPrefix = (scope: string, collection: CollectionName, list: string, by: string): string =>
  `${scope}\0${collection}:${list}\0${keyPart(by)}`;

export const docKey = (entity: string, kind: DocKind, id: string): string => `${entity}\0${kind}\0${keyPart(id)}`;
export const pointerKey = (workspace: string, kind: DocKind, id: string): string =>
  `${listPrefix(keyPart(workspace), kind, 'created', '')}\0${keyPart(id)}`;
export const lookupKey = (kind: DocKind, value: string): string => `lookup\0${kind}\0${keyPart(value)}`;

const noPartition: readonly string[] = [''];
const tail = (sort: readonly SortValue[], id: string): string => {
  let key = '';
  for (const value of sort) key += `\0${sortPart(value)}`;
  return `${key}\0${keyPart(id)}`;
};

/** The index keys of a document. */
export function docEntries(entity: EntityRef, prefix: string, kind: DocKind, id: string, body: Body): KeyEntry[] {
  const { definition, lists, usual } = shapeOf(kind);
  const entries: KeyEntry[] = [];
  const workspace = keyPart(entity.workspace);
  const code = entityCode(entity);
  const opensOwn = opensOwnSession(kind, id, body as PackedRun);
  if (definition.global)
    entries.push({
      tree: 'lists',
      key: pointerKey(entity.workspace, kind, id),
      value: (usual && !isUsual(usual, body) ? unusual : '') + (opensOwn ? opener : '') + code,
    });
  if (definition.lookup)
    entries.push({
      tree: 'system',
      key: lookupKey(kind, definition.lookup(body)),
      value: JSON.stringify([entity.workspace, code, id]),
    });
  for (const { name, definition: list } of lists) {
    if (opensOwn && ownLists.has(name)) continue;
    const end = tail(list.sort?.(body) ?? [], id);
    for (const by of list.by ? list.by(body) : noPartition) {
      if (by === list.usual) continue;
      if (list.scope !== 'workspace')
        entries.push({ tree: 'docs', key: listPrefix(prefix, kind, name, by) + end, value: '' });
      if (list.scope !== 'entity')
        entries.push({ tree: 'lists', key: listPrefix(workspace, kind, name, by) + end, value: code });
    }
  }
  return entries;
}

/** Whether a document is in the usual partition of a list. */
export const isUsual = ({ by, usual }: ListDefinition, body: Body): boolean =>
  usual !== undefined && by?.(body).includes(usual) === true;

/** Whether a document's body determines index entries, so that the old body must be read before it is replaced. */
export const hasEntries = (kind: DocKind): boolean => {
  const { definition, lists } = shapeOf(kind);
  return definition.global || definition.lookup !== undefined || lists.length > 0;
};

/**
 * The values that determine the list entries of a head, as one line of JSON: as long as it is unchanged, so are the
 * entries.
 */
export function headFacets(
  entity: EntityRef,
  head: { snapshot: Body; active: boolean; due: number | null; deleted: boolean },
): string {
  let line = `[${head.active},${head.due},`;
  if (head.deleted) return `${line}null]`;
  let before = '[';
  for (const { definition: d } of shapeOf(entity.kind).lists) {
    line += `${before}[${d.by ? JSON.stringify(d.by(head.snapshot)) : '[""]'},${d.sort ? JSON.stringify(d.sort(head.snapshot)) : '[]'}]`;
    before = ',';
  }
  return `${line}${before === '[' ? '[' : ''}]]`;
}

export const activePrefix = 'active';
export const duePrefix = 'due';
export const workspacesPrefix = 'workspace';

/** The index keys of a head, from its line of facets. */
export function headEntries(entity: EntityRef, prefix: string, facets: string): KeyEntry[] {
  const [active, due, lists] = JSON.parse(facets) as [boolean, number | null, [string[], SortValue[]][] | null];
  const entries: KeyEntry[] = [];
  if (active) entries.push({ tree: 'system', key: `${activePrefix}\0${prefix}`, value: '' });
  if (due !== null) entries.push({ tree: 'system', key: `${duePrefix}\0${numberPart(due)}\0${prefix}`, value: '' });
  if (lists === null) return entries;
  const workspace = keyPart(entity.workspace);
  const code = entityCode(entity);
  if (entity.kind === 'workspace') entries.push({ tree: 'system', key: `${workspacesPrefix}\0${prefix}`, value: '' });
  entries.push({
    tree: 'lists',
    key: `${listPrefix(workspace, entity.kind, 'created', '')}\0${keyPart(entity.id)}`,
    value: code,
  });
  shapeOf(entity.kind).lists.forEach(({ name }, i) => {
    const [partitions, sort] = lists[i] ?? [[], []];
    for (const by of partitions)
      entries.push({
        tree: 'lists',
        key: listPrefix(workspace, entity.kind, name, by) + tail(sort, entity.id),
        value: code,
      });
  });
  return entries;
}

/*
 * The journal of a run that ended in its first step is one entry. It is kept in the run's document, as a second line,
 * so that such a run is one document and its entry is in no list of its own.
 *
 *  - Readers cannot tell: the entry is read, listed, counted and exported like one with a document of
 *     its own, and in the same place of every list.
 *  - An entry is put into the run that it came with, when both are new and the run has ended. Such a run hardly
 *    changes any more, and when it does, it keeps its entry; other runs would have theirs written with each step.
 *  - Which run has an entry follows from the entry's id alone: it differs from the run's by its prefix only
 *    (domain/shared/ids.ts). Its place in the lists follows from the run's id.
 *  - An entry that is changed later gets a document of its own. A run that is deleted takes its entry
 *     along.
 *
 * The line leaves out what the run says, too.
 */

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

/* Reads by key: synchronous, from the newest committed state (Store.P4). */

export class Reader {
  constructor(private readonly trees: Trees) {}

  head<K extends EntityKind>(entity: EntityRef<K>): Head<K> | null {
    const entry = this.trees.heads.getEntry(entityPrefix(entity));
    return entry ? decodeHead(entity, entry.version ?? 0, entry.value) : null;
  }

  record(entity: EntityRef, id: string, now: number): IdempotencyRecord | null {
    const text = this.trees.docs.get(recordKey(entityPrefix(entity), id));
    return text === undefined ? null : unexpired(readRecord(id, text), now);
  }

  get<K extends DocKind>(entity: EntityRef, kind: K, id: string): StoredDoc<K> | null {
    const text = this.trees.docs.get(docKey(entityPrefix(entity), kind, id));
    return text === undefined
      ? this.inside(entity, kind, id)
      : { entity, kind, id, body: parseBody(text) as Documents[K] };
  }

  /** A document inside another. */
  private inside<K extends DocKind>(entity: EntityRef, kind: K, id: string): StoredDoc<K> | null {
    const run = runAround(kind, id);
    const text = run === null ? undefined : this.trees.docs.get(docKey(entityPrefix(entity), 'run', run));
    const entry = run === null || text === undefined ? null : entryOf(run, text);
    return entry && { entity, kind, id, body: entry.body as Documents[K] };
  }

  getMany<K extends DocKind>(entity: EntityRef, kind: K, ids: readonly string[]): (StoredDoc<K> | null)[] {
    return ids.map((id) => this.get(entity, kind, id));
  }

  find<K extends DocKind>(workspace: string, kind: K, id: string): StoredDoc<K> | null {
    const code = this.trees.lists.get(pointerKey(workspace, kind, id));
    return code === undefined ? null : this.get(entityOfCode(workspace, code), kind, id);
  }

  newest<K extends DocKind>(entity: EntityRef, kind: K, list: string, by: string): StoredDoc<K> | null {
    const { start, end } = keysUnder(listPrefix(entityPrefix(entity), kind, list, by));
    for (const key of this.trees.docs.getKeys({ start: end, end: start, reverse: true, limit: 1 }))
      return this.get(entity, kind, lastPart(key));
    return null;
  }

  lookup<K extends DocKind>(kind: K, value: string): StoredDoc<K> | null {
    const text = this.trees.system.get(lookupKey(kind, value));
    if (text === undefined) return null;
    const [workspace, code, id] = JSON.parse(text) as [string, string, string];
    return this.get(entityOfCode(workspace, code), kind, id);
  }
}
