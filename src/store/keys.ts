/**
 * Keys as texts, for both stores: parts joined by NUL, which compare part by part.
 *
 *  StoreKeys.K1 Order: keys compare as the sequences of their parts do; strings by UTF-16 code unit, numbers by value
 *     (the order that collections.ts promises).
 *  StoreKeys.K2 Injective: different parts give different keys, whatever they contain (including NUL).
 */
import type { EntityKind, EntityRef, IdempotencyRecord } from './port.js';
import type { SortValue } from './collections.js';

export const separator = '\0';
/** lmdb's maximum with pages of 4 KiB. */
const maxKeyBytes = 1978;
/** A key holds this many code units, whatever they are. The service makes no longer one. */
const maxKeyUnits = Math.floor(maxKeyBytes / 3);

const special = /[\0\x01]/;
const specials = /[\0\x01]/g;
const escaped = /\x01([\x01\x02])/g;

export const keyPart = (text: string): string =>
  special.test(text) ? text.replace(specials, (c) => (c === separator ? '\x01\x01' : '\x01\x02')) : text;
const unpart = (text: string): string =>
  text.includes('\x01') ? text.replace(escaped, (_, c: string) => (c === '\x01' ? separator : '\x01')) : text;

const float = new DataView(new ArrayBuffer(8));
const hex = (n: number): string => n.toString(16).padStart(8, '0');

/** A finite number in hexadecimal that sorts by value; trailing zeros are omitted. */
export function numberPart(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`a sort value must be finite, not ${value}`);
  float.setFloat64(0, value + 0 === 0 ? 0 : value);
  const high = float.getUint32(0);
  const low = float.getUint32(4);
  const text = high >= 0x80000000 ? hex(~high >>> 0) + hex(~low >>> 0) : hex((high | 0x80000000) >>> 0) + hex(low);
  let end = text.length;
  while (end > 1 && text.charCodeAt(end - 1) === 48) end--;
  return text.slice(0, end);
}

export const sortPart = (value: SortValue): string => (typeof value === 'number' ? numberPart(value) : keyPart(value));

export const kindCodes: Readonly<Record<EntityKind, string>> = { agent: 'a', hive: 'h', workspace: 'w' };
const kindsByCode: Readonly<Record<string, EntityKind>> = { a: 'agent', h: 'hive', w: 'workspace' };

export const entityPrefix = (e: EntityRef): string => `${keyPart(e.workspace)}\0${kindCodes[e.kind]}\0${keyPart(e.id)}`;

export function entityOfKey(key: string): EntityRef {
  const [workspace = '', code = '', id = ''] = key.split(separator);
  return { workspace: unpart(workspace), kind: kindOf(code), id: unpart(id) };
}

export function kindOf(code: string): EntityKind {
  const kind = kindsByCode[code];
  if (!kind) throw new Error(`no entity kind has the code ${JSON.stringify(code)}`);
  return kind;
}

export const lastPart = (key: string): string => unpart(key.slice(key.lastIndexOf(separator) + 1));

const isTooLong = (key: string): boolean => key.length > maxKeyUnits && byteLength(key) > maxKeyBytes;

export function checkKey(key: string): string {
  if (isTooLong(key)) {
    throw new RangeError(
      `a key of ${byteLength(key)} bytes is longer than the ${maxKeyBytes} that the store takes: ${JSON.stringify(key.slice(0, 80))}...`,
    );
  }
  return key;
}

/** A bound of a range, which may come of any text: what is longer than a key is cut where no key goes on. */
export const boundKey = (key: string): string => (isTooLong(key) ? key.slice(0, maxKeyUnits) : key);

function byteLength(key: string): number {
  let bytes = key.length;
  for (let i = 0; i < key.length; i++) {
    const c = key.charCodeAt(i);
    if (c >= 0x80) bytes += c < 0x800 ? 1 : 2;
  }
  return bytes;
}

/* Idempotency records as text, for both stores. */

export const recordText = ({ bodyHash, expiresAt, result }: IdempotencyRecord): string =>
  JSON.stringify([bodyHash, expiresAt, result ?? null]);

export function readRecord(id: string, text: string): IdempotencyRecord {
  const [bodyHash, expiresAt, result] = JSON.parse(text) as [string, number, unknown];
  return { id, bodyHash, expiresAt, result };
}

/** The record, unless it has expired. */
export const unexpired = (record: IdempotencyRecord, now: number): IdempotencyRecord | null =>
  record.expiresAt > now ? record : null;
