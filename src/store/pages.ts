/** Walks of lists, page by page. */
import type { CollectionName } from './collections.js';
import type { Listed, ListQuery, Page, Store } from './port.js';

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
