/**
 * The indexes, made from collections.ts: each list has one, which begins with the shard key (workspace, entity) where the
 * list is of an entity, and with the workspace where it is of that. The only unique ones are those of `_id`, which carries
 * workspace and entity, so that they hold on a sharded cluster too.
 */
import type { Db, IndexDescription } from 'mongodb';
import type { CollectionName } from '../collections.js';
import { commandCollection, docKinds, headCollection, shapeOf } from './documents.js';
import { processCollection } from './processes.js';

const day = 24 * 3600;
const exists = (field: string): { partialFilterExpression: Record<string, unknown> } => ({
  partialFilterExpression: { [field]: { $exists: true } },
});

const named = (
  key: Record<string, 1>,
  more: Omit<IndexDescription, 'key' | 'name'> = {},
): IndexDescription & { name: string } => ({ key, name: Object.keys(key).join('_'), ...more });

/** Those of the lists of a collection, beginning with the fields of each scope. */
function listIndexes(
  collection: CollectionName,
  scopes: { entity: Record<string, 1>; workspace: Record<string, 1> },
): IndexDescription[] {
  return Object.entries(shapeOf(collection).lists).flatMap(([name, { scope, by, sort }]) => {
    const tail: Record<string, 1> = { ...(by && { [`p.${name}`]: 1 as const }), [sort ? `k.${name}` : 'i']: 1 };
    return [...(scope === 'workspace' ? [] : [scopes.entity]), ...(scope === 'entity' ? [] : [scopes.workspace])].map(
      (first) => named({ ...first, ...tail }, by ? exists(`p.${name}`) : {}),
    );
  });
}

const ofHeads = (): IndexDescription[] => [
  named({ w: 1, e: 1 }),
  named({ w: 1, t: 1, i: 1 }),
  ...(['agent', 'hive'] as const).flatMap((kind) => listIndexes(kind, { entity: {}, workspace: { w: 1, t: 1 } })),
  named({ o: 1, sh: 1 }, { partialFilterExpression: { o: true } }),
  // few of the open ones are active
  named({ a: 1, sh: 1 }, { partialFilterExpression: { a: true } }),
  // the time first: few are due, and no plan has to merge as many ranges as a worker has shards
  named({ due: 1, sh: 1 }, exists('due')),
  named({ t: 1, i: 1 }, { partialFilterExpression: { t: 'workspace' } }),
  named({ gone: 1 }, { ...exists('gone'), expireAfterSeconds: 30 * day }),
];

function ofDocuments(kind: (typeof docKinds)[number]): IndexDescription[] {
  const { global, lookup } = shapeOf(kind);
  return [
    named({ w: 1, e: 1, i: 1 }),
    ...(global ? [named({ w: 1, i: 1 })] : []),
    ...listIndexes(kind, { entity: { w: 1, e: 1 }, workspace: { w: 1 } }),
    ...(lookup ? [named({ h: 1 }, exists('h'))] : []),
    named({ dead: 1 }, { ...exists('dead'), expireAfterSeconds: day }),
  ];
}

/** By collection. Of two lists that need the same index there is one. */
export const indexes: ReadonlyMap<string, readonly IndexDescription[]> = new Map([
  [headCollection, unique(ofHeads())],
  ...docKinds.map((kind): [string, IndexDescription[]] => [kind, unique(ofDocuments(kind))]),
  [commandCollection, [named({ w: 1, e: 1 }), named({ expires: 1 }, { expireAfterSeconds: 3600 })]],
  [processCollection, [named({ at: 1 }, { expireAfterSeconds: day })]],
]);

function unique(all: readonly IndexDescription[]): IndexDescription[] {
  return [...new Map(all.map((index) => [index.name, index])).values()];
}

/** Does nothing where they are there. */
export async function createIndexes(db: Db): Promise<void> {
  await Promise.all([...indexes].map(([name, wanted]) => db.collection(name).createIndexes([...wanted])));
}

/** The names of those that are not there, as `collection.index`. */
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
