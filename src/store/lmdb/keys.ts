/**
 * Key encoding: strings of parts joined by NUL, which compare part by part, and their bytes.
 *
 *  LmdbKeys.K1 Order: keys compare as the sequences of their parts do; strings by UTF-16 code unit, numbers by value
 *     (the order that collections.ts promises).
 *  LmdbKeys.K2 Injective: different parts give different keys, whatever they contain (including NUL).
 *  LmdbKeys.K3 The bytes sort as the string does: each code unit is encoded separately, as UTF-8 encodes a character.
 *
 * Layout. Four trees, so that a commit touches few pages of each:
 *   heads   workspace · kind · id                                -> head, versioned by its seq
 *   docs    workspace · kind · id · <doc kind> · <doc id>        -> body (an entity's documents are adjacent;
 *                                                                  first-entries.ts says what else is in a run's)
 *           workspace · kind · id · <doc kind>:<list> · by · sort.. · <doc id>       (its lists)
 *           workspace · kind · id · ! · <command id>             -> command record
 *   lists   workspace · <kind>:<list> · by · sort.. · id         -> kind and id of the entity
 *   system  lookups, active and due heads, workspaces, expiry of commands, heads of deleted entities, schema, sums, the
 *           server's lock
 */
import { Buffer } from 'node:buffer';
import type { EntityKind, EntityRef } from '../port.js';
import type { SortValue } from '../collections.js';

export const separator = '\0';
/** Sorts after everything that begins with a part and a separator, and before every other part. */
const afterSeparator = '\x01';
/** lmdb's maximum with pages of 4 KiB. */
const maxKeyBytes = 1978;

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

const kindCodes: Readonly<Record<EntityKind, string>> = { agent: 'a', hive: 'h', workspace: 'w' };
const kindsByCode: Readonly<Record<string, EntityKind>> = { a: 'agent', h: 'hive', w: 'workspace' };

export const entityPrefix = (e: EntityRef): string => `${keyPart(e.workspace)}\0${kindCodes[e.kind]}\0${keyPart(e.id)}`;

/** The entity as the value of a workspace entry. */
export const entityCode = (e: EntityRef): string => kindCodes[e.kind] + e.id;
/** Before the entity's code in the entry of a document that is not in the usual partition (entries.ts). */
export const unusual = '\x01';
/** Before the entity's code in the entry of a run that opens a session of its own (own-sessions.ts). */
export const opener = '\x02';
const highestMark = opener;
export function entityOfCode(workspace: string, code: string): EntityRef {
  let at = 0;
  while (code.charAt(at) <= highestMark) at++;
  return { workspace, kind: kindOf(code.charAt(at)), id: code.slice(at + 1) };
}

export function entityOfKey(key: string): EntityRef {
  const [workspace = '', code = '', id = ''] = key.split(separator);
  return { workspace: unpart(workspace), kind: kindOf(code), id: unpart(id) };
}

function kindOf(code: string): EntityKind {
  const kind = kindsByCode[code];
  if (!kind) throw new Error(`no entity kind has the code ${JSON.stringify(code)}`);
  return kind;
}

export const lastPart = (key: string): string => unpart(key.slice(key.lastIndexOf(separator) + 1));

/** The range of all keys that begin with these parts: from `start` (inclusive) to `end` (exclusive). */
export const keysUnder = (prefix: string): { start: string; end: string } => ({
  start: prefix + separator,
  end: prefix + afterSeparator,
});

export function checkKey(key: string): string {
  if (key.length * 3 > maxKeyBytes && byteLength(key) > maxKeyBytes) {
    throw new RangeError(
      `a key of ${byteLength(key)} bytes is longer than the ${maxKeyBytes} that the store takes: ${JSON.stringify(key.slice(0, 80))}...`,
    );
  }
  return key;
}

function byteLength(key: string): number {
  let bytes = key.length;
  for (let i = 0; i < key.length; i++) {
    const c = key.charCodeAt(i);
    if (c >= 0x80) bytes += c < 0x800 ? 1 : 2;
  }
  return bytes;
}

/** Buffer's own methods, which also work on lmdb's plain byte arrays; their types are missing. */
export const bufferText = Buffer.prototype as unknown as Record<
  'latin1Slice' | 'utf8Slice',
  (this: Uint8Array, start: number, end: number) => string
>;

/** Encodes keys for lmdb without allocating an array of parts or a Buffer for each. */
export const keyEncoder = {
  writeKey(key: string, target: Buffer, start: number): number {
    let at = start;
    for (let i = 0; i < key.length; i++) {
      const c = key.charCodeAt(i);
      if (c < 0x80) target[at++] = c;
      else if (c < 0x800) {
        target[at++] = 0xc0 | (c >> 6);
        target[at++] = 0x80 | (c & 63);
      } else {
        target[at++] = 0xe0 | (c >> 12);
        target[at++] = 0x80 | ((c >> 6) & 63);
        target[at++] = 0x80 | (c & 63);
      }
    }
    return at;
  },
  readKey(source: Uint8Array, start: number, end: number): string {
    for (let i = start; i < end; i++) if ((source[i] ?? 0) >= 0x80) return readUnits(source, start, end);
    return bufferText.latin1Slice.call(source, start, end);
  },
};

function readUnits(source: Uint8Array, start: number, end: number): string {
  let out = '';
  for (let i = start; i < end;) {
    const b = source[i++] ?? 0;
    if (b < 0x80) out += String.fromCharCode(b);
    else if (b < 0xe0) out += String.fromCharCode(((b & 31) << 6) | ((source[i++] ?? 0) & 63));
    else out += String.fromCharCode(((b & 15) << 12) | (((source[i++] ?? 0) & 63) << 6) | ((source[i++] ?? 0) & 63));
  }
  return out;
}
