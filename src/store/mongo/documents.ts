/**
 * The data stored in MongoDB (heads, documents, tombstones and idempotency records) and how it is written and read.
 *
 * Bodies, snapshots and results are stored as JSON text in one field, so that users may put anything into them. The
 * text is produced once and used for both the head and the document. Fields that are queried are stored beside it,
 * derived from the body as collections.ts defines:
 *   i          the id, for lists in the order of ids
 *   k.<list>   sort values and id as one text (keys.ts), for lists that have sort values
 *   p.<list>   the partitions, for lists that have them
 *   f.<field>  short texts that `where` filters by
 *   x          the expiry time in milliseconds, if the body has one
 *   h          the lookup value
 */
import type { Snapshots } from '../../domain/shared/documents.js';
import type { CollectionName, ListDefinition } from '../collections.js';
import { shapeOf } from '../list-query.js';
import type { DocKind, EntityKind, EntityRef, Head } from '../port.js';
import { decoded, encoded, sortKey } from './keys.js';

export type MongoBody = object;

/** Part of every single-document write: it names the document and its shard. */
export interface DocumentKey {
  _id: string;
  w: string;
  e: string;
}

/** The fields that lists are built from. */
export interface Listing {
  i?: string;
  k?: Record<string, string>;
  p?: Record<string, readonly string[]>;
  f?: Record<string, string>;
  x?: number;
  h?: string;
}

export interface StoredBody extends DocumentKey, Listing {
  s: number;
  b: string;
}
/** What is left of a deleted document: it has no content, and prevents a late put from bringing the document back. */
export interface Tombstone extends DocumentKey {
  s: number;
  dead: Date;
}
export interface StoredRecord extends DocumentKey {
  s: number;
  b: string;
  expires: Date;
}
export type StoredDocument = StoredBody | Tombstone | StoredRecord;

/** A change of a document made by the commit of a head. Without text (`b`), the document was deleted. */
export interface HeadChange {
  t: DocKind;
  i: string;
  b?: string;
}
export interface HeadRecord {
  i: string;
  b: string;
  x: Date;
}

export interface StoredHead extends DocumentKey, Listing {
  /** The kind of entity. */
  t: EntityKind;
  s: number;
  /** The id of the commit, which shows who won a compare-and-set. */
  c: string;
  b: string;
  a: boolean;
  /** Counts, as an array because their names may contain any character. */
  n: readonly { k: string; v: number }[];
  sh: number;
  due?: number;
  del?: true;
  /** True while work is left: the entity is active, or its last commit may be only half applied. */
  o: boolean;
  /** The last commit's documents and records, kept until the head is released. */
  ops?: readonly HeadChange[];
  recs?: readonly HeadRecord[];
  /** When the entity was deleted; its head is removed 30 days later. */
  gone?: Date;
}

/**
 * Fields that `where` filters by often. Short values are stored beside the body; for other fields and longer values the
 * bodies are searched.
 */
const asked = ['type', 'status', 'sessionId'] as const;
const longest = 200;

export const isIndexedField = (name: string, value: string): boolean =>
  value.length <= longest && (asked as readonly string[]).includes(name);

/** The field that holds a document's partitions of a list. */
export const partitionField = (list: string, definition: ListDefinition | undefined): string =>
  isStoredForFilters(definition) ? `f.${definition.field}` : `p.${list}`;
const isStoredForFilters = (d: ListDefinition | undefined): d is ListDefinition & { field: string } =>
  d?.field !== undefined && (asked as readonly string[]).includes(d.field);

export const headCollection = 'heads';
export const recordCollection = 'commands';
export const metaCollection = 'meta';

/** Throws a RangeError if an id or a sort value is too long for a key. */
export function listingOf(collection: CollectionName, id: string, body: MongoBody): Listing {
  const { lists, lookup } = shapeOf(collection);
  const listing: Listing = { i: sortKey([], id) };
  const fields = body as Readonly<Record<string, unknown>>;
  for (const name in lists) {
    const list = lists[name];
    if (list?.sort) (listing.k ??= {})[name] = sortKey(list.sort(body), id);
    if (list?.by && !isStoredForFilters(list)) {
      const partitions = list.by(body);
      if (partitions.length > 0) (listing.p ??= {})[name] = partitions.map(encoded);
    }
  }
  for (const name of asked) {
    const value = fields[name];
    if (typeof value === 'string' && value.length <= longest) (listing.f ??= {})[name] = encoded(value);
  }
  const { expires_at } = fields;
  const expires = typeof expires_at === 'string' ? Date.parse(expires_at) : NaN;
  if (!Number.isNaN(expires)) listing.x = expires;
  if (lookup) listing.h = encoded(lookup(body));
  return listing;
}

export const parseBody = (text: string): MongoBody => JSON.parse(text) as MongoBody;

/** The fields that a `Head` is read from; reads leave out the rest. */
export type HeadFields = Pick<StoredHead, '_id' | 's' | 'b' | 'a' | 'n' | 'due' | 'del'>;
export const headFields = { _id: 1, s: 1, b: 1, a: 1, n: 1, due: 1, del: 1 } as const;

export function readHead<K extends EntityKind>(stored: HeadFields, entity: EntityRef<K>): Head<K> {
  const counts: Record<string, number> = {};
  for (const { k, v } of stored.n) counts[decoded(k)] = v;
  return {
    entity,
    seq: stored.s,
    snapshot: parseBody(stored.b) as Snapshots[K],
    active: stored.a,
    due: stored.due ?? null,
    counts,
    deleted: stored.del ?? false,
  };
}
