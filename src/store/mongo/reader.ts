/**
 * Reads by key, from the primary with read concern majority (Store.P4). Also loads entities, which first finishes what
 * the last commit left undone.
 */
import type { Documents } from '../../domain/shared/documents.js';
import type { Collection } from 'mongodb';
import type { IdempotencyRecord, DocKind, EntityKind, EntityRef, Head, LoadedHead, StoredDoc } from '../port.js';
import { Stopwatch } from './age.js';
import type { Applier } from './apply.js';
import { byIds, recordsOf, documentsOf, headsOf, type MongoConnection } from './connection.js';
import { docKinds } from '../list-query.js';
import { readRecord, unexpired } from '../keys.js';
import {
  headFields,
  parseBody,
  readHead,
  type HeadFields,
  type DocumentKey,
  type StoredBody,
  type StoredDocument,
  type StoredHead,
} from './documents.js';
import { BatchedReads } from './gather.js';
import { documentId, encoded, entityField, entityId, entityOfId, idOfDocument } from './keys.js';
import { changesOf, lastChangesOf } from './plan.js';

type Body = Pick<StoredBody, '_id' | 'b'>;
const bodyFields = { b: 1 } as const;

export class Reader {
  private readonly heads: BatchedReads<DocumentKey, HeadFields>;
  private readonly fullHeads: BatchedReads<DocumentKey, StoredHead>;
  private readonly records: BatchedReads<DocumentKey, Body>;
  private readonly documents: ReadonlyMap<string, BatchedReads<DocumentKey, Body>>;

  constructor(
    private readonly connection: MongoConnection,
    private readonly applier: Applier,
  ) {
    this.heads = new BatchedReads(connection, (places) =>
      headsOf(connection).find<HeadFields>(byIds(connection, places), { projection: headFields }).toArray(),
    );
    this.fullHeads = new BatchedReads(connection, (places) =>
      headsOf(connection).find(byIds(connection, places)).toArray(),
    );
    this.records = this.bodies(recordsOf(connection));
    this.documents = new Map(docKinds.map((kind) => [kind, this.bodies(documentsOf(connection, kind))]));
  }

  private bodies(collection: Collection<StoredDocument>): BatchedReads<DocumentKey, Body> {
    // A tombstone has no body.
    return new BatchedReads(this.connection, (places) =>
      collection
        .find<Body>({ ...byIds(this.connection, places), b: { $exists: true } }, { projection: bodyFields })
        .toArray(),
    );
  }

  async head<K extends EntityKind>(entity: EntityRef<K>): Promise<Head<K> | null> {
    const found = await this.heads.get(keyOf(entity));
    return found && readHead(found, entity);
  }

  async load<K extends EntityKind>(entity: EntityRef<K>): Promise<LoadedHead<K> | null> {
    // Started before the head is read, because its contents may be as old as the request.
    const age = new Stopwatch(this.connection.clocks);
    const found = await this.fullHeads.get(keyOf(entity));
    if (!found) return null;
    const changes = changesOf(found, this.connection.clocks.now());
    const head = readHead(found, entity);
    if (changes.length === 0) return head;
    await this.applier.finish(changes, age);
    return { ...head, lastChanges: lastChangesOf(found.ops ?? []) };
  }

  async record(entity: EntityRef, id: string, now: number): Promise<IdempotencyRecord | null> {
    const found = await this.records.get(keyOf(entity, id));
    return found && unexpired(readRecord(id, found.b), now);
  }

  async get<K extends DocKind>(entity: EntityRef, kind: K, id: string): Promise<StoredDoc<K> | null> {
    const found = await this.documents.get(kind)?.get(keyOf(entity, id));
    return found ? { entity, kind, id, body: parseBody(found.b) as Documents[K] } : null;
  }

  getMany<K extends DocKind>(entity: EntityRef, kind: K, ids: readonly string[]): Promise<(StoredDoc<K> | null)[]> {
    return Promise.all(ids.map((id) => this.get(entity, kind, id)));
  }

  find<K extends DocKind>(workspace: string, kind: K, id: string): Promise<StoredDoc<K> | null> {
    return this.one(kind, { w: encoded(workspace), i: encoded(id) });
  }

  /** The workspace is not known here, so on a sharded cluster this queries every shard. */
  lookup<K extends DocKind>(kind: K, value: string): Promise<StoredDoc<K> | null> {
    return this.one(kind, { h: encoded(value) });
  }

  private async one<K extends DocKind>(kind: K, filter: Partial<StoredBody>): Promise<StoredDoc<K> | null> {
    const found = await documentsOf(this.connection, kind).findOne<Body>(filter, { projection: bodyFields });
    return (
      found && {
        entity: entityOfId(found._id),
        kind,
        id: idOfDocument(found._id),
        body: parseBody(found.b) as Documents[K],
      }
    );
  }
}

/** The key of an entity's head or, with `id`, of one of its documents. */
function keyOf(entity: EntityRef, id?: string): DocumentKey {
  const own = entityId(entity);
  return { _id: id === undefined ? own : documentId(own, id), w: encoded(entity.workspace), e: entityField(entity) };
}
