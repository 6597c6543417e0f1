/** What a caller reaches and begins: everything, or only its own (src/domain/own-tasks.ts). */
import { jsonBytes } from '../../src/domain/bounded.js';
import { isSessionOf, sessionFor } from '../../src/domain/own-tasks.js';
import type { Caller, PageOf, PageRequest } from '../../src/service.js';
import type { Listed, Position } from '../../src/store/port.js';
import { pagesOf, sumOver } from '../../src/store/pages.js';
import { fitting, pageBytes, type ListSelection, type ServiceContext } from './context.js';
import { runById } from './following.js';

/** NOT_FOUND for a run that the caller does not reach. What changes the run says so of one that does not exist. */
export async function checkReach(c: ServiceContext, caller: Caller, agent: string, run: string): Promise<void> {
  if (caller.ownTasks) await runById(c, caller, agent, run);
}

export const asBegunBy = ({ ownTasks, key }: Caller): { begunBy: string } | undefined => ownTasks && { begunBy: key };

/** The session that the caller means. */
export const sessionNamed = ({ ownTasks, key }: Caller, session: string): string =>
  sessionFor(ownTasks && key, session);

export const reachesSession = ({ ownTasks, key }: Caller, session: string): boolean =>
  ownTasks !== true || isSessionOf(key, session);

/**
 * The maximum number of documents that are read for one page of a filtered list: the page may be short, with more to
 * follow.
 */
const readAPage = 1000;
const countLimit = 10_000;

/** A page of the documents in a list that are wanted. They are counted up to 10,000 of all. */
export async function filteredPage<T>(
  { deps: { store } }: ServiceContext,
  where: ListSelection,
  page: PageRequest,
  wanted: (item: Listed) => boolean,
  show: (item: Listed) => T,
): Promise<PageOf<T>> {
  const found: Listed[] = [];
  let after: Position | null = null;
  let bytes = 0;
  let seen = 0;
  const from = { order: page.order, limit: 100, maxBytes: pageBytes, ...(page.after && { after: page.after }) };
  for await (const read of pagesOf(store, { ...where, ...from })) {
    seen += read.items.length;
    for (const item of read.items.filter(wanted)) {
      bytes += jsonBytes(item.body);
      found.push(item);
    }
    after = read.next;
    if (seen >= readAPage || found.length > page.limit || bytes > pageBytes) break;
  }
  const items = fitting(found.slice(0, page.limit), ({ body }) => jsonBytes(body));
  const rest = found.length > items.length;
  const all = { ...where, order: 'desc', limit: 500, maxBytes: 4 * pageBytes } as const;
  return {
    items: items.map(show),
    next: rest ? (items.at(-1)?.position ?? null) : after,
    total: await sumOver(store, all, countLimit, (item) => (wanted(item) ? 1 : 0)),
  };
}
