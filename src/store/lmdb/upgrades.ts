/**
 * The version of the stored layout, and the steps that bring the data of an earlier version to it.
 *
 *  LmdbUpgrades.V1 The server upgrades a directory before it serves, while it holds the lock; nobody else writes
 *     meanwhile. A process beside a server never upgrades.
 *  LmdbUpgrades.V2 A step can be interrupted anywhere and repeated: it works in transactions of `batch` documents, each
 *     of which leaves data that the step still understands, and the version is written after the last.
 *  LmdbUpgrades.V3 Data of a newer version is refused, and nothing in it is changed.
 *
 * A step says what version n wrote and must not change when the code that writes today does: it may use only functions
 * whose result is part of version n + 1.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { JournalEntry, RunRecord } from '../../domain/agent-state.js';
import { packEntry } from '../../domain/journal.js';
import { StoreError } from '../port.js';
import { docEntries, headEntries, headFacets, listPrefix, type Entry } from './entries.js';
import type { Tree, Trees } from './environment.js';
import { entityOfKey, keyPart, lastPart, numberPart } from './keys.js';
import { goneEntry } from './tombstones.js';
import { decodeHead, headLines, parseBody } from './values.js';

/** The version of the keys and values in the four trees. */
export const schemaVersion = 7;
const schemaKey = 'schema';
/** A transaction keeps its changes in memory until it is committed. */
const batch = 1000;

type Visit = (trees: Trees, key: string) => void;
type Step = Partial<Record<'heads' | 'docs', Visit>>;

/**
 * By the version that each starts from: what is done with every key of the trees. Version 4 stored all fields of runs,
 * which are read as they are (domain/stored-run.ts), and version 5 no journal entry inside a run, which need not be.
 * Version 6 neither compressed values nor left entries of 'opening' out; both are read as before.
 */
const steps: ReadonlyMap<number, Step> = new Map<number, Step>([
  [1, { docs: packJournal }],
  [2, { heads: listHead, docs: listRun }],
  [3, { docs: listSession }],
  [5, { heads: noteDeleted, docs: unlistUsual }],
]);

/** The version of the data; that of this code if the store is new. Rejects newer data (LmdbUpgrades.V3). */
export function readSchema({ root, system }: Trees, dir: string): number {
  const version = root.transactionSync(() => {
    const text = system.get(schemaKey);
    if (text !== undefined) return Number(text);
    void system.put(schemaKey, String(schemaVersion));
    return schemaVersion;
  });
  if (version >= 1 && version <= schemaVersion) return version;
  throw newerData(dir, version);
}

export const newerData = (dir: string, version: number): StoreError =>
  new StoreError(
    'newer-schema',
    `The data in ${dir} was written by a newer version of hivekeep (its schema is ${version}, this version knows ${schemaVersion}). Start that version, or name another directory with HIVEKEEP_DATA_DIR.`,
  );

/** For processes beside a server, which cannot read data of another version. */
export const olderData = (dir: string, version: number): StoreError =>
  new StoreError(
    'older-schema',
    `The data in ${dir} was written by an older version of hivekeep (its schema is ${version}, this version's is ${schemaVersion}). Start the service of this version on it, which upgrades it, and then run this command again.`,
  );

/** Brings the data to this version (LmdbUpgrades.V1, V2). `pace` is called after each transaction. */
export async function upgrade(trees: Trees, from: number, pace: () => Promise<unknown> = () => turn()): Promise<void> {
  for (let version = from; version < schemaVersion; version++) {
    for (const tree of ['heads', 'docs'] as const) {
      const visit = steps.get(version)?.[tree];
      if (visit) await walk(trees, trees[tree], visit, pace);
    }
    trees.root.transactionSync(() => {
      void trees.system.put(schemaKey, String(version + 1));
    });
  }
}

async function walk(trees: Trees, tree: Tree, visit: Visit, pace: () => Promise<unknown>): Promise<void> {
  for (let start: string | null = '\x01'; start !== null; await pace()) {
    const from: string = start;
    start = trees.root.transactionSync(() => {
      const keys = [...tree.getKeys({ start: from, limit: batch })];
      for (const key of keys) visit(trees, key);
      const last = keys.at(-1);
      return keys.length < batch || last === undefined ? null : `${last}\0`;
    });
  }
}

/**
 * Version 1 began with journal entries as the API shows them and with two lists, by run and by session. Later they were
 * stored packed, and one list by session, run and position serves both. Directories of version 1 hold either form.
 */
function packJournal({ docs }: Trees, key: string): void {
  const [workspace = '', kind = '', entity = '', collection = '', id = ''] = key.split('\0');
  if (collection !== 'journal') return;
  const body = parseBody(docs.get(key) ?? '{}');
  const prefix = [workspace, kind, entity].join('\0');
  const { runId, sessionId, firstSeq } = body as Pick<JournalEntry, 'runId' | 'sessionId' | 'firstSeq'>;
  void docs.remove(`${listPrefix(prefix, 'journal', 'run', runId)}\0${numberPart(firstSeq)}\0${id}`);
  void docs.remove(`${listPrefix(prefix, 'journal', 'session', sessionId)}\0${id}`);
  const packed = 'agent_id' in body ? { ...packEntry(body as unknown as JournalEntry) } : body;
  if (packed !== body) void docs.put(key, JSON.stringify(packed));
  for (const entry of docEntries(entityOfKey(prefix), prefix, 'journal', unescaped(id), packed))
    void docs.put(entry.key, entry.value);
}

/** Ids of journal entries are made by the service and hold no character that keys escape. */
function unescaped(id: string): string {
  if (keyPart(id) !== id) throw new RangeError(`the journal entry ${JSON.stringify(id)} is not one of hivekeep's`);
  return id;
}

/** Version 2 listed agents neither by name, but for equal ones, nor by status. */
function listHead(trees: Trees, key: string): void {
  const { value: text = '', version = 0 } = trees.heads.getEntry(key) ?? {};
  const entity = entityOfKey(key);
  const facets = headFacets(entity, decodeHead(entity, version, text));
  const before = headLines(text).facets;
  if (facets === before) return;
  void trees.heads.put(key, facets + text.slice(before.length), version);
  add(trees, headEntries(entity, key, facets));
}

/** Version 2 listed runs only within their agent. */
function listRun(trees: Trees, key: string): void {
  const [workspace = '', kind = '', agent = '', collection] = key.split('\0');
  if (collection !== 'run') return;
  const prefix = [workspace, kind, agent].join('\0');
  add(trees, docEntries(entityOfKey(prefix), prefix, 'run', lastPart(key), parseBody(trees.docs.get(key) ?? '{}')));
}

/**
 * Version 3 did not list runs by session, nor sessions. Keys come in the order of creation within an agent, so the
 * first run of a session is the one before which its list is empty, or which is the first of it if the step is
 * repeated.
 */
function listSession(trees: Trees, key: string): void {
  const [workspace = '', kind = '', agent = '', collection, id = ''] = key.split('\0');
  if (collection !== 'run') return;
  const prefix = [workspace, kind, agent].join('\0');
  const body = parseBody(trees.docs.get(key) ?? '{}') as Partial<RunRecord>;
  const list = `${listPrefix(prefix, 'run', 'session', body.sessionId ?? '')}\0`;
  const [first] = [...trees.docs.getKeys({ start: list, end: `${list}\uffff`, limit: 1 })];
  const opens = body.triggeredBy !== 'message' && (first === undefined || first === list + id);
  const listed: Record<string, unknown> = opens ? { ...body, opens: true } : body;
  if (opens) void trees.docs.put(key, JSON.stringify(listed));
  add(trees, docEntries(entityOfKey(prefix), prefix, 'run', lastPart(key), listed));
}

/** Version 5 kept the heads of deleted entities for good, and did not note when they may go. */
function noteDeleted(trees: Trees, key: string): void {
  const { value: text = '', version = 0 } = trees.heads.getEntry(key) ?? {};
  const { deleted, active } = decodeHead(entityOfKey(key), version, text);
  if (!deleted || active) return;
  const noted = goneEntry(0, key);
  void trees.system.put(noted.key, noted.value ?? '');
}

/** Version 5 had list entries for completed runs and for those with turns, and did not mark the others. */
function unlistUsual(trees: Trees, key: string): void {
  const [workspace = '', kind = '', agent = '', collection, id = ''] = key.split('\0');
  if (collection !== 'run') return;
  const prefix = [workspace, kind, agent].join('\0');
  void trees.docs.remove(`${listPrefix(prefix, 'run', 'recalled', 'yes')}\0${id}`);
  void trees.lists.remove(`${listPrefix(workspace, 'run', 'status', 'completed')}\0${id}`);
  const { status } = parseBody(trees.docs.get(key) ?? '{}');
  const created = `${listPrefix(workspace, 'run', 'created', '')}\0${id}`;
  const code = trees.lists.get(created);
  if (code !== undefined && status !== 'completed' && !code.startsWith('\x01'))
    void trees.lists.put(created, `\x01${code}`);
}

function add(trees: Trees, entries: readonly Entry[]): void {
  for (const { tree, key, value } of entries) void trees[tree].put(key, value);
}
