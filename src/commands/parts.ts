/** Pages of parts of documents, such as the thoughts in journal entries, or of the wanted documents of a list. */
import type { CollectionName } from '../store/collections.js';
import { jsonBytes } from '../domain/shared/bounded.js';
import { type ListSelection, type PageOf, type PageRequest, fittingItems, pageBytes } from './lists.js';
import { pagesOf, sumOver } from '../store/list-query.js';
import type { DocKind, EntityRef, Listed, Position, Store } from '../store/port.js';

interface Reads {
  store: Pick<Store, 'get' | 'list'>;
}

/** A part of a document, with the position of a page that ends with it. */
export interface DocumentPart<T> {
  part: T;
  at: Position;
}

interface PartsIn<T, C extends CollectionName> {
  where: ListSelection<C>;
  /** The parts of a document from its first on; null if it is beyond the end of the list. */
  partsOf: (item: Listed<C>) => readonly DocumentPart<T>[] | null;
  /** If documents have several parts: their kind and owner. A position is theirs and a number more. */
  inside?: { kind: C & DocKind; entity: EntityRef };
  /**
   * The maximum number of documents that are read for one page, which may be short for that, with more to follow: with
   * a selective filter, a page must not cost a read of the whole history.
   */
  mostRead?: number;
}

export async function pageOfParts<T, C extends CollectionName>(
  { store }: Reads,
  { where, partsOf, inside, mostRead = 1000 }: PartsIn<T, C>,
  { order, limit, after }: PageRequest,
): Promise<Pick<PageOf<T>, 'items' | 'next'>> {
  const found: (DocumentPart<T> & { bytes: number })[] = [];
  let bytes = 0;
  const add = (parts: readonly DocumentPart<T>[]): void => {
    for (const { part, at } of order === 'asc' ? parts : [...parts].reverse()) {
      const size = jsonBytes(part);
      bytes += size;
      found.push({ part, at, bytes: size });
    }
  };
  const from = inside ? after?.slice(0, -1) : after;
  if (inside && after && from) {
    const [id, last] = [String(from.at(-1)), Number(after.at(-1))];
    const doc = await store.get(inside.entity, inside.kind, id);
    const parts = (doc && partsOf({ id, entity: inside.entity, body: doc.body, position: from } as Listed<C>)) ?? [];
    add(parts.filter(({ at }) => (order === 'asc' ? Number(at.at(-1)) > last : Number(at.at(-1)) < last)));
  }
  let next: Position | null = from ?? [];
  let seen = 0;
  const query = { ...where, order, limit: Math.min(100, limit + 1), maxBytes: pageBytes, ...(from && { after: from }) };
  if (found.length <= limit && bytes <= pageBytes)
    for await (const page of pagesOf(store, query)) {
      next = page.next;
      for (const item of page.items) {
        const parts = partsOf(item);
        if (parts) add(parts);
        else next = null;
      }
      seen += page.items.length;
      if (next === null || seen >= mostRead || found.length > limit || bytes > pageBytes) break;
    }
  const items = fittingItems(found.slice(0, limit), (one) => one.bytes);
  const rest = next && inside ? [...next, order === 'asc' ? Number.MAX_SAFE_INTEGER : 0] : next;
  return {
    items: items.map(({ part }) => part),
    next: found.length > items.length ? (items.at(-1)?.at ?? null) : rest,
  };
}

const countLimit = 10_000;

/** A page of the documents in a list that are wanted. They are counted up to 10,000 of all. */
export async function filteredPage<T, C extends CollectionName>(
  reads: Reads,
  where: ListSelection<C>,
  page: PageRequest,
  wanted: (item: Listed<C>) => boolean,
  show: (item: Listed<C>) => T | Promise<T>,
): Promise<PageOf<T>> {
  const partsOf = (item: Listed<C>): DocumentPart<Listed<C>>[] =>
    wanted(item) ? [{ part: item, at: item.position }] : [];
  const { items, next } = await pageOfParts(reads, { where, partsOf }, page);
  const all = { ...where, order: 'desc', limit: 500, maxBytes: 4 * pageBytes } as const;
  const total = await sumOver(reads.store, all, countLimit, (item) => (wanted(item) ? 1 : 0));
  return { items: await Promise.all(items.map(show)), next, total };
}
