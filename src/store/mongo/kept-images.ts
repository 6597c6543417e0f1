/**
 * Keeps images of indexes in the collection `images` (KeptImages): for each entity one document that names the present
 * image, and for each image its chunks. What has changed since is found by an index over the seq that wrote a document,
 * which tombstones have, too.
 *
 *  - The naming document has the seq of what it names and is replaced only by that of a later one, so what a process
 *    writes that has lost its shard is never named (KeptImages.I2).
 *  - A commit that deletes raises that seq, and removes the chunks, before its head is written (KeptImages.I3). If the
 *    head is then not written, an image was lost in vain, which costs time alone.
 *  - Tombstones are removed after a day. An image that is older is of use only if nothing was committed since it was
 *    kept, or last looked at.
 *
 * Chunks that nobody names, of a process that died while it wrote them, are removed with the next image.
 */
import { randomUUID } from 'node:crypto';
import { Binary, MongoServerError, type Collection } from 'mongodb';
import { recalledKinds, type ChangedDoc, type Commit, type EntityRef, type KeptImage } from '../port.js';
import { documentsOf, type MongoConnection } from './connection.js';
import { parseBody, type DocumentKey } from './documents.js';
import { duplicateKey } from './failures.js';
import { encoded, entityField, entityId, idOfDocument } from './keys.js';

export const imageCollection = 'images';

/** Less than tombstones are kept (indexes.ts), by more than clocks may differ. */
const usableMs = 20 * 3_600_000;
const seenEveryMs = 3_600_000;
const changesInPage = 200;
const chunksAtOnce = 4;
const lastSeq = Number.MAX_SAFE_INTEGER;
/** An entity that had so few recalled documents has no image that somebody may be writing. */
const few = 200;

interface Naming extends DocumentKey {
  /** No image of an earlier commit is named. */
  s: number;
  at: Date;
  /** Which image is named, if any. */
  cur?: string;
  /** When the entity was deleted. */
  gone?: Date;
}
interface Chunk extends DocumentKey {
  /** The image, and the number of the chunk in it. */
  c: string;
  n: number;
  b: Binary;
  at: Date;
}

const isRecalled = ({ kind }: { kind: string }): boolean => (recalledKinds as readonly string[]).includes(kind);

type Change = Pick<DocumentKey, '_id'> & { b?: string };

export class MongoImages {
  constructor(private readonly connection: MongoConnection) {}

  async keep(entity: EntityRef, seq: number, chunks: readonly Uint8Array[]): Promise<boolean> {
    const place = placeOf(entity);
    const cur = randomUUID();
    const at = new Date(this.connection.clocks.now());
    const all = this.collection<Chunk>();
    let isNamed = false;
    try {
      for (const [n, chunk] of chunks.entries())
        await all.insertOne({ ...place, _id: `${place._id}\0${cur}\0${n}`, c: cur, n, b: new Binary(chunk), at });
      isNamed = await this.raise(place, seq - 1, { s: seq, at, cur }, true);
    } finally {
      const mine = { w: place.w, e: place.e };
      const others = isNamed ? { ...mine, c: { $exists: true, $ne: cur }, at: { $lt: at } } : { ...mine, c: cur };
      await all.deleteMany(others);
    }
    return isNamed;
  }

  async kept(entity: EntityRef, seq: number): Promise<KeptImage | null> {
    const place = placeOf(entity);
    const found = await this.collection<Naming>().findOne(place);
    if (!found?.cur) return null;
    const age = this.connection.clocks.now() - found.at.getTime();
    if (found.s === seq && age > seenEveryMs)
      await this.collection<Naming>().updateOne(
        { ...place, cur: found.cur },
        { $set: { at: new Date(this.connection.clocks.now()) } },
      );
    return {
      seq: found.s,
      chunks: this.chunks(place, found.cur),
      changes: () => (found.s !== seq && age > usableMs ? null : this.changes(place, found.s)),
    };
  }

  async discard(entity: EntityRef, { seq }: Pick<KeptImage, 'seq'>): Promise<void> {
    await this.forget(placeOf(entity), seq, false);
  }

  /** Null if there is nothing to wait for. */
  deleting({ entity, seq, puts, deletes, previousCounts }: Commit): Promise<void> | null {
    if (!puts.some(({ rewrites }) => rewrites) && !deletes.some(isRecalled)) return null;
    const place = placeOf(entity);
    const { memories = 0, messages = 0, runs = 0 } = previousCounts;
    return this.forget(place, seq - 1, memories + messages + runs > few);
  }

  /** Whatever was or will be kept of the entity is removed. */
  async purge(entity: EntityRef): Promise<void> {
    const gone = new Date(this.connection.clocks.now());
    const place = placeOf(entity);
    await Promise.all([this.raise(place, lastSeq - 1, { s: lastSeq, at: gone, gone }, true), this.removeChunks(place)]);
  }

  /** From now on no image of this or an earlier commit is named. */
  private async forget(place: DocumentKey, seq: number, make: boolean): Promise<void> {
    const at = new Date(this.connection.clocks.now());
    await Promise.all([this.raise(place, seq, { s: seq, at }, make), this.removeChunks(place)]);
  }

  /** Replaces the naming document if it has no later seq than this; true if it did. */
  private async raise(
    { _id, w, e }: DocumentKey,
    upTo: number,
    naming: Omit<Naming, keyof DocumentKey>,
    make: boolean,
  ): Promise<boolean> {
    const filter = { _id, w, e, s: { $lte: upTo } };
    try {
      const { matchedCount, upsertedCount } = await this.collection<Naming>().replaceOne(
        filter,
        { w, e, ...naming },
        { upsert: make },
      );
      return matchedCount + upsertedCount > 0;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === duplicateKey) return false;
      throw error;
    }
  }

  private async removeChunks({ w, e }: DocumentKey): Promise<void> {
    await this.collection<Chunk>().deleteMany({ w, e, c: { $exists: true } });
  }

  private async *chunks({ w, e }: DocumentKey, c: string): AsyncGenerator<Uint8Array> {
    const found = this.collection<Chunk>().find(
      { w, e, c },
      { projection: { _id: 0, b: 1 }, sort: { n: 1 }, hint: { w: 1, e: 1, c: 1, n: 1 }, batchSize: chunksAtOnce },
    );
    for await (const { b } of found) yield b.buffer.subarray(0, b.position);
  }

  private async *changes({ w, e }: DocumentKey, since: number): AsyncGenerator<ChangedDoc[]> {
    for (const kind of recalledKinds) {
      let page: ChangedDoc[] = [];
      const found = documentsOf(this.connection, kind).find<Change>(
        { w, e, s: { $gt: since } },
        { projection: { b: 1 }, hint: { w: 1, e: 1, s: 1 } },
      );
      for await (const { _id, b } of found) {
        page.push({ kind, id: idOfDocument(_id), body: b === undefined ? null : parseBody(b) } as ChangedDoc);
        if (page.length < changesInPage) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    }
  }

  private collection<T extends Naming | Chunk>(): Collection<T> {
    return this.connection.db.collection<T>(imageCollection);
  }
}

const placeOf = (entity: EntityRef): DocumentKey => ({
  _id: entityId(entity),
  w: encoded(entity.workspace),
  e: entityField(entity),
});
