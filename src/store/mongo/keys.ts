/**
 * Keys as text that MongoDB can store and sort. These are the keys of the embedded store (../keys.ts: parts joined by
 * NUL, ordered and free of collisions as StoreKeys.K1 and StoreKeys.K2 promise), in a form whose UTF-8 bytes sort as
 * the keys do.
 *
 *  - Order: MongoDB compares strings by their UTF-8 bytes, and the port by UTF-16 code units. The two orders differ
 *    from U+D800 on, so each code unit from there on is written as a character of its own, above all others and in
 *    code-unit order.
 *  - What is sent is well-formed Unicode whatever an id contains, even half a surrogate pair, which the driver would
 *    otherwise change.
 */
import { boundKey, checkKey, entityOfKey, entityPrefix, lastPart, keyPart, sortPart } from '../keys.js';
import type { SortValue } from '../collections.js';
import type { EntityRef } from '../port.js';

const high = /[\ud800-\uffff]/;
const highUnits = /[\ud800-\uffff]/g;
const wideCharacters = /[\u{10000}-\u{127ff}]/gu;
const first = 0xd800;
const wideFirst = 0x10000;

const wide = (text: string): string =>
  high.test(text)
    ? text.replace(highUnits, (unit) => String.fromCodePoint(unit.charCodeAt(0) - first + wideFirst))
    : text;
const narrow = (text: string): string =>
  high.test(text)
    ? text.replace(wideCharacters, (c) => String.fromCharCode((c.codePointAt(0) ?? 0) - wideFirst + first))
    : text;

/** Encodes any text for MongoDB: equality and order are preserved, and the result contains no NUL. */
export const encoded = (text: string): string => wide(keyPart(text));
export const decoded = (text: string): string => lastPart(narrow(text));

/**
 * The `_id` of an entity's head, which is also the prefix of the `_id`s of its documents. Throws a RangeError if it is
 * too long for a key.
 */
export const entityId = (entity: EntityRef): string => wide(checkKey(entityPrefix(entity)));
export const entityOfId = (id: string): EntityRef => entityOfKey(narrow(id));

/** The `_id` of a document, from that of its entity. Throws a RangeError if it is too long for a key. */
export const documentId = (entity: string, id: string): string => {
  const key = `${entity}\0${keyPart(id)}`;
  checkKey(key);
  return wideFrom(entity, key);
};
const wideFrom = (entity: string, key: string): string => entity + wide(key.slice(entity.length));

/** The document's own id, extracted from its `_id`. */
export const idOfDocument = (id: string): string => lastPart(narrow(id));

/** The entity field that every document has beside the workspace: the second half of the shard key. */
export const entityField = ({ kind, id }: EntityRef): string => `${kind}/${encoded(id)}`;

/** The key of an item in a list: its sort values, then its id. */
export const sortKey = (sort: readonly SortValue[], id: string): string => wide(checkKey(sortParts(sort, id)));
/** The same for a position that bounds a range. */
export const sortBound = (sort: readonly SortValue[], id: string): string => wide(boundKey(sortParts(sort, id)));
function sortParts(sort: readonly SortValue[], id: string): string {
  let key = '';
  for (const value of sort) key += `${sortPart(value)}\0`;
  return key + keyPart(id);
}
