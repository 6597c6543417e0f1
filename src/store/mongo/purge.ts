/**
 * Deletes what an entity owns, in chunks: its documents but for audit records. Command records stay, they answer a
 * repeated delete until they expire.
 *
 * Documents go without a tombstone, because a late apply (of a writer that lost the entity) can only bring back what the
 * sweep after the apply age takes away again: what is left of a deleted entity is looked for once more (`sweep`).
 */
import type { DocKind, EntityRef } from '../port.js';
import { documentsOf, headsOf, type Connection } from './connection.js';
import { docKinds, type StoredHead } from './documents.js';
import { encoded, entityField, entityOfId } from './keys.js';

const owned: readonly DocKind[] = docKinds.filter((kind) => kind !== 'audit');
const sweepAtOnce = 20;
const sweepChunk = 500;

/** True when nothing is left. */
export async function purge(connection: Connection, entity: EntityRef, limit: number): Promise<boolean> {
  const mine = { w: encoded(entity.workspace), e: entityField(entity) };
  let left = limit;
  for (const kind of owned) {
    const collection = documentsOf(connection, kind);
    const found = await collection
      .find({ ...mine, i: { $gte: '' } }, { projection: { _id: 1 }, limit: left + 1 })
      .toArray();
    if (found.length === 0) continue;
    if (left > 0) await collection.deleteMany({ ...mine, _id: { $in: found.slice(0, left).map((d) => d._id) } });
    if (found.length > left) return false;
    left -= found.length;
  }
  return true;
}

/** Purges once more what was deleted an apply age ago, and closes its head, so that no load brings the last commit's documents back. Answers how many entities. */
export async function sweepDeleted(connection: Connection): Promise<number> {
  const heads = headsOf(connection);
  const found = await heads
    .find<Pick<StoredHead, '_id' | 'w' | 'e' | 's'>>(
      { sweep: { $lte: connection.clocks.now() } },
      { projection: { w: 1, e: 1, s: 1 }, limit: sweepAtOnce },
    )
    .toArray();
  for (const { _id, w, e, s } of found) {
    const entity = entityOfId(_id);
    while (!(await purge(connection, entity, sweepChunk)));
    await heads.updateOne({ _id, w, e, s }, { $unset: { sweep: 1, ops: 1, recs: 1 } });
  }
  return found.length;
}
