/**
 * The indexes, derived from collections.ts. Each list has one: it begins with the shard key (workspace, entity) if the
 * list belongs to an entity, and with the workspace if the list belongs to a workspace. The only unique indexes are
 * those on `_id`, which contains workspace and entity, so that uniqueness also holds on a sharded cluster.
 */
import type { Db, IndexDescription } from 'mongodb';
import type { CollectionName } from '../collections.js';
import { docKinds, shapeOf } from '../list-query.js';
import { recordCollection, headCollection, partitionField } from './documents.js';
import { imageCollection } from './kept-images.js';
import { processCollection } from './processes.js';
import { recalledKinds } from '../port.js';

const day = 24 * 3600;
const exists = (field: string): { partialFilterExpression: Record<string, unknown> } => ({
  partialFilterExpression: { [field]: { $exists: true } },
});

const named = (
  key: Record<string, 1>,
  more: Omit<IndexDescription, 'key' | 'name'> = {},
): IndexDescription & { name: string } => ({ key, name: Object.keys(key).join('_'), ...more });

/** The indexes for the lists of a collection; each begins with the fields of its scope. */
function listIndexes(
  collection: CollectionName,
  scopes: { entity: Record<string, 1>; workspace: Record<string, 1> },
): IndexDescription[] {
  return Object.entries(shapeOf(collection).lists).flatMap(([name, definition]) => {
    const { scope, by, sort } = definition;
    const partition = by && partitionField(name, definition);
    const tail: Record<string, 1> = { ...(partition && { [partition]: 1 as const }), [sort ? `k.${name}` : 'i']: 1 };
    return [...(scope === 'workspace' ? [] : [scopes.entity]), ...(scope === 'entity' ? [] : [scopes.workspace])].map(
      (first) => named({ ...first, ...tail }, partition ? exists(partition) : {}),
    );
  });
}

const ofHeads = (): IndexDescription[] => [
  named({ w: 1, e: 1 }),
  named({ w: 1, t: 1, i: 1 }),
  named({ w: 1, sh: 1 }),
  ...(['agent', 'hive'] as const).flatMap((kind) => listIndexes(kind, { entity: {}, workspace: { w: 1, t: 1 } })),
  named({ o: 1, sh: 1 }, { partialFilterExpression: { o: true } }),
  // Few of the open heads are active.
  named({ a: 1, sh: 1 }, { partialFilterExpression: { a: true } }),
  // Time comes first: few heads are due, and no query plan then has to merge a range for each of a worker's shards.
  named({ due: 1, sh: 1 }, exists('due')),
  named({ t: 1, i: 1 }, { partialFilterExpression: { t: 'workspace' } }),
  named({ gone: 1 }, { ...exists('gone'), expireAfterSeconds: 30 * day }),
];

function ofDocuments(kind: (typeof docKinds)[number]): IndexDescription[] {
  const { global, lookup } = shapeOf(kind);
  return [
    named({ w: 1, e: 1, i: 1 }),
    // What has changed since a commit (kept-images.ts).
    ...((recalledKinds as readonly string[]).includes(kind) ? [named({ w: 1, e: 1, s: 1 })] : []),
    ...(global ? [named({ w: 1, i: 1 })] : []),
    ...listIndexes(kind, { entity: { w: 1, e: 1 }, workspace: { w: 1 } }),
    ...(lookup ? [named({ h: 1 }, exists('h'))] : []),
    named({ dead: 1 }, { ...exists('dead'), expireAfterSeconds: day }),
  ];
}

/** Indexes by collection. Lists that need the same index share it. */
export const indexes: ReadonlyMap<string, readonly IndexDescription[]> = new Map([
  [headCollection, unique(ofHeads())],
  ...docKinds.map((kind): [string, IndexDescription[]] => [kind, unique(ofDocuments(kind))]),
  [recordCollection, [named({ w: 1, e: 1 }), named({ expires: 1 }, { expireAfterSeconds: 3600 })]],
  [
    imageCollection,
    [
      named({ w: 1, e: 1, c: 1, n: 1 }, exists('c')),
      named({ gone: 1 }, { ...exists('gone'), expireAfterSeconds: 30 * day }),
    ],
  ],
  [processCollection, [named({ at: 1 }, { expireAfterSeconds: day })]],
]);

function unique(all: readonly IndexDescription[]): IndexDescription[] {
  return [...new Map(all.map((index) => [index.name, index])).values()];
}

/** Has no effect on indexes that already exist. */
export async function createIndexes(db: Db): Promise<void> {
  await Promise.all([...indexes].map(([name, wanted]) => db.collection(name).createIndexes([...wanted])));
}

/** Names of the indexes that do not exist, as `collection.index`. */
export async function missingIndexes(db: Db): Promise<string[]> {
  const there = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map((c) => c.name));
  const missing = await Promise.all(
    [...indexes].map(async ([name, wanted]) => {
      const made = there.has(name) ? new Set((await db.collection(name).indexes()).map((i) => i.name)) : new Set();
      return wanted.filter((i) => !made.has(i.name)).map((i) => `${name}.${i.name}`);
    }),
  );
  return missing.flat();
}
