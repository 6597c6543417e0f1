/** Reads all that is stored of entities, of one state each: for exports and for a move to another store. */
import type { Document, Filter } from 'mongodb';
import {
  StoreError,
  type AnyDoc,
  type Content,
  type DocKind,
  type EntityPart,
  type EntityRef,
  type Head,
  type HeadScope,
} from '../port.js';
import { documentsOf, headsOf, recordsOf, type MongoConnection } from './connection.js';
import { docKinds } from '../list-query.js';
import { readRecord } from '../keys.js';
import {
  headFields,
  parseBody,
  readHead,
  recordCollection,
  type HeadFields,
  type StoredBody,
  type StoredHead,
} from './documents.js';
import { encoded, entityField, entityId, entityOfId, idOfDocument } from './keys.js';
import type { Reader } from './reader.js';

const headsInPage = 256;
const inPage = 500;
const pageBytes = 1024 * 1024;
/** An entity that is changed while it is read is read again, so many times. */
const mostTries = 20;

type Found = Pick<StoredBody, '_id' | 'b'> & { from: string };

export class WholeEntities {
  constructor(
    private readonly connection: MongoConnection,
    private readonly reader: Pick<Reader, 'load' | 'head'>,
  ) {}

  /** Each page is a query of its own, so that no cursor stays open while a caller takes a long time over a page. */
  async *heads({ workspace, kind, after: from }: HeadScope = {}): AsyncGenerator<Head[]> {
    // The ids of a workspace's heads begin with it.
    const [first, end] = workspace === undefined ? [''] : [`${encoded(workspace)}\0`, `${encoded(workspace)}\x01`];
    for (let after = from ? entityId(from) : first; ;) {
      const filter: Filter<StoredHead> = {
        _id: { $gt: after > first ? after : first, ...(end !== undefined && { $lt: end }) },
        ...(workspace !== undefined && { w: encoded(workspace) }),
        ...(kind && { t: kind }),
      };
      const found = await headsOf(this.connection)
        .find<HeadFields>(filter, { projection: headFields, sort: { _id: 1 }, hint: { _id: 1 }, limit: headsInPage })
        .toArray();
      if (found.length > 0) yield found.map((h) => readHead(h, entityOfId(h._id)));
      if (found.length < headsInPage) return;
      after = found.at(-1)?._id ?? '';
    }
  }

  /** The head's seq tells after reading whether all was of one state. */
  async *contents(entity: EntityRef): AsyncGenerator<EntityPart> {
    for (let tries = 0; tries < mostTries; tries++) {
      const head = await this.reader.load(entity);
      if (!head) return;
      const { lastChanges: _, ...rest } = head;
      yield { type: 'head', head: rest };
      yield* this.content(entity);
      if ((await this.reader.head(entity))?.seq === head.seq) {
        yield { type: 'end' };
        return;
      }
    }
    throw new StoreError(
      'io',
      `The ${entity.kind} ${entity.id} was changed again and again while it was read. Try again when less is written to it.`,
    );
  }

  /** The documents of neighbouring entities are neighbours, too, in the order of `_id`. */
  async *manyContents(entities: readonly EntityRef[]): AsyncGenerator<Content> {
    const ids = entities.map(entityId);
    const _id = { $gt: ids[0] ?? '', $lt: `${ids.at(-1) ?? ''}\x01` };
    // A load finishes what the last commit of an entity left undone.
    await Promise.all(entities.map((entity) => this.reader.load(entity)));
    for (const from of [...docKinds, recordCollection]) {
      const all = [{ $match: { _id, ...present } }, { $sort: { _id: 1 } }, textsOf(from)];
      yield* inPages(documentsOf(this.connection, from).aggregate<Found>(all, { batchSize: inPage }));
    }
  }

  /** One cursor for all collections: most entities are small, and have documents in few of them. */
  private async *content(entity: EntityRef): AsyncGenerator<EntityPart> {
    const place = { w: encoded(entity.workspace), e: entityField(entity) };
    const ofKind = (kind: DocKind): Document[] => [
      { $match: { ...place, i: { $gt: '' } } }, // a tombstone is in no list
      { $sort: { i: 1 } },
      textsOf(kind),
    ];
    const others = docKinds.map((kind) => ({ $unionWith: { coll: kind, pipeline: ofKind(kind) } }));
    const all = [{ $match: place }, textsOf(recordCollection), ...others];
    for await (const part of inPages(recordsOf(this.connection).aggregate<Found>(all, { batchSize: inPage })))
      yield { type: 'content', ...part };
  }
}

/** A tombstone has no body. */
const present = { b: { $exists: true } };
const textsOf = (from: string): Document => ({ $project: { b: 1, from: { $literal: from } } });

async function* inPages(found: AsyncIterable<Found>): AsyncGenerator<Content> {
  let part: Content = { documents: [], records: [] };
  let bytes = 0;
  for await (const { _id, b, from } of found) {
    const entity = entityOfId(_id);
    const id = idOfDocument(_id);
    if (from === recordCollection) part.records.push({ entity, ...readRecord(id, b) });
    else part.documents.push({ entity, kind: from, id, body: parseBody(b) } as AnyDoc);
    bytes += b.length;
    if (part.documents.length + part.records.length < inPage && bytes < pageBytes) continue;
    yield part;
    part = { documents: [], records: [] };
    bytes = 0;
  }
  if (bytes > 0) yield part;
}
