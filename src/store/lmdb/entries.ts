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
import type { PackedRun } from '../../domain/stored-run.js';
import {
  collections,
  type CollectionDefinition,
  type CollectionName,
  type ListDefinition,
  type SortValue,
} from '../collections.js';
import type { DocKind, EntityRef } from '../port.js';
import { numberPart, keyPart, sortPart } from '../keys.js';
import { entityCode, opener, unusual } from './keys.js';
import { opensOwnSession, ownLists } from './own-sessions.js';

type Body = object;
export type TreeName = 'docs' | 'lists' | 'system';
export interface Entry {
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
export function docEntries(entity: EntityRef, prefix: string, kind: DocKind, id: string, body: Body): Entry[] {
  const { definition, lists, usual } = shapeOf(kind);
  const entries: Entry[] = [];
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
export function headEntries(entity: EntityRef, prefix: string, facets: string): Entry[] {
  const [active, due, lists] = JSON.parse(facets) as [boolean, number | null, [string[], SortValue[]][] | null];
  const entries: Entry[] = [];
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
