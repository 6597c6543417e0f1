/**
 * Pagination of lists (docs/api.md 4.1): the parameters that a client may send, and the response envelope.
 *
 * `sort=relevance` has no meaning without a query, nor `updated_at` for resources that never change. Both then sort by
 * created_at, so that every list accepts every documented value.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from '../../src/domain/shared/errors.js';
import type { Position } from '../../src/store/port.js';
import type { PageOf, PageRequest } from '../../src/service.js';
import type { QueryParameters } from './query.js';

/*
 * Signed pagination cursors. A cursor holds the position at which a page ended, signed together with the list that it
 * belongs to. It is opaque to clients, and refused if it was changed or belongs to another workspace, list, filter or
 * order. Cursors are stateless, so they survive a restart and any process can read them.
 */

const macBytes = 16;
const maxLength = 2048;

export interface Cursors {
  /** `binding` names everything that the position depends on. */
  sign(position: Position, binding: string): string;
  /** Throws VALIDATION_ERROR for anything that `sign` did not make for this binding. */
  read(cursor: string, binding: string): Position;
}

export function createCursors(secret: Uint8Array): Cursors {
  if (secret.length < 16) throw new RangeError('the cursor secret must have at least 16 bytes');
  const mac = (payload: string, binding: string): Buffer =>
    createHmac('sha256', secret).update(`${payload.length}:${payload}${binding}`).digest().subarray(0, macBytes);
  return {
    sign(position, binding) {
      const payload = Buffer.from(JSON.stringify(position)).toString('base64url');
      return `${payload}.${mac(payload, binding).toString('base64url')}`;
    },
    read(cursor, binding) {
      const dot = cursor.indexOf('.');
      if (dot > 0 && cursor.length <= maxLength) {
        const payload = cursor.slice(0, dot);
        const signature = cursor.slice(dot + 1);
        const expected = mac(payload, binding);
        const given = Buffer.from(signature, 'base64url');
        if (
          given.length === macBytes &&
          given.toString('base64url') === signature &&
          timingSafeEqual(given, expected)
        ) {
          return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Position;
        }
      }
      throw invalid({ path: 'cursor', message: 'must be the next_cursor of a page of this same list' });
    },
  };
}

/** The paging features of one list. */
export interface Paging {
  /** The resources change, and can be sorted by their last change. Default false. */
  updates?: boolean;
  /** `limit` and `offset` are supported (memories and agents) instead of being refused. Default false. */
  offset?: boolean;
  /** The list takes `limit` instead of page_size, with a default and a bound of its own (thoughts, docs/api.md 4.3). */
  ownLimit?: { default: number; max: number };
  /**
   * The list has a default order of its own (the mailbox: unread first). Cursors of the default order do not fit an
   * order that the client names.
   */
  ownOrder?: boolean;
}

/** Entries skipped by an offset are read all the same; beyond this bound clients must use cursors. */
export const maxOffset = 10_000;

export const pagingNames = ['page_size', 'cursor', 'sort', 'order', 'limit', 'offset'] as const;

export const maxPage = 100;
export const defaultPage = 20;
/** The first is the default. */
export const sorts = ['created_at', 'updated_at', 'relevance'] as const;
export const orders = ['desc', 'asc'] as const;

/** The client's request; the caller adds `after` from its cursor, using `binding`. */
export function readPage(query: QueryParameters, paging: Paging): Omit<PageRequest, 'after'> {
  const limited = paging.offset || paging.ownLimit !== undefined;
  if (query.has('limit') && !limited)
    throw invalid({ path: 'limit', message: 'is not supported on this list: use page_size' });
  if (query.has('offset') && !paging.offset)
    throw invalid({ path: 'offset', message: 'is not supported on this list: use cursor' });
  if (query.has('limit') && query.has('page_size'))
    throw invalid({ path: 'limit', message: 'must not be given together with page_size' });
  if (query.has('offset') && query.has('cursor'))
    throw invalid({ path: 'offset', message: 'must not be given together with cursor' });
  const asked = choice(query, 'sort', sorts, sorts[0]);
  const page: Omit<PageRequest, 'after'> = {
    sort: asked === 'updated_at' && paging.updates ? 'updated_at' : 'created_at',
    order: choice(query, 'order', orders, orders[0]),
    limit: query.has('limit')
      ? whole(query, 'limit', 1, paging.ownLimit?.max ?? maxPage)
      : query.has('page_size')
        ? whole(query, 'page_size', 1, maxPage)
        : (paging.ownLimit?.default ?? defaultPage),
  };
  if (query.has('offset')) page.offset = whole(query, 'offset', 0, maxOffset);
  return page;
}

function choice<T extends string>(query: QueryParameters, name: string, values: readonly T[], otherwise: T): T {
  const value = query.get(name);
  if (value === undefined) return otherwise;
  const found = values.find((v) => v === value);
  if (found === undefined) throw invalid({ path: name, message: `must be one of ${values.join(', ')}` });
  return found;
}

function whole(query: QueryParameters, name: string, min: number, max: number): number {
  const text = query.get(name) ?? '';
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max))
    throw invalid({ path: name, message: `must be an integer from ${min} to ${max}` });
  return value;
}

/**
 * Everything that a position in a list depends on. The page size is not included, because a client may change it
 * between pages.
 */
export function bindingOf(
  workspace: string,
  path: string,
  params: Readonly<Record<string, string>>,
  filter: object,
  page: Omit<PageRequest, 'after'>,
  ownOrder: boolean,
): string {
  return JSON.stringify([workspace, path, byName(params), byName(filter), page.sort, page.order, ownOrder]);
}

const byName = (values: object): unknown[] => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));

/** The envelope of docs/api.md 2.11. Clients rely on `has_more`. */
export function collection(found: PageOf<unknown>, cursors: Cursors, binding: string): object {
  return {
    data: found.items,
    pagination: {
      next_cursor: found.next === null ? null : cursors.sign(found.next, binding),
      has_more: found.next !== null,
      total_count: found.total,
    },
  };
}
