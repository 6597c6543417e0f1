/** Pages of lists: what is asked for, and how they are read. */
import { invalid } from '../domain/shared/errors.js';
import { idsFrom, type IdKind } from '../domain/shared/ids.js';
import type { CollectionName } from '../store/collections.js';
import type { Listed, ListQuery, Position, Store } from '../store/port.js';

export interface PageRequest {
  sort: 'created_at' | 'updated_at' | 'relevance';
  order: 'asc' | 'desc';
  /** Whether the caller has named the order, for lists that have one of their own. */
  ordered?: boolean;
  limit: number;
  after?: Position;
  offset?: number;
}

export interface PageOf<T> {
  items: T[];
  /** The position after the last item if more may follow. */
  next: Position | null;
  /** The number of items in the whole list; counted up to 10,000 if the list keeps no count of its own. */
  total: number;
}

/** ISO 8601: from `created_after` on, and before `created_before`. */
export interface CreatedFilter {
  created_after?: string;
  created_before?: string;
}

/** The approximate maximum size of a page in bytes; a page has at least one item. */
export const pageBytes = 1024 * 1024;

/** Returns as many of the first items as fit in a page, but at least one. */
export function fittingItems<T>(items: readonly T[], bytesOf: (item: T) => number): T[] {
  let bytes = 0;
  const end = items.findIndex((item, i) => (bytes += bytesOf(item)) > pageBytes && i > 0);
  return items.slice(0, end < 0 ? items.length : end);
}

/** The number up to which lists without a maintained count are counted. */
const countLimit = 10_000;

export type ListSelection<C extends CollectionName> = Omit<
  ListQuery<C>,
  'order' | 'limit' | 'maxBytes' | 'after' | 'offset'
>;

/** Reads a page of a list. Pass `total` if the size of the list is known; otherwise items are counted, up to 10,000. */
export async function pageOf<T, C extends CollectionName>(
  { store }: { store: Pick<Store, 'list' | 'count'> },
  wanted: ListSelection<C>,
  page: PageRequest,
  total: number | null,
  show: (item: Listed<C>) => T | Promise<T>,
): Promise<PageOf<T>> {
  const [found, counted] = await Promise.all([
    store.list({
      ...wanted,
      order: page.order,
      limit: page.limit,
      maxBytes: pageBytes,
      ...(page.after && { after: page.after }),
      ...(page.offset !== undefined && { offset: page.offset }),
    }),
    total === null ? store.count(wanted, countLimit).then((c) => c.count) : total,
  ]);
  // the next page would count the offset from here again
  if (page.offset !== undefined && found.items.length === 0 && found.next !== null)
    throw invalid({ path: 'offset', message: 'reaches beyond what a page looks at with these filters: use cursor' });
  return { items: await Promise.all(found.items.map(show)), next: found.next, total: counted };
}

/** The part of a list by creation (by the times in ids) that a filter asks for. */
export function createdRange(
  kind: IdKind,
  { created_after: after, created_before: before }: CreatedFilter,
): { from?: Position; until?: Position } {
  return {
    ...(after !== undefined && { from: [idsFrom(kind, Date.parse(after))] }),
    ...(before !== undefined && { until: [idsFrom(kind, Date.parse(before))] }),
  };
}

/** The name of the list to read: ordered by update if the page asks for that, and otherwise by creation. */
export const listFor = <L extends string>(page: PageRequest, updated: L): L | 'created' =>
  page.sort === 'updated_at' ? updated : 'created';
