/**
 * Moves documents of many entities at a time, for a migration (port.ts, Bulk).
 *
 *  - A document is inserted with the first seq, so that every later commit of its entity is newer. One that exists
 *    stays: an insert may be repeated whenever its answer was lost.
 */
import type { Bulk, BulkPart, DocKind, EntityRef } from '../port.js';
import { documentsOf, type Connection } from './connection.js';
import { docKinds } from '../list-query.js';
import { readRecord, recordText } from '../idempotency-record.js';
import {
  recordCollection,
  listingOf,
  parseBody,
  type DocumentKey,
  type StoredBody,
  type StoredDocument,
} from './documents.js';
import { duplicateKey, writeErrors } from './failures.js';
import { documentId, encoded, entityField, entityId, entityOfId, idOfDocument } from './keys.js';
import type { Reader } from './reader.js';

const inPage = 500;
const pageBytes = 2 * 1024 * 1024;
const firstSeq = 1;
const places: readonly string[] = [...docKinds, recordCollection];

type Text = DocumentKey & Partial<Pick<StoredBody, 'b'>>;

export class MongoBulk implements Bulk {
  constructor(
    private readonly connection: Connection,
    private readonly reader: Pick<Reader, 'load'>,
  ) {}

  /** The documents of neighbouring entities are neighbours, too, in the order of `_id`. */
  async *contents(entities: readonly EntityRef[]): AsyncGenerator<BulkPart> {
    const ids = entities.map(entityId);
    const [first, last] = [ids[0], ids.at(-1)];
    if (first === undefined || last === undefined) return;
    // A load finishes what the last commit of an entity left undone.
    await Promise.all(entities.map((entity) => this.reader.load(entity)));
    for (const name of places) yield* this.between(name, first, `${last}\x01`);
  }

  private async *between(name: string, first: string, end: string): AsyncGenerator<BulkPart> {
    let part: BulkPart = { documents: [], records: [] };
    let bytes = 0;
    const cursor = documentsOf(this.connection, name).find<Text>(
      { _id: { $gt: first, $lt: end } },
      { projection: { b: 1 }, sort: { _id: 1 }, batchSize: inPage },
    );
    try {
      for await (const { _id, b } of cursor) {
        if (b === undefined) continue; // a tombstone
        const [entity, id] = [entityOfId(_id), idOfDocument(_id)];
        if (name === recordCollection) part.records.push({ ...readRecord(id, b), entity });
        else part.documents.push({ entity, kind: name as DocKind, id, body: parseBody(b) });
        bytes += b.length;
        if (part.documents.length + part.records.length < inPage && bytes < pageBytes) continue;
        yield part;
        part = { documents: [], records: [] };
        bytes = 0;
      }
    } finally {
      await cursor.close();
    }
    yield part;
  }

  async insert({ documents, records }: BulkPart): Promise<void> {
    const byCollection = new Map<string, StoredDocument[]>();
    const add = (name: string, document: StoredDocument): void => {
      const group = byCollection.get(name);
      if (group) group.push(document);
      else byCollection.set(name, [document]);
    };
    for (const { entity, kind, id, body } of documents)
      add(kind, { ...place(entity, id), s: firstSeq, b: JSON.stringify(body), ...listingOf(kind, id, body) });
    for (const { entity, ...record } of records) {
      const expires = new Date(record.expiresAt);
      add(recordCollection, { ...place(entity, record.id), s: firstSeq, b: recordText(record), expires });
    }
    await Promise.all(
      [...byCollection].map(async ([name, group]) => {
        try {
          await documentsOf(this.connection, name).insertMany(group, { ordered: false });
        } catch (error) {
          if (!writeErrors(error)?.every(({ code }) => code === duplicateKey)) throw error;
        }
      }),
    );
  }

  async clear(entity: EntityRef): Promise<void> {
    const mine = { w: encoded(entity.workspace), e: entityField(entity) };
    await Promise.all(places.map((name) => documentsOf(this.connection, name).deleteMany(mine)));
  }
}

const place = (entity: EntityRef, id: string): DocumentKey => ({
  _id: documentId(entityId(entity), id),
  w: encoded(entity.workspace),
  e: entityField(entity),
});
