/**
 * Deletes the documents of an entity in chunks, except for those that outlive it. Idempotency records stay, because they answer
 * a repeated delete until they expire.
 *
 *  MongoPurge.1 Every deleted document leaves a tombstone with the highest seq, which a TTL index removes a day later.
 *               Neither the late apply of a writer that lost the entity nor a load that finishes its last commit can
 *               therefore bring anything back, because each of their writes is guarded by the seq. Nobody has to look
 *               for the entity again.
 */
import type { DocKind, EntityRef, OutlivingKind } from '../port.js';
import { documentsOf, type MongoConnection } from './connection.js';
import { docKinds, outlivingKinds } from '../list-query.js';
import { type Listing } from './documents.js';
import { documentId, encoded, entityField, entityId } from './keys.js';

const owned: readonly DocKind[] = docKinds.filter((kind) => !outlivingKinds.has(kind));
const lastSeq = Number.MAX_SAFE_INTEGER;
const content: Record<keyof Listing | 'b', 1> = { b: 1, i: 1, k: 1, p: 1, f: 1, x: 1, h: 1 };

/** Returns true when nothing is left. */
export async function purge(connection: MongoConnection, entity: EntityRef, limit: number): Promise<boolean> {
  const mine = { w: encoded(entity.workspace), e: entityField(entity) };
  const dead = new Date(connection.clocks.now());
  let left = limit;
  for (const kind of owned) {
    const collection = documentsOf(connection, kind);
    const found = await collection
      .find({ ...mine, i: { $gte: '' } }, { projection: { _id: 1 }, limit: left + 1 })
      .toArray();
    if (found.length === 0) continue;
    if (left > 0)
      await collection.updateMany(
        { ...mine, _id: { $in: found.slice(0, left).map((d) => d._id) } },
        { $set: { s: lastSeq, dead }, $unset: content },
      );
    if (found.length > left) return false;
    left -= found.length;
  }
  return true;
}

/** Deletes records of the audit, which nothing writes again. */
export async function removeOutliving(
  connection: MongoConnection,
  { entity, kind }: { entity: EntityRef; kind: OutlivingKind },
  ids: readonly string[],
): Promise<boolean> {
  await documentsOf(connection, kind).updateMany(
    {
      w: encoded(entity.workspace),
      e: entityField(entity),
      _id: { $in: ids.map((id) => documentId(entityId(entity), id)) },
    },
    { $set: { s: lastSeq, dead: new Date(connection.clocks.now()) }, $unset: content },
  );
  return true;
}
