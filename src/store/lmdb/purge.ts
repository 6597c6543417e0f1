/** Deletes what an entity owns, in chunks: its documents except for those that outlive it, and all their list entries. */
import type { EntityRef, OutlivingKind } from '../port.js';
import { docKinds, outlivingKinds } from '../list-query.js';
import { docEntries, docKey } from './entries.js';
import type { Trees } from './environment.js';
import { checkKey, entityPrefix, lastPart } from '../keys.js';
import { keysUnder } from './keys.js';
import { parseBody } from './values.js';
import { goneEntry } from './tombstones.js';
import type { Writer } from './writer.js';
import type { KeyWrite } from './write.js';

/**
 * Sorts before every document and list of an entity and after its idempotency records, which answer a repeated delete
 * until they expire.
 */
const afterRecords = '\0"';

/** The amount read and deleted at a time: a mailbox of long messages must not block the event loop. */
const chunkBytes = 512 * 1024;
/** Of small documents, which have more entries in lists than bytes. */
const chunkOperations = 1500;

/**
 * Resolves to true when nothing is left. Each chunk is conditional on the head, so it does not interfere with a commit.
 */
export async function purge(trees: Trees, writer: Writer, entity: EntityRef, limit: number): Promise<boolean> {
  const prefix = entityPrefix(entity);
  const key = checkKey(prefix);
  for (let left = limit; left > 0;) {
    const { operations, documents, more } = chunk(trees.docs, entity, prefix, left);
    if (operations.length === 0) return true;
    const expected = trees.heads.getEntry(key)?.version ?? 0;
    if (!(await writer.write({ key, expected, operations }))) return false;
    if (!more) return true;
    left -= documents;
  }
  return false;
}

/** Deletes documents that outlive their entity. The head of a deleted one, which they have kept, is looked at again. */
export async function removeOutliving(
  trees: Trees,
  writer: Writer,
  { entity, kind }: { entity: EntityRef; kind: OutlivingKind },
  ids: readonly string[],
  now: number,
): Promise<boolean> {
  const prefix = entityPrefix(entity);
  const key = checkKey(prefix);
  const operations: KeyWrite[] = [];
  for (const id of ids) {
    const at = docKey(prefix, kind, id);
    const text = trees.docs.get(at);
    if (text === undefined) continue;
    operations.push({ tree: 'docs', key: at, value: null });
    for (const entry of docEntries(entity, prefix, kind, id, parseBody(text)))
      operations.push({ tree: entry.tree, key: entry.key, value: null });
  }
  if (operations.length === 0) return true;
  const expected = trees.heads.getEntry(key)?.version ?? 0;
  return writer.write({ key, expected, operations: [...operations, goneEntry(now, prefix)] });
}

/**
 * The operations that delete the next documents: `limit` of them, or as many as fit in a chunk, but at least one.
 */
function chunk(
  docs: Trees['docs'],
  entity: EntityRef,
  prefix: string,
  limit: number,
): { operations: KeyWrite[]; documents: number; more: boolean } {
  const range = { start: prefix + afterRecords, end: keysUnder(prefix).end };
  const operations: KeyWrite[] = [];
  let documents = 0;
  let bytes = 0;
  for (const { key: at, value } of docs.getRange(range)) {
    if (documents >= limit || bytes >= chunkBytes || operations.length >= chunkOperations)
      return { operations, documents, more: true };
    const kind = at.slice(prefix.length + 1, at.indexOf('\0', prefix.length + 1));
    if (outlivingKinds.has(kind)) continue;
    operations.push({ tree: 'docs', key: at, value: null });
    if (kind.includes(':')) continue; // a list entry, whose document may come later or be gone
    documents++;
    bytes += value.length;
    const known = docKinds.find((name) => name === kind);
    if (!known) continue;
    for (const entry of docEntries(entity, prefix, known, lastPart(at), parseBody(value)))
      operations.push({ tree: entry.tree, key: entry.key, value: null });
  }
  return { operations, documents, more: false };
}
