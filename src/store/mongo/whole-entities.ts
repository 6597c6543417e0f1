/** Reads all that is stored of entities, of one state each: for exports and for a move to another store. */
import type { Filter, FindCursor } from 'mongodb';
import {
  StoreError,
  type IdempotencyRecord,
  type EntityPart,
  type EntityRef,
  type Head,
  type HeadScope,
} from '../port.js';
import { recordsOf, documentsOf, headsOf, type Connection } from './connection.js';
import { docKinds } from '../list-query.js';
import { readRecord } from '../idempotency-record.js';
import {
  headFields,
  parseBody,
  readHead,
  type HeadFields,
  type StoredBody,
  type StoredHead,
  type StoredRecord,
} from './documents.js';
import { encoded, entityField, entityId, idOfDocument } from './keys.js';
import type { Reader } from './reader.js';

const headsInPage = 256;
const inPage = 500;
const pageBytes = 1024 * 1024;
/** An entity that is changed while it is read is read again, so many times. */
const mostTries = 20;

type Body = Pick<StoredBody, '_id' | 'i' | 'b'>;

export class WholeEntities {
  constructor(
    private readonly connection: Connection,
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
      if (found.length > 0) yield found.map((h) => readHead(h));
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
      for (const kind of docKinds) yield* this.documents(entity, kind);
      yield* this.records(entity);
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

  private async *documents(entity: EntityRef, kind: (typeof docKinds)[number]): AsyncGenerator<EntityPart> {
    const place = { w: encoded(entity.workspace), e: entityField(entity) };
    for (let after: string | undefined = ''; after !== undefined;) {
      const cursor: FindCursor<Body> = documentsOf(this.connection, kind).find<Body>(
        { ...place, i: { $gt: after } },
        { projection: { i: 1, b: 1 }, sort: { i: 1 }, limit: inPage, batchSize: inPage + 1 },
      );
      const { items, whole }: { items: Body[]; whole: boolean } = await page(cursor);
      after = whole ? undefined : items.at(-1)?.i;
      if (items.length > 0)
        yield {
          type: 'documents',
          documents: items.map(({ _id, b }) => ({ entity, kind, id: idOfDocument(_id), body: parseBody(b) })),
        };
    }
  }

  private async *records(entity: EntityRef): AsyncGenerator<EntityPart> {
    const place = { w: encoded(entity.workspace), e: entityField(entity) };
    let records: IdempotencyRecord[] = [];
    const found = recordsOf(this.connection).find<StoredRecord>(place, { projection: { b: 1 }, batchSize: inPage });
    try {
      for await (const { _id, b } of found) {
        records.push(readRecord(idOfDocument(_id), b));
        if (records.length < inPage) continue;
        yield { type: 'records', records };
        records = [];
      }
    } finally {
      await found.close();
    }
    if (records.length > 0) yield { type: 'records', records };
  }
}

/** The first items of a cursor, up to `pageBytes`; `whole` if these are all that there are. */
async function page(cursor: FindCursor<Body>): Promise<{ items: Body[]; whole: boolean }> {
  const items: Body[] = [];
  let bytes = 0;
  try {
    for await (const item of cursor) {
      items.push(item);
      bytes += item.b.length;
      if (bytes >= pageBytes) return { items, whole: false };
    }
  } finally {
    await cursor.close();
  }
  return { items, whole: items.length < inPage };
}
