/** What a query of a list means, for all adapters. A list that is not there, or not in this scope, is a RangeError. */
import type { Bodies } from '../domain/shared/documents.js';
import { type CollectionDefinition, type CollectionName, type ListDefinition, collections } from './collections.js';
import type { DocKind, EntityKind, KeptImage, ListQuery, Listed, Page, Store } from './port.js';

type Fields = Readonly<Record<string, unknown>>;
export type UnpagedQuery = Omit<ListQuery, 'order' | 'limit' | 'maxBytes' | 'after' | 'offset'>;

const shapes = new Map<string, CollectionDefinition>(Object.entries(collections));
export function shapeOf(collection: CollectionName): CollectionDefinition {
  const shape = shapes.get(collection);
  if (!shape) throw new RangeError(`there is no collection ${collection}`);
  return shape;
}

export const isHeadCollection = (collection: CollectionName): collection is EntityKind =>
  collection === 'agent' || collection === 'hive' || collection === 'workspace';

export const docKinds = [...shapes.keys()].filter((name): name is DocKind => !isHeadCollection(name as CollectionName));

/** The kinds of documents that outlive their entity. */
export const outlivingKinds: ReadonlySet<string> = new Set(docKinds.filter((kind) => shapeOf(kind).outlives));

/** The list that is asked for; undefined for 'created'. */
export function definitionOf({ workspace, collection, list, entity, by }: UnpagedQuery): ListDefinition | undefined {
  const { global, lists } = shapeOf(collection);
  const definition = Object.hasOwn(lists, list) ? lists[list] : undefined;
  if (list !== 'created' && !definition) throw new RangeError(`${collection} has no list ${list}`);
  if (entity && entity.workspace !== workspace)
    throw new RangeError(`the entity ${entity.id} is not in the workspace ${workspace}`);
  if ((definition?.by !== undefined) !== (by !== undefined))
    throw new RangeError(`the list ${list} of ${collection} ${definition?.by ? 'needs' : 'has no'} partition`);
  if (isHeadCollection(collection)) return definition;
  if (entity && definition?.scope === 'workspace')
    throw new RangeError(`the list ${list} of ${collection} is of the workspace`);
  if (!entity && !(definition ? definition.scope !== 'entity' : global))
    throw new RangeError(`the list ${list} of ${collection} needs its entity`);
  return definition;
}

/** Whether a query asks for what the order of the list does not tell. */
export const isSearched = ({ where, matches }: UnpagedQuery): boolean => {
  for (const _field in where) return true;
  return matches !== undefined;
};

/** Whether a body passes the filters of a query; null if there are none. */
export function filterOf({
  where,
  matches,
  aliveAt,
}: Pick<UnpagedQuery, 'where' | 'matches' | 'aliveAt'>): ((body: object) => boolean) | null {
  const fields = Object.entries(where ?? {});
  if (fields.length === 0 && aliveAt === undefined)
    return matches ? (body) => matches(body as Bodies[CollectionName]) : null;
  return (body) =>
    fields.every(([name, value]) => (body as Fields)[name] === value) &&
    !(aliveAt !== undefined && hasExpired(body, aliveAt)) &&
    (matches?.(body as Bodies[CollectionName]) ?? true);
}

function hasExpired(body: object, at: number): boolean {
  const { expires_at } = body as Fields;
  return typeof expires_at === 'string' && Date.parse(expires_at) <= at;
}

/* How adapters hand out what is read page by page. */

/** Reads one page after the other, each by `read`. Who stops earlier ends the source. */
export async function* pagesBy<P>(
  pages: () => AsyncIterable<P>,
  read: <T>(page: () => Promise<T>) => Promise<T>,
): AsyncGenerator<P> {
  const source = pages()[Symbol.asyncIterator]();
  try {
    for (;;) {
      const page = await read(() => source.next());
      if (page.done) return;
      yield page.value;
    }
  } finally {
    await source.return?.();
  }
}

export const pagedImage = (
  image: KeptImage | null,
  paged: <P>(pages: () => AsyncIterable<P>) => AsyncIterable<P>,
): KeptImage | null =>
  image && {
    seq: image.seq,
    chunks: paged(() => image.chunks),
    changes() {
      const changes = image.changes();
      return changes && paged(() => changes);
    },
  };

/* Walks of lists, page by page. */

type Listing = Pick<Store, 'list'>;

/** The pages of a list from where the query begins. Each is read when it is asked for. */
export async function* pagesOf<C extends CollectionName>(
  store: Listing,
  query: ListQuery<C>,
): AsyncGenerator<Page<C>, void, undefined> {
  let from = query;
  for (;;) {
    const page = await store.list(from);
    yield page;
    if (page.next === null) return;
    from = { ...query, after: page.next };
  }
}

export async function* itemsOf<C extends CollectionName>(
  store: Listing,
  query: ListQuery<C>,
): AsyncGenerator<Listed<C>, void, undefined> {
  for await (const { items } of pagesOf(store, query)) yield* items;
}

/** The sum over the items of a list, of which about `most` are read at most. */
export async function sumOver<C extends CollectionName>(
  store: Listing,
  query: ListQuery<C>,
  most: number,
  count: (item: Listed<C>) => number,
): Promise<number> {
  let sum = 0;
  let seen = 0;
  for await (const { items } of pagesOf(store, query)) {
    for (const item of items) sum += count(item);
    seen += items.length;
    if (seen >= most) break;
  }
  return sum;
}
