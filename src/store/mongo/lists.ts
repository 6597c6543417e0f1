/**
 * Pages and counts of lists.
 *
 *  - A page begins after the given position, in the order of the list's keys. Items that did not change are therefore
 *    neither repeated nor skipped (Store.P5), whatever happened to the item that the position came from.
 *  - With `where` or `matches`, a page examines at most `mostExamined` documents. It then returns what it
 *     has found, with the position of the last document in that window. The end of the window is located first, by the
 *     index alone.
 *
 * Conditions on fields that are often queried are evaluated by the server; others are evaluated here, on the bodies.
 */
import type { Collection, Filter } from 'mongodb';
import type { ListDefinition } from '../collections.js';
import { definitionOf, filterOf, isHeadCollection, isSearched, type UnpagedQuery } from '../list-query.js';
import type { Listed, ListQuery, Page, Position } from '../port.js';
import { documentsOf, headsOf, type MongoConnection } from './connection.js';
import { isIndexedField, parseBody, partitionField, type MongoBody } from './documents.js';
import { encoded, entityField, entityOfId, idOfDocument, sortBound } from './keys.js';

const mostExamined = 10_000;

interface Stored {
  _id: string;
  b: string;
}
/** What is listed, before the query says what its body holds. */
type Item = Omit<Listed, 'body'> & { body: MongoBody };
type ItemPage = Omit<Page, 'items'> & { items: Item[] };
type Conditions = Record<string, unknown>;

/** Where the list named by a query is stored, and the field that orders it. */
interface Source {
  collection: Collection<Stored>;
  isHead: boolean;
  definition: ListDefinition | undefined;
  key: string;
  /** Conditions that every item of the list meets. */
  filter: Conditions;
  /** The index of the list: with other conditions, MongoDB might prefer one of another order, and sort. */
  hint: Record<string, 1>;
}

export class Lists {
  constructor(private readonly connection: MongoConnection) {}

  async list(query: ListQuery): Promise<ItemPage> {
    const source = this.source(query);
    const { limit, offset = 0, maxBytes = Infinity } = query;
    if (limit < 1) return { items: [], next: null };
    const window = isSearched(query) ? await this.window(source, query, mostExamined) : null;
    const filter = filterIn(source, query, window?.last);
    const matches = searched(query);
    const items: Item[] = [];
    // The offset is applied here if items are filtered here, and otherwise by the server.
    let skip = matches ? offset : 0;
    let more = false;
    let bytes = 0;
    const found = source.collection.find(filter as Filter<Stored>, {
      projection: { b: 1 },
      sort: { [source.key]: query.order === 'asc' ? 1 : -1 },
      hint: source.hint,
      ...(matches ? { batchSize: Math.max(100, limit + 1) } : { skip: offset, limit: limit + 1 }),
    });
    for await (const item of found) {
      const body = parseBody(item.b);
      if (matches && !matches(body)) continue;
      if (skip > 0) {
        skip--;
        continue;
      }
      const size = Buffer.byteLength(item.b);
      if (items.length === limit || (items.length > 0 && bytes + size > maxBytes)) {
        more = true;
        break;
      }
      bytes += size;
      items.push(listed(source, item, body));
    }
    return { items, next: more ? (items.at(-1)?.position ?? null) : window?.more ? window.position : null };
  }

  async count(query: UnpagedQuery, limit: number): Promise<{ count: number; exact: boolean }> {
    const source = this.source(query);
    const all = { ...query, order: 'asc' as const };
    const window = isSearched(query) ? await this.window(source, all, Math.max(limit, mostExamined)) : null;
    const filter = filterIn(source, all, window?.last);
    const matches = searched(query);
    let count = 0;
    if (!matches) count = await source.collection.countDocuments(filter, { limit: limit + 1, hint: source.hint });
    else
      for await (const { b } of source.collection.find(filter as Filter<Stored>, {
        projection: { b: 1 },
        sort: { [source.key]: 1 },
        hint: source.hint,
      })) {
        if (matches(parseBody(b)) && ++count > limit) break;
      }
    return { count: Math.min(count, limit), exact: count <= limit && !window?.more };
  }

  /** The last of the next `size` items of the list, and whether more follow. Null if the list ends before that. */
  private async window(
    source: Source,
    query: Pick<ListQuery, 'order' | 'after' | 'from' | 'until'>,
    size: number,
  ): Promise<{ last: string; position: Position; more: boolean } | null> {
    const filter = { ...source.filter, [source.key]: range(query, source.definition) };
    const ends = await source.collection
      .find(filter as Filter<Stored>, {
        projection: { b: 1 },
        sort: { [source.key]: query.order === 'asc' ? 1 : -1 },
        hint: source.hint,
        skip: size - 1,
        limit: 2,
      })
      .toArray();
    const end = ends[0];
    if (!end) return null;
    const { position } = listed(source, end, parseBody(end.b));
    return { last: keyOf(position, source.definition), position, more: ends.length > 1 };
  }

  private source(query: UnpagedQuery): Source {
    const { workspace, collection, list, entity, by } = query;
    const isHead = isHeadCollection(collection);
    const definition = definitionOf(query);
    const scope: Conditions = {
      w: encoded(workspace),
      ...(isHead ? { t: collection } : entity && { e: entityField(entity) }),
    };
    const key = definition?.sort ? `k.${list}` : 'i';
    const filter = { ...scope, ...(by !== undefined && { [partitionField(list, definition)]: encoded(by) }) };
    return {
      collection: (isHead
        ? headsOf(this.connection)
        : documentsOf(this.connection, collection)) as unknown as Collection<Stored>,
      isHead,
      definition,
      key,
      filter,
      hint: Object.fromEntries([...Object.keys(filter), key].map((field) => [field, 1 as const])),
    };
  }
}

/** Only items of the list have the key at all; tombstones and deleted heads do not. */
function range(
  { order, after, from, until }: Pick<ListQuery, 'order' | 'after' | 'from' | 'until'>,
  definition: ListDefinition | undefined,
  last?: string,
): Conditions {
  const asc = order === 'asc';
  const bounds: Conditions = { $gte: from ? keyOf(from, definition) : '' };
  if (until) bounds['$lt'] = keyOf(until, definition);
  // What a page begins after, and where its window ends, are within the bounds of the query.
  if (after && asc) delete bounds['$gte'];
  if (after) bounds[asc ? '$gt' : '$lt'] = keyOf(after, definition);
  if (last !== undefined) bounds[asc ? '$lte' : '$gte'] = last;
  return bounds;
}

/** A position consists of the sort values and the id. */
const keyOf = (position: Position, definition: ListDefinition | undefined): string =>
  sortBound(definition?.sort ? position.slice(0, -1) : [], String(position.at(-1)));

function listed({ isHead, definition }: Source, { _id }: Stored, body: MongoBody): Item {
  const entity = entityOfId(_id);
  const id = isHead ? entity.id : idOfDocument(_id);
  return { id, entity, body, position: [...(definition?.sort?.(body) ?? []), id] };
}

const filterIn = (
  source: Source,
  query: UnpagedQuery & Pick<ListQuery, 'order' | 'after'>,
  last?: string,
): Conditions => ({
  ...source.filter,
  ...conditions(query),
  [source.key]: range(query, source.definition, last),
});

/** The part of a query's filters that the server evaluates. */
function conditions({ where = {}, aliveAt }: UnpagedQuery): Conditions {
  const found: Conditions = {};
  for (const [name, value] of Object.entries(where))
    if (isIndexedField(name, value)) found[`f.${name}`] = encoded(value);
  if (aliveAt !== undefined) found['x'] = { $not: { $lte: aliveAt } };
  return found;
}

/** A predicate for the filters that are evaluated here, or null if there are none. */
function searched({ where = {}, matches }: UnpagedQuery): ((body: MongoBody) => boolean) | null {
  const others = Object.entries(where).filter(([name, value]) => !isIndexedField(name, value));
  return filterOf({ where: Object.fromEntries(others), ...(matches && { matches }) });
}
