/**
 * What stands in MongoDB: heads, documents, tombstones and command records, and how they are made and read.
 *
 * Bodies, snapshots and results are JSON text in one field, so that users may put anything into them; a text is made
 * once, for the head and for the document. What is asked for stands beside it, made from the body by collections.ts:
 *   i          the id, for lists in the order of ids
 *   k.<list>   sort values and id as one text (keys.ts), for lists that have sort values
 *   p.<list>   the partitions, for lists that have them
 *   f.<field>  short texts that `where` asks for
 *   x          when it expires (ms), where the body says so
 *   h          the lookup value
 */
import { collections, type CollectionDefinition, type CollectionName } from '../collections.js';
import type { CommandRecord, DocKind, EntityKind, EntityRef, Head } from '../port.js';
import { decoded, encoded, entityOfId, sortKey } from './keys.js';

export type Body = Record<string, unknown>;

/** Of every single-document write: names the document, its shard and its entity's seq. */
export interface DocumentKey {
  _id: string;
  w: string;
  e: string;
}

/** What the lists are made of. */
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
/** Where a document was: without content, it keeps a late put from bringing it back. */
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

/** A change of a document that the commit of a head makes; no text: deleted. */
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
  /** The id of the commit: it tells who won a compare-and-set. */
  c: string;
  b: string;
  a: boolean;
  /** Counts; an array, because names hold any character. */
  n: readonly { k: string; v: number }[];
  sh: number;
  due?: number;
  del?: true;
  /** Work is left: the entity is active, or its last commit may be half done. */
  o: boolean;
  /** The last commit's documents and records, until it is released. */
  ops?: readonly HeadChange[];
  recs?: readonly HeadRecord[];
  /** When it was deleted: the head goes 30 days later. */
  gone?: Date;
}

/** Fields that `where` is asked for often, kept beside the body where they are short; by others the bodies are searched. */
const asked = ['type', 'status', 'sessionId'] as const;
const longest = 200;

export const isIndexedField = (name: string, value: string): boolean =>
  value.length <= longest && (asked as readonly string[]).includes(name);

const shapes = new Map<string, CollectionDefinition>(Object.entries(collections));
export function shapeOf(collection: CollectionName): CollectionDefinition {
  const shape = shapes.get(collection);
  if (!shape) throw new RangeError(`there is no collection ${collection}`);
  return shape;
}

export const isHeadCollection = (collection: CollectionName): collection is EntityKind =>
  collection === 'agent' || collection === 'hive' || collection === 'workspace';
export const docKinds = Object.keys(collections).filter(
  (name): name is DocKind => !isHeadCollection(name as CollectionName),
);
export const headCollection = 'heads';
export const commandCollection = 'commands';
export const metaCollection = 'meta';

/** Throws a RangeError where an id or a sort value is too long for a key. */
export function listingOf(collection: CollectionName, id: string, body: Body): Listing {
  const { lists, lookup } = shapeOf(collection);
  const listing: Listing = { i: sortKey([], id) };
  for (const name in lists) {
    const list = lists[name];
    if (list?.sort) (listing.k ??= {})[name] = sortKey(list.sort(body), id);
    if (list?.by) {
      const partitions = list.by(body);
      if (partitions.length > 0) (listing.p ??= {})[name] = partitions.map(encoded);
    }
  }
  for (const name of asked) {
    const value = body[name];
    if (typeof value === 'string' && value.length <= longest) (listing.f ??= {})[name] = encoded(value);
  }
  const expires = typeof body['expires_at'] === 'string' ? Date.parse(body['expires_at']) : NaN;
  if (!Number.isNaN(expires)) listing.x = expires;
  if (lookup) listing.h = encoded(lookup(body));
  return listing;
}

export const parseBody = (text: string): Body => JSON.parse(text) as Body;

/** What a head's text is read from; reads leave out the rest. */
export type HeadFields = Pick<StoredHead, '_id' | 's' | 'b' | 'a' | 'n' | 'due' | 'del'>;
export const headFields = { _id: 1, s: 1, b: 1, a: 1, n: 1, due: 1, del: 1 } as const;

export function readHead(stored: HeadFields, entity: EntityRef = entityOfId(stored._id)): Head {
  const counts: Record<string, number> = {};
  for (const { k, v } of stored.n) counts[decoded(k)] = v;
  return {
    entity,
    seq: stored.s,
    snapshot: parseBody(stored.b),
    active: stored.a,
    due: stored.due ?? null,
    counts,
    deleted: stored.del ?? false,
  };
}

export const recordText = ({ bodyHash, expiresAt, result }: CommandRecord): string =>
  JSON.stringify([bodyHash, expiresAt, result ?? null]);
export function readRecord(id: string, text: string): CommandRecord {
  const [bodyHash, expiresAt, result] = JSON.parse(text) as [string, number, unknown];
  return { id, bodyHash, expiresAt, result };
}
