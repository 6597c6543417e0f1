/**
 * The keys of the embedded store (../keys.ts), and their bytes.
 *
 *  - The bytes sort as the string does: each code unit is encoded separately, as UTF-8 encodes a character.
 *
 * Layout. Four trees, so that a commit touches few pages of each:
 *   heads   workspace · kind · id                                -> head, versioned by its seq
 *   docs    workspace · kind · id · <doc kind> · <doc id>        -> body (an entity's documents are adjacent;
 *                                                                  entries.ts says what else is in a run's)
 *           workspace · kind · id · <doc kind>:<list> · by · sort.. · <doc id>       (its lists)
 *           workspace · kind · id · ! · <idempotency key>             -> idempotency record
 *   lists   workspace · <kind>:<list> · by · sort.. · id         -> kind and id of the entity
 *   system  lookups, active and due heads, workspaces, expiry of records, heads of deleted entities, schema, sums, the
 *           server's lock, images of indexes and what has changed since (kept-images.ts)
 */
import { Buffer } from 'node:buffer';
import type { EntityRef } from '../port.js';
import { checkKey, keyPart, kindCodes, kindOf, separator } from '../keys.js';

/** Sorts after everything that begins with a part and a separator, and before every other part. */
const afterSeparator = '\x01';

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

/** An idempotency record of an entity, and the list of records by when they end. */
export const recordKey = (entity: string, id: string): string => `${entity}\0!\0${keyPart(id)}`;
export const expiryPrefix = 'expiry';

/** The range of all keys that begin with these parts: from `start` (inclusive) to `end` (exclusive). */
export const keysUnder = (prefix: string): { start: string; end: string } => ({
  start: prefix + separator,
  end: prefix + afterSeparator,
});

/** Buffer's own methods, which also work on lmdb's plain byte arrays; their types are missing. */
export const bufferText = Buffer.prototype as unknown as Record<
  'latin1Slice' | 'utf8Slice',
  (this: Uint8Array, start: number, end: number) => string
>;

/**
 * Encodes keys for lmdb without allocating an array of parts or a Buffer for each. One that is too long is refused
 * here, because lmdb writes into a buffer that all ranges share: a key that passes its end makes all later ranges fail.
 */
export const keyEncoder = {
  writeKey(key: string, target: Buffer, start: number): number {
    checkKey(key);
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
